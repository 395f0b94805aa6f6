"""The records everything else is made of: frozen, typed, serialisable. This module imports nothing of ours."""

from __future__ import annotations

import hashlib
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Base of all records: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))


class InputError(Exception):
    """The user's input is bad. The message names the file, the field and the fix; the command exits with 2."""


class EvaluatorError(Exception):
    """The evaluator itself could not do its work. Never a verdict on a candidate."""


class JournalError(Exception):
    """The journal cannot be written: the disk is full, or the database is not ours to write."""


class Corrupt(JournalError, InputError):
    """The journal is damaged: it has content that was never written to it. The message names run, event and file."""


class PolicyError(Exception):
    """A model could not be asked: the endpoint refuses, or stays out of reach. What was paid for is in the journal."""


def content_hash(*parts: bytes | str) -> str:
    """Hash of a sequence of parts; lengths are hashed too, so that moving a boundary changes the result."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:32]


class Status(StrEnum):
    """Result of judging a candidate: a ladder from worst to best."""

    REJECTED = "rejected"
    BUILD_ERROR = "build_error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    WRONG = "wrong"
    OK = "ok"

    @property
    def rank(self) -> int:
        return list(Status).index(self)


class Candidate(Frozen):
    """A whole program: its files by name, and where it came from. The id depends on the exact bytes alone."""

    files: dict[str, str]
    parent: str | None = None
    """Id of the program it was made from, where its maker says so. The place in a tree is `Node.parent`."""
    origin: str | None = None
    """Policy that made it, and how."""

    @cached_property
    def id(self) -> str:
        return content_hash(*(part for name in sorted(self.files) for part in (name, self.files[name])))


class Mismatch(Frozen):
    """The first difference between what was expected and what was got, fit to be shown to a policy."""

    test: str
    hidden: bool
    where: str
    expected: str | None = None
    """Expected text; None for hidden tests, whose content is never shown."""
    got: str | None = None


class Verification(Frozen):
    passed: int
    total: int
    mismatch: Mismatch | None = None


class Verdict(StrEnum):
    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    UNCLEAR = "unclear"
    """The sampling limit came before a verdict. Counts as a tie."""


class Sample(Frozen):
    """One timing of baseline and candidate side by side, in seconds (or instructions) per run."""

    baseline: float
    candidate: float
    method: Literal["exclusive", "duet", "count"]


class Noise(Frozen):
    """Standard deviation of a log-ratio between two runs of one program (A/A) on this machine."""

    exclusive: float
    duet: float | None = None
    pairs: int


class Measurement(Frozen):
    """Raw samples and what follows from them; every figure can be recomputed from the samples."""

    samples: tuple[Sample, ...]
    clock: Literal["cpu", "wall", "instructions", "printed"]
    method: Literal["exclusive", "duet", "count"]
    """Method of the samples that the estimate rests on."""
    verdict: Verdict
    speedup: float
    ci_low: float
    ci_high: float
    alpha: float
    noise: Noise | None = None
    dropped: int = 0
    """Pairs repeated because the host stole time from them."""
    seconds_baseline: float | None = None
    seconds_candidate: float | None = None
    gflops: float | None = None
    speedup_compiled: float | None = None
    """Speedup of a torch model over the original under torch.compile; `speedup` is over the original as it is."""
    note: str | None = None
    machine: str


FactKind = Literal["vectorized", "not_vectorized", "hot_line", "hot_function", "count", "resource"]


class Fact(Frozen):
    """One thing a profiler or compiler said about a program."""

    kind: FactKind
    text: str
    source: str
    file: str | None = None
    line: int | None = None
    value: float | None = None


StageName = Literal["rules", "build", "wait", "verify", "sanitize", "noise", "measure", "profile"]
"""Stages of an evaluation. `wait` is for a GPU that others are using; `noise` measures the noise of a new task."""


class Stage(Frozen):
    name: StageName
    seconds: float
    cached: bool = False


class Outcome(Frozen):
    """Everything the evaluator found out about one candidate."""

    candidate: str
    task: str
    status: Status
    reason: str | None = None
    """Why it is not ok, in one line or a few, fit to be shown to a person or a policy."""
    verification: Verification | None = None
    measurement: Measurement | None = None
    facts: tuple[Fact, ...] = ()
    stages: tuple[Stage, ...] = ()
    mode: Literal["search", "confirm"] = "search"
    sanitized: bool = False
    protections: str = ""
    evaluator: str = ""
    cached: bool = False

    @property
    def first_line(self) -> str:
        """First line of the reason; empty where there is none."""
        return (self.reason or "").strip().partition("\n")[0].rstrip()

    @property
    def seconds(self) -> float:
        return sum(stage.seconds for stage in self.stages)

    def summary(self) -> dict[str, Any]:
        """The flat form printed by `--json`."""
        m, v = self.measurement, self.verification
        return {
            "status": self.status.value,
            "passed": v.passed if v else None,
            "total": v.total if v else None,
            "speedup": m.speedup if m else None,
            "ci_low": m.ci_low if m else None,
            "ci_high": m.ci_high if m else None,
            "samples": len(m.samples) if m else 0,
            "reason": self.reason,
            "seconds": round(self.seconds, 3),
            "verdict": m.verdict.value if m else None,
            "method": m.method if m else None,
            "gflops": m.gflops if m else None,
            "speedup_compiled": m.speedup_compiled if m else None,
            "mode": self.mode,
            "sanitized": self.sanitized,
            "cached": self.cached,
            "candidate": self.candidate,
        }


class Cost(Frozen):
    """What an answer took. None where it is not known, never 0 in its place."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the endpoint had kept from an earlier prompt."""
    usd: float | None = None
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Cost) -> Cost:
        known = [usd for usd in (self.usd, other.usd) if usd is not None]
        return Cost(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            usd=sum(known) if known else None,
            seconds=self.seconds + other.seconds,
        )


class Proposal(Frozen):
    """One answer of a policy: its text, and the program in it or the reason there is none."""

    text: str
    candidate: Candidate | None = None
    problem: str | None = None
    model: str = ""
    cost: Cost = Cost()


class Diagnosis(Frozen):
    """One thing a critic found: what it is, what shows it, and what to do about it."""

    kind: Literal["bug", "bottleneck"]
    what: str
    evidence: str = ""
    advice: str = ""
    tags: tuple[str, ...] = ()
    """Names of what is meant (aliasing, strided-access, ...), for policies that do not read text."""


class Critique(Frozen):
    text: str
    diagnoses: tuple[Diagnosis, ...] = ()
    source: str = ""
    cost: Cost = Cost()


class Mode(StrEnum):
    SEARCH = "search"
    CONFIRM = "confirm"


class Language(StrEnum):
    C = "c"
    CPP = "c++"
    PYTHON = "python"
    OTHER = "other"
    """Any other language; only in repositories, which are built and tested by their own commands."""


class ExitCode(IntEnum):
    DONE = 0
    FAILED = 1
    BAD_INPUT = 2
