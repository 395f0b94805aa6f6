"""Screening: which answers of a round are worth running, by a model's scores and by chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from maxcode.core import Cost, Proposal
from maxcode.search.asking import Question
from maxcode.search.parts import Parts, Screen
from maxcode.search.remembered import remembered
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree
from maxcode.search.values import Scored, chance_of
from maxcode.store.journal import Journal


async def screened(
    tree: Tree, questions: Sequence[Question], asked: Sequence[Sequence[Proposal]], strategy: Strategy, parts: Parts
) -> tuple[set[int], Cost]:
    """Places of a round's answers that will be run, and the cost of screening them.

    Call it before any program of the round runs: a model on this machine would disturb timings.
    """
    made = [proposal for answers in asked for proposal in answers]
    screen = parts.screen
    if strategy.screen is None or screen is None or len(made) < 2:
        return set(range(len(made))), Cost()
    scored = [
        await _promises(tree, question, answers, screen, parts.journal)
        for question, answers in zip(questions, asked, strict=True)
    ]
    scores = [score for each in scored for score in each.scores]
    return _chosen(made, scores, strategy.screen, strategy.hedge), sum((each.cost for each in scored), Cost())


async def _promises(
    tree: Tree, question: Question, proposals: Sequence[Proposal], screen: Screen, journal: Journal
) -> Scored:
    node = tree.nodes[question.expansion.node.id]
    return await remembered(journal, "screen", question.key, Scored, lambda: screen(tree, node, list(proposals)))


def _chosen(made: Sequence[Proposal], scores: Sequence[float], share: float, hedge: float) -> set[int]:
    """Places of the answers with the highest scores, and of some that chance picks."""
    worthless = _worthless(made)
    places = ceil(share * len(made))
    by_score = sorted(range(len(made)), key=lambda i: (worthless[i], -scores[i], i))
    best = by_score[: places - int(hedge * places)]
    others = sorted(by_score[len(best) :], key=lambda i: (worthless[i], -chance_of(made[i]), i))
    return {*best, *others[: places - len(best)]}


def _worthless(proposals: Sequence[Proposal]) -> list[int]:
    """Rank of each proposal: 0 for a new program, 1 for one that an earlier proposal has too, 2 for no program."""
    met: set[str] = set()
    found = []
    for proposal in proposals:
        program = proposal.candidate.id if proposal.candidate else None
        found.append(2 if program is None else int(program in met))
        met |= {program} if program else set()
    return found
