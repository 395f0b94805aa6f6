#!/bin/sh
# Installs bubblewrap, the sandbox tool, where this machine lets us; otherwise says what to do and goes on:
# MaxCode then falls back to the strongest protection it finds (see `maxcode doctor`).
command -v bwrap >/dev/null && exit 0
ask="Install it for full isolation, e.g. 'sudo apt-get install bubblewrap' or 'sudo dnf install bubblewrap'."
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get install -y -qq bubblewrap || { apt-get update -qq && apt-get install -y -qq bubblewrap; }; } >/dev/null 2>&1
elif [ "$(id -u)" = 0 ] && command -v dnf >/dev/null; then
    dnf install -y -q bubblewrap >/dev/null 2>&1
fi
command -v bwrap >/dev/null || echo "note: bubblewrap (bwrap) is not installed and could not be. $ask"
exit 0
