"""What became of the programs of a search, in words: why nothing was found, and what to try next."""

from __future__ import annotations

from collections import Counter
from math import exp, log

from maxcode.core import Frozen, Status, Verdict
from maxcode.search.tree import Tree

NOTHING_NEW = "nothing new to try"
"""Part of what a policy says that has run out of ideas."""


class Verdicts(Frozen):
    """Numbers of programs by what became of them."""

    refused: int = 0
    """Programs that failed a test, crashed or took too long."""
    unbuilt: int = 0
    rejected: int = 0
    exhausted: int = 0
    """Times that the policy had nothing more to try."""
    tied: int = 0
    slower: int = 0
    faster: int = 0
    within: float | None = None
    """Half the width of the intervals of the ties, in the median, as a share."""

    def words(self) -> list[str]:
        """Why nothing was found."""
        noise = f" within ±{self.within:.1%}" if self.within is not None else ""
        parts = [
            (self.tied, f"{self.tied} not told apart from the original{noise}"),
            (self.slower, f"{self.slower} slower"),
            (self.faster, f"{self.faster} that looked faster and did not hold"),
            (self.refused, f"{self.refused} refused by the tests"),
            (self.unbuilt, f"{self.unbuilt} that did not build"),
            (self.rejected, f"{self.rejected} refused by the rules"),
        ]
        tried = self.tied + self.slower + self.faster + self.refused + self.unbuilt + self.rejected
        said = ", ".join(words for many, words in parts if many)
        many = f"{tried} programs were" if tried > 1 else "1 program was"
        found = [f"{many} judged: {said}." if tried else "No program was judged."]
        if self.exhausted:
            found.append(f"{self.exhausted} times the policy had nothing new to try.")
        return found

    def advice(self, policy: str) -> list[str]:
        """What to do next."""
        found = []
        if self.refused > max(2, self.tied + self.slower):
            found.append("Look at what was refused with `maxcode show {run}`: right programs may have been refused.")
        if self.within is not None and self.within > 0.05:
            found.append("This machine is loud: stop other programs, or give a larger input.")
        if "openai:" not in policy:
            found.append("A model knows more than the rewriter: --policy '0.5*openai:MODEL + 0.5*rewrite'.")
        if not self.exhausted:
            found.append("More programs: --evals 256.")
        return found


def verdicts_of(tree: Tree) -> Verdicts:
    """Counts over all programs of a tree but the baseline."""
    counts: Counter[str] = Counter()
    widths = []
    for node in tree.nodes[1:]:
        outcome, m = node.outcome, node.outcome.measurement
        if outcome.status is Status.REJECTED:
            counts["exhausted" if NOTHING_NEW in (outcome.reason or "") else "rejected"] += 1
        elif outcome.status is Status.BUILD_ERROR:
            counts["unbuilt"] += 1
        elif outcome.status is not Status.OK or m is None:
            counts["refused"] += 1
        elif m.verdict in (Verdict.FASTER, Verdict.SLOWER):
            counts[m.verdict.value] += 1
        else:
            counts["tied"] += 1
            widths.append(exp(log(m.ci_high / m.ci_low) / 2) - 1 if m.ci_low > 0 else 1.0)
    within = sorted(widths)[len(widths) // 2] if widths else None
    return Verdicts(**counts, within=within)
