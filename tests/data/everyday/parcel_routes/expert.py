import sys

RATES = {"north": 1.5, "south": 1.2, "east": 1.1, "west": 1.7}


def main():
    read = sys.stdin.readline
    seen, zones, refused = set(), {}, 0
    for _ in range(int(read())):
        number, weight, zone, priority = read().split()
        id = int(number)
        if id in seen:
            refused += 1
            continue
        seen.add(id)
        weight = float(weight)
        cost = round(weight * RATES[zone] + int(priority) * 0.25, 2)
        count, total, heaviest = zones.get(zone, (0, 0, (1.0, 0)))
        best = (-weight, id)
        zones[zone] = (count + 1, total + cost, best if not count or best < heaviest else heaviest)
    for zone in sorted(zones):
        count, total, (_, id) = zones[zone]
        print("%s: %d parcels, %.2f, heaviest %d" % (zone, count, total, id))
    print("refused", refused)


main()
