"""Answers kept and given again: `record:FILE,POLICY` writes them down, `replay:FILE` or `replay:RUN` answers from them.

An answer belongs to the number of the program that was asked for. So a recording fits every search of its task, on any
machine, whatever the order in which nodes are expanded there; the same search gives the same tree.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Iterable, Mapping
from itertools import count, takewhile
from pathlib import Path

from pydantic import ValidationError

from maxcode.core import Frozen, InputError, PolicyError, Proposal
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Policy, batches
from maxcode.store.journal import Store


class RecordedAnswer(Frozen):
    """One line of a recording's file."""

    task: str
    program: int
    """Number of the program in the run, from 0."""
    proposal: Proposal


class Recording(Frozen):
    source: str
    task: str
    answers: tuple[Proposal, ...]
    """Answers by the number of the program, up to the first that is missing."""


def record_policy(file: Path, policy: Policy) -> Policy:
    """The policy, with every answer in the file before it is used. A file that is there is gone on with."""

    async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        first = observation.program
        async for answers in batches(policy, observation, n, seed):
            _append(file, _lines(observation.task.name, answers, first))
            first += len(answers)
            for answer in answers:
                yield answer

    return propose


def replay_policy(recording: Recording, then: Policy | None = None) -> Policy:
    """Answers from a recording. Where it ends, `then` goes on; without one that is a PolicyError."""

    async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        if observation.task.name != recording.task:
            raise InputError(f"{recording.source}: was recorded for {recording.task}, not for {observation.task.name}.")
        first = observation.program
        known = list(recording.answers[first : first + n])
        for answer in known:
            yield answer
        if len(known) == n:
            return
        if then is None:
            raise PolicyError(
                f"{recording.source}: ends after {len(recording.answers)} programs. Use --evals "
                f"{len(recording.answers)}, or {recording.source},POLICY to go on with another policy."
            )
        rest = observation.model_copy(update={"program": first + len(known)})
        async for answers in batches(then, rest, n - len(known), seed + len(known)):
            for answer in answers:
                yield answer

    return propose


def read_recording(source: str) -> Recording:
    """The recording in a file, or that of a run in the journal."""
    path = Path(source)
    if path.is_file():
        return _of_file(path)
    try:
        return recording_of_run(source)
    except InputError as error:
        raise InputError(f"replay:{source}: no such file, and {error}") from None


def export_recording(recording: Recording, file: Path) -> None:
    refuse_existing(file)
    _append(file, _lines(recording.task, recording.answers))


def refuse_existing(file: Path) -> None:
    if file.exists():
        raise InputError(f"{file}: is there already, and two runs in one recording do not fit. Name another file.")


def _lines(task: str, answers: Iterable[Proposal], first: int = 0) -> str:
    lines = (RecordedAnswer(task=task, program=i, proposal=answer) for i, answer in enumerate(answers, first))
    return "".join(line.model_dump_json() + "\n" for line in lines)


def _append(file: Path, text: str) -> None:
    try:
        with file.open("a") as opened:
            opened.write(text)
    except OSError as error:
        raise InputError(f"{file}: cannot be written ({error.strerror}). Name another file.") from None


def _of_file(file: Path) -> Recording:
    by_number: dict[int, Proposal] = {}
    tasks = set()
    for number, text in enumerate(file.read_text().splitlines(), 1):
        try:
            line = RecordedAnswer.model_validate_json(text)
        except ValidationError:
            raise InputError(f"{file}: line {number}: not a line of a recording (see docs/strategies.md).") from None
        tasks.add(line.task)
        by_number[line.program] = line.proposal  # asked again after a kill: what was used is the last answer
    if len(tasks) != 1:
        problem = f"holds several tasks ({', '.join(sorted(tasks))})" if tasks else "has no answers"
        raise InputError(f"replay:{file}: {problem}.")
    return Recording(source=f"replay:{file}", task=tasks.pop(), answers=_from_the_first(by_number))


def recording_of_run(run: str) -> Recording:
    with Store() as store:
        info = store.info(run)
        answered = {_place(event.key): event.payload for event in store.read(info.id, "policy.answered")}
    by_number: dict[int, Proposal] = {}
    for place, payload in sorted(answered.items()):
        first = payload.get("program")
        if first is None and not _follows(place, answered):
            break
        proposals = map(Proposal.model_validate, payload["proposals"])
        by_number |= dict(enumerate(proposals, len(by_number) if first is None else first))
    return Recording(source=f"replay:{info.id}", task=info.task, answers=_from_the_first(by_number))


def _from_the_first(by_number: Mapping[int, Proposal]) -> tuple[Proposal, ...]:
    return tuple(by_number[i] for i in takewhile(by_number.__contains__, count()))


Place = tuple[int, ...]
"""A step of the search, the number of one of its questions, and the number of answers before, if any."""


def _place(key: str) -> Place:
    return tuple(map(int, key.split(".")))


def _follows(place: Place, places: Container[Place]) -> bool:
    """True if a place is the first, or the place before it is among `places`.

    Used for journals whose answers have no numbers: a killed run may lack an answer before one that it has.
    """
    step, question = place
    return (step, question - 1) in places if question else step == 1 or (step - 1, 0) in places
