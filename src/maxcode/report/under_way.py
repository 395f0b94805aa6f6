"""Work that a run has asked for and that is not done yet, in words: on the terminal and on the live page."""

from __future__ import annotations

from collections import Counter

UNDER_WAY = {
    "policy": "asking for programs",
    "evaluate": "judging {}",
    "race": "measuring {} close ones further",
    "verify": "testing the baseline",
    "profile": "profiling {}",
    "critic": "criticising {}",
    "screen": "screening proposals",
    "value": "valuing states",
    "confirm": "measuring a finalist afresh",
    "reduce": "trying a smaller diff",
    "claim": "measuring the winner once more",
    "cell": "{} searches",
}
"""Words for each kind of question in the journal, in the order in which they are told."""


def under_way_in_words(counts: Counter[str]) -> str:
    return ", ".join(words.format(counts[kind]) for kind, words in UNDER_WAY.items() if counts[kind] > 0)
