#!/bin/sh
# Installs Chromium, in which reports are tested, where this machine lets us; otherwise says so and goes on: the tests
# that need it are then skipped, with the reason.
has_chromium() { command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; }
has_chromium && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get install -y -qq --no-install-recommends chromium || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }; } >/dev/null 2>&1
elif [ "$(id -u)" = 0 ] && command -v dnf >/dev/null; then
    dnf install -y -q chromium >/dev/null 2>&1
fi
has_chromium || echo "note: Chromium is not installed and could not be; browser tests are skipped. E.g. 'sudo apt-get install chromium'."
exit 0
