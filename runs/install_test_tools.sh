#!/bin/sh
# Installs what tests need beside Python packages, where this machine lets us: Chromium, in which pages are tested, and
# PostgreSQL, in which a journal is (a server of the test's own: no cluster is made here, and none started). Otherwise
# says so and goes on: the tests that need it are then skipped, with the reason.
has_chromium() { command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; }
has_postgres() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }

installed() { # package
    [ "$(id -u)" = 0 ] || return 1
    if command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get install -y -qq --no-install-recommends "$1" || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$1"; }
    elif command -v dnf >/dev/null; then
        dnf install -y -q "$1"
    fi >/dev/null 2>&1
}

has_chromium || installed chromium
has_chromium || echo "note: Chromium is not installed and could not be; browser tests are skipped. E.g. 'sudo apt-get install chromium'."

settings=/etc/postgresql-common/createcluster.conf
if ! has_postgres && command -v apt-get >/dev/null && installed postgresql-common; then
    sed -i 's/^#* *create_main_cluster *=.*/create_main_cluster = false/' "$settings"
    installed postgresql
fi
has_postgres || echo "note: PostgreSQL is not installed and could not be; its test is skipped. E.g. 'sudo apt-get install postgresql'."
exit 0
