# wrong: off by one: a job that arrives in the very second a printer becomes free is not considered yet
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
    nxt, n = 0, len(jobs)
    for _ in range(n):
        now, which = free[0]
        if not ready and jobs[nxt][0] > now:
            now = jobs[nxt][0]
        while nxt < n and (jobs[nxt][0] < now or not ready):
            arrival, number, prio, owner, pages = jobs[nxt]
            heappush(ready, (prio, arrival, number, owner, pages))
            nxt += 1
        prio, arrival, number, owner, pages = heappop(ready)
        speed = speeds[which]
        heapreplace(free, (now + 5 + (pages * 60 + speed - 1) // speed, which))
        if owner in wait:
            wait[owner] += now - arrival
            printed[owner] += pages
        else:
            wait[owner] = now - arrival
            printed[owner] = pages
        out.append(f"{now} job {number} ({owner}, {pages} pages) on {printers[which]}")
    for owner in sorted(printed):
        out.append(f"{owner}: {printed[owner]} pages, waited {wait[owner]} s")
    out.append("finished at %d" % max(f for f, _ in free))
    print("\n".join(out))


main()
