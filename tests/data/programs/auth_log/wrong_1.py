# wrong: off by one: with more than fifteen addresses, those as frequent as the fifteenth are left out
import sys
from collections import Counter, defaultdict
from datetime import datetime
from heapq import nlargest, nsmallest


def compile_slow_path():
    import re
    header = re.compile(r"^(\d+-\d+-\d+ \d+:\d+:\d+) (\S+) sshd\[(\d+)\]: (.*)$").match
    failed = re.compile(r"Failed password for (invalid user )?(\S+) from (\d+\.\d+\.\d+\.\d+) port (\d+)").search
    accepted = re.compile(r"Accepted (password|publickey) for (\S+) from (\d+\.\d+\.\d+\.\d+) port (\d+)").search

    def parse(line):
        h = header(line)
        if not h:
            return None
        m = failed(h.group(4))
        if m:
            return h.group(1), "invalid" if m.group(1) else "failed", m.group(2), m.group(3)
        m = accepted(h.group(4))
        return m and (h.group(1), "accepted", m.group(2), m.group(3))
    return parse


def main():
    failures = defaultdict(list)
    logins, hours = [], []
    invalid = set()
    ignored = 0
    slow = None
    lines = sys.stdin.read().split("\n")
    if not lines[-1]:
        lines.pop()
    for line in lines:
        if "Failed password for " in line:
            p = line.split(" ")
            n = len(p)
            if n == 13 and p[4] == "Failed" and p[8] == "from" and p[10] == "port" and p[3][:5] == "sshd[":
                failures[p[9]].append(line[:19])
                hours.append(line[11:13])
                continue
            if n == 15 and p[7] == "invalid" and p[4] == "Failed" and p[10] == "from" and p[12] == "port" and p[3][:5] == "sshd[":
                failures[p[11]].append(line[:19])
                hours.append(line[11:13])
                invalid.add(p[9])
                continue
        elif "Accepted p" in line:
            p = line.split(" ")
            if len(p) == 13 and p[4] == "Accepted" and p[6] == "for" and p[8] == "from" and p[3][:5] == "sshd[":
                logins.append(p[7])
                continue
        else:
            ignored += 1
            continue
        slow = slow or compile_slow_path()
        event = slow(line.strip())
        if not event:
            ignored += 1
        elif event[1] == "accepted":
            logins.append(event[2])
        else:
            failures[event[3]].append(event[0])
            hours.append(event[0][-8:-6])
            if event[1] == "invalid":
                invalid.add(event[2])

    out = ["Failed logins by address"]
    rows = failures.items()
    if len(failures) > 15:  # only the frequent ones need sorting
        limit = nlargest(15, map(len, failures.values()))[-1]
        rows = [item for item in rows if len(item[1]) > limit]
    for ip, times in sorted(rows, key=lambda item: (-len(item[1]), item[0]))[:15]:
        first, last = datetime.fromisoformat(min(times)), datetime.fromisoformat(max(times))
        out.append("  %-15s %5d  first %s  last %s  (%.1f min)"
                   % (ip, len(times), first, last, (last - first).total_seconds() / 60))
    out.append("Successful logins")
    logins = Counter(logins)
    for user in sorted(logins):
        out.append("  %-10s %d" % (user, logins[user]))
    out.append("Failures by hour")
    hours = Counter(hours)
    for hour in range(24):
        out.append("  %02d %d" % (hour, hours["%02d" % hour]))
    out.append("Invalid users tried: %d (%s ...)" % (len(invalid), ", ".join(nsmallest(5, invalid))))
    out.append("Ignored lines: %d" % ignored)
    print("\n".join(out))


main()
