"""One choice among simulated programs: how often is it the truly best one, and what did it take?"""

from __future__ import annotations

import argparse
import json
import random
from statistics import fmean

from choosing import WAYS, choices
from machine import SimulatedPairs, drawn_truth, measured

from maxcode.core import Measurement
from maxcode.evaluate.measure.statistics import TIE

NUMBERS, DEVIATIONS = (8, 16, 64), (0.015, 0.05, 0.15)


def draw(number: int, deviation: float, seed: int) -> dict[str, tuple[float, int]]:
    """Log-ratio to the best that each way loses, and the pairs it took in all."""
    rng = random.Random(f"{number}/{deviation}/{seed}")
    programs = [SimulatedPairs(drawn_truth(rng), deviation, random.Random(rng.random())) for _ in range(number)]
    known = [measured(each) for each in programs]

    def further(index: int, pairs: int) -> Measurement:
        return measured(programs[index], pairs)

    most, first = max(each.truth for each in programs), sum(len(m.samples) for m in known)
    return {way: (most - programs[i].truth, first + more) for way, (i, more) in choices(known, further).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first draw")
    wanted = parser.parse_args()
    for number in NUMBERS:
        for deviation in DEVIATIONS:
            drawn = [draw(number, deviation, wanted.seed + i) for i in range(wanted.draws)]
            for way in WAYS:
                lost, pairs = ([each[way][place] for each in drawn] for place in (0, 1))
                row = {"programs": number, "deviation": deviation, "way": way}
                row |= {"best": round(fmean(each <= TIE for each in lost), 3), "lost": round(fmean(lost), 4)}
                print(json.dumps({**row, "pairs": round(fmean(pairs), 1)}), flush=True)


if __name__ == "__main__":
    main()
