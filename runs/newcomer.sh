#!/bin/sh
# Times a newcomer's path: a wheel of this checkout, installed into a fresh environment in an empty folder, to the first
# verdicts of `maxcode compare` and `maxcode optimize`. Prints seconds by the clock, and of processor time.
#   runs/newcomer.sh [FOLDER]     FOLDER: where to do it; a temporary one when absent
set -eu
cd "$(dirname "$0")/.."
place=${1:-$(mktemp -d /tmp/maxcode-newcomer-XXXXXX)}
mkdir -p "$place"
chmod 755 "$place"
python3 -m venv "$place/tools"
"$place/tools/bin/pip" install -q hatchling
"$place/tools/bin/hatchling" build -t wheel -d "$place" > /dev/null
cd "$place"
cat > slow.cpp <<'PROGRAM'
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<long> v(n);
    for (auto& x : v) std::cin >> x;
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += v[i] ^ v[j];
    std::cout << s << std::endl;
}
PROGRAM
python3 -c "print(6000); print(*(i * 7919 % 1000 for i in range(6000)))" > numbers.txt
export MAXCODE_HOME="$place/home" PATH="$place/venv/bin:$PATH"
step() {
    name=$1
    shift
    python3 - "$name" "$@" <<'CLOCK'
import resource, subprocess, sys, time
began = time.monotonic()
code = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
took = time.monotonic() - began
print(f"{sys.argv[1]:34} {took:6.1f} s by the clock, {used.ru_utime + used.ru_stime:6.1f} s of processor time"
      + ("" if code == 0 else f", exit code {code}"), flush=True)
CLOCK
}
step "python3 -m venv" python3 -m venv "$place/venv"
step "pip install maxcode" "$place/venv/bin/pip" install -q "$place"/*.whl
step "maxcode compare: first verdict" maxcode compare 'sleep 0.01' 'sleep 0.02' --max-seconds 10
step "maxcode optimize: first verdict" maxcode optimize slow.cpp --input numbers.txt --evals 1 --no-minimize --confirm-seconds 5 --out result
echo "$place"
