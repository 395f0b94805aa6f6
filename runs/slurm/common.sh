# Shared by head.sh and worker.sh; see there for the variables.

MAXCODE=${MAXCODE:-maxcode}
MAXCODE_CLUSTER=${MAXCODE_CLUSTER:-$HOME/.maxcode-cluster}
mkdir -p "$MAXCODE_CLUSTER" || exit 1

# The token lies where all machines see it, readable by its owner only.
RAY_AUTH_TOKEN_PATH=${RAY_AUTH_TOKEN_PATH:-$MAXCODE_CLUSTER/token}
export RAY_AUTH_TOKEN_PATH

own_address() {
    hostname -I 2>/dev/null | awk '{ print $1 }'
}

# The head's address, waited for: its job may start later than ours.
head_address() {
    waited=0
    until [ -s "$MAXCODE_CLUSTER/address" ]; do
        [ "$waited" -ge "${MAXCODE_WAIT:-3600}" ] && { echo "no head within ${MAXCODE_WAIT:-3600} s" >&2; return 1; }
        sleep 5
        waited=$((waited + 5))
    done
    cat "$MAXCODE_CLUSTER/address"
}

# Runs `maxcode worker`; hands it the signal that Slurm sends before its limit, and waits until it has left. The head's
# first line of JSON has its address, which is published for as long as it lives.
run_until_told() {
    said=$(mktemp)
    "$@" >"$said" &
    child=$!
    trap 'kill -TERM "$child" 2>/dev/null' TERM INT
    timer=
    if [ -n "${MAXCODE_SECONDS:-}" ]; then
        (sleep "$MAXCODE_SECONDS"; kill -TERM "$child" 2>/dev/null) &
        timer=$!
    fi
    case " $* " in *" --head "*) publish "$said" "$child" ;; esac
    while :; do # a signal ends `wait`, not the child
        wait "$child"
        code=$?
        kill -0 "$child" 2>/dev/null || break
    done
    cat "$said"
    rm -f "$said"
    [ -n "$timer" ] && kill "$timer" 2>/dev/null
    case " $* " in *" --head "*) rm -f "$MAXCODE_CLUSTER/address" ;; esac
    return "$code"
}

publish() {
    until [ -s "$1" ]; do
        kill -0 "$2" 2>/dev/null || return 1
        sleep 1
    done
    sed -n 's/.*"address": "\([^"]*\)".*/\1/p' "$1" >"$MAXCODE_CLUSTER/address.new"
    mv "$MAXCODE_CLUSTER/address.new" "$MAXCODE_CLUSTER/address"
}
