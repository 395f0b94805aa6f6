# wrong: degenerate case: the end of the job started last is taken for the end of the work
import sys
from heapq import heapify, heappop, heappush, heapreplace


def main():
    printers, speeds, jobs = [], [], []
    for line in sys.stdin:
        parts = line.split()
        if parts[0] == "printer":
            printers.append(parts[1])
            speeds.append(int(parts[2]))
        else:
            jobs.append((int(parts[2]), len(jobs) + 1, -int(parts[3]), parts[1], int(parts[4])))
    jobs.sort()
    free = [(0, i) for i in range(len(printers))]
    heapify(free)
    ready = []
    wait, printed, out = {}, {}, []
    nxt, n, end = 0, len(jobs), 0
    for _ in range(n):
        now, which = free[0]
        if not ready and jobs[nxt][0] > now:
            now = jobs[nxt][0]
        while nxt < n and jobs[nxt][0] <= now:
            arrival, number, prio, owner, pages = jobs[nxt]
            heappush(ready, (prio, arrival, number, owner, pages))
            nxt += 1
        prio, arrival, number, owner, pages = heappop(ready)
        speed = speeds[which]
        end = now + 5 + (pages * 60 + speed - 1) // speed
        heapreplace(free, (end, which))
        if owner in wait:
            wait[owner] += now - arrival
            printed[owner] += pages
        else:
            wait[owner] = now - arrival
            printed[owner] = pages
        out.append(f"{now} job {number} ({owner}, {pages} pages) on {printers[which]}")
    for owner in sorted(printed):
        out.append(f"{owner}: {printed[owner]} pages, waited {wait[owner]} s")
    out.append("finished at %d" % end)
    print("\n".join(out))


main()
