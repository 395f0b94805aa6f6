"""`maxcode mcp`: a coding agent as the policy under our evaluator, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from maxcode.authoring.opening import open_task
from maxcode.compare.comparison import Metric
from maxcode.core import EvaluatorError, InputError, JournalError, Outcome
from maxcode.evaluate.measure.words import interval_in_words
from maxcode.evaluate.pool import Evaluator, LocalPool
from maxcode.optimize.comparing import compared
from maxcode.optimize.session import Session
from maxcode.search.budget import Budget
from maxcode.search.observe.render import Prompts, render
from maxcode.store.journal import SESSION, Store
from maxcode.task.kind import NewOptions
from maxcode.task.model import Task

INSTRUCTIONS = """You make a program faster, and MaxCode judges what you write. `begin` with a task folder, a program or
a function, unless a task is open already. Read `observation`, write a complete faster program that does exactly the
same, `submit` it, read the verdict, and go on. Every program is compiled, tested on hidden inputs and timed. `compare`
says which of several commands is faster, and `compare_commits` which of two commits; they need no task."""
SPENT = "The budget is spent. See `best`."


class Desk:
    """What an agent has before it: one task at a time, and a run in the journal for it. Its tools take turns."""

    def __init__(self, store: Store, evaluate: Evaluator, method: str, evals: int) -> None:
        self._store, self._evaluate, self._method, self._evals = store, evaluate, method, evals
        self._session: Session | None = None
        self.turn = asyncio.Lock()

    @property
    def session(self) -> Session:
        if self._session is None:
            raise InputError("no task is open: call `begin` with a task folder, a program or FILE.py::FUNCTION.")
        return self._session

    async def begin(self, task: Task) -> str:
        """Opens a run on a task, and ends the one before. Returns its id."""
        await self.leave()
        budget = Budget(evals=self._evals)
        settings = {
            "task": str(task.folder),
            "policy": SESSION,
            "strategy": self._method,
            "ranking": "posterior",
            "singly": True,
            "budget": {"evals": self._evals},
        }
        journal = self._store.start(task.name, settings)
        session = Session(task, self._method, evaluate=self._evaluate, journal=journal, budget=budget, singly=True)
        self._session = await session.__aenter__()
        return journal.run

    async def leave(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.__aexit__(None, None, None)

    async def observed(self) -> str:
        found = await self.session.ask()
        return render(found, Prompts())[1]["content"] if found else SPENT

    async def submitted(self, program: str) -> str:
        session = self.session
        if await session.ask() is None:
            return SPENT
        fenced = "```" in program or "<<<<<<<" in program
        outcome = await session.tell(program if fenced else f"```{session.task.language.value}\n{program}\n```")
        await session.ask()  # from here on, the program is in the tree that the other tools show
        return json.dumps(_told(outcome))

    def best(self) -> str:
        tree = self.session.tree
        if tree is None:
            return json.dumps({"status": "the baseline is being measured"})
        return json.dumps({**_told(tree.best.outcome), "files": tree.best.candidate.files})


def _told(outcome: Outcome) -> dict[str, Any]:
    """The figures, and the interval as it is told to people."""
    m = outcome.measurement
    return {**outcome.summary(), "interval": interval_in_words(m.ci_low, m.ci_high) if m else None}


Tool = Callable[..., Awaitable[str]]


def make_server(desk: Desk, store: Store) -> MCPServer:
    """The tools of an agent."""
    server = MCPServer("maxcode", instructions=INSTRUCTIONS)
    for tool in (*_search_tools(desk), *_comparison_tools(store)):
        server.tool()(_in_turn(tool, desk))
    return server


def _in_turn(tool: Tool, desk: Desk) -> Tool:
    """The tool, one call at a time, with our errors as its answers."""

    @wraps(tool)
    async def answered(**given: Any) -> str:
        async with desk.turn:
            try:
                return await tool(**given)
            except (InputError, EvaluatorError, JournalError, OSError) as error:
                raise ToolError(str(error)) from None

    return answered


def _search_tools(desk: Desk) -> tuple[Tool, ...]:
    async def begin(
        target: str,
        inputs: list[str] | None = None,
        arguments: list[str] | None = None,
        python: str | None = None,
        command: str | None = None,
    ) -> str:
        """Open what is to be made faster: a task folder, a program, or FILE.py::FUNCTION of a package with tests.

        `inputs`: files that a program is timed on; `arguments`: its command line. `python`: the package's virtual
        environment; `command`: a command whose calls of the function are recorded instead of its tests. Returns the
        run, the task's folder, what its tests are worth, and the first observation.
        """
        wanted = NewOptions(
            inputs=tuple(map(Path, inputs or ())),
            arguments=tuple(arguments or ()),
            python=Path(python) if python else None,
            command=command,
        )
        opened = await asyncio.to_thread(open_task, Path(target), wanted, nullcontext)
        head = {"run": await desk.begin(opened.task), "task": str(opened.task.folder), "remarks": opened.remarks}
        return f"{json.dumps(head)}\n\n{await desk.observed()}"

    async def observation() -> str:
        """What is known: the task, the current program with its feedback, the best so far."""
        return await desk.observed()

    async def submit(program: str) -> str:
        """Submit a complete program (or an answer with code blocks or edits); returns the verdict as JSON."""
        return await desk.submitted(program)

    async def best() -> str:
        """The best program so far and its figures, as JSON."""
        return desk.best()

    return begin, observation, submit, best


def _comparison_tools(store: Store) -> tuple[Tool, ...]:
    async def compare(
        commands: list[str],
        input: str | None = None,
        check: bool = True,
        metric: Metric = "wall",
        min_effect: str = "1%",
        max_seconds: float = 60.0,
        ignore_failure: bool = False,
        cwd: str | None = None,
    ) -> str:
        """Is one command faster than another? The first is the baseline; they run in turns, without a sandbox.

        `input`: file for standard input. `check`: outputs must agree. `metric`: wall, or cpu, which is steadier on a
        busy machine. Differences below `min_effect` are ties. `ignore_failure`: commands may end with another exit code
        than 0. Returns verdicts with intervals as JSON.
        """
        options = {"input": input, "check": check, "metric": metric, "min-effect": min_effect, "cwd": cwd}
        bounds = {"max-seconds": max_seconds, "ignore-failure": ignore_failure}
        return json.dumps(await compared(store, {**options, **bounds}, commands))

    async def compare_commits(
        base: str,
        head: str,
        bench: str,
        build: str = "true",
        results: str | None = None,
        metric: Metric = "wall",
        min_effect: str = "1%",
        max_seconds: float = 60.0,
        cwd: str | None = None,
    ) -> str:
        """Is one commit faster than another? Both are checked out elsewhere, built, and benched in turns.

        `bench` may print the results of a known tool, or leave them in the file `results`. Returns verdicts with
        intervals as JSON, one for each benchmark.
        """
        options = {"results": results, "metric": metric, "min-effect": min_effect, "max-seconds": max_seconds}
        return json.dumps(await compared(store, {**options, "cwd": cwd, "git": [base, head]}, [build, bench]))

    return compare, compare_commits


async def serve(task: Task | None, method: str, evals: int) -> None:
    """Serves tools on standard input and output until the agent leaves; a task may be open from the beginning."""
    with Store() as store:
        async with LocalPool() as pool:
            desk = Desk(store, pool, method, evals)
            if task is not None:
                await desk.begin(task)
            try:
                await make_server(desk, store).run_stdio_async()
            except* BrokenPipeError:  # the agent left while it was being answered
                pass
            finally:
                await desk.leave()
