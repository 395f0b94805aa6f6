from dataclasses import dataclass
from typing import List


@dataclass
class Parcel:
    id: int
    weight: float
    zone: str
    priority: int

    def cost(self):
        rates = {"north": 1.5, "south": 1.2, "east": 1.1, "west": 1.7}
        return round(self.weight * rates[self.zone] + self.priority * 0.25, 2)


class Depot:
    def __init__(self):
        self.parcels: List[Parcel] = []

    def add(self, parcel: Parcel):
        if parcel.id in [p.id for p in self.parcels]:
            return False
        self.parcels = self.parcels + [parcel]
        return True

    def by_zone(self, zone: str):
        return [p for p in self.parcels if p.zone == zone]

    def total(self, zone: str):
        total = 0
        for p in self.by_zone(zone):
            total = total + p.cost()
        return total

    def heaviest(self, zone: str):
        return sorted(self.by_zone(zone), key=lambda p: (-p.weight, p.id))[0]


def main():
    depot = Depot()
    refused = 0
    for _ in range(int(input())):
        id, weight, zone, priority = input().split()
        if not depot.add(Parcel(int(id), float(weight), zone, int(priority))):
            refused += 1
    for zone in sorted(set([p.zone for p in depot.parcels])):
        h = depot.heaviest(zone)
        print("%s: %d parcels, %.2f, heaviest %d" % (zone, len(depot.by_zone(zone)), depot.total(zone), h.id))
    print("refused", refused)


if __name__ == "__main__":
    main()
