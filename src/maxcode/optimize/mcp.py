"""`maxcode mcp TASK`: a coding agent as the policy under our evaluator, over the Model Context Protocol."""

from __future__ import annotations

import json

from mcp.server.mcpserver import MCPServer

from maxcode.evaluate.pool import LocalPool
from maxcode.optimize.session import Session
from maxcode.search.budget import Budget
from maxcode.search.observe.render import Prompts, render
from maxcode.store.journal import SESSION, Store
from maxcode.task.model import Task

INSTRUCTIONS = """You make a program faster. Read `observation`, write a complete faster program that does exactly the
same, `submit` it, read the verdict, and go on. Every program is compiled, tested on hidden inputs and timed."""


def make_server(session: Session) -> MCPServer:
    """The tools of one session."""
    server = MCPServer("maxcode", instructions=INSTRUCTIONS)

    @server.tool()
    async def observation() -> str:
        """What is known: the task, the current program with its feedback, the best so far."""
        found = await session.ask()
        return render(found, Prompts())[1]["content"] if found else "The budget is spent. See `best`."

    @server.tool()
    async def submit(program: str) -> str:
        """Submit a complete program (or an answer with code blocks or edits); returns the verdict as JSON."""
        if await session.ask() is None:
            return "The budget is spent. See `best`."
        text = (
            program if "```" in program or "<<<<<<<" in program else f"```{session.task.language.value}\n{program}\n```"
        )
        outcome = await session.tell(text)
        await session.ask()  # from here on, the program is in the tree that the other tools show
        return json.dumps(outcome.summary())

    @server.tool()
    async def best() -> str:
        """The best program so far and its figures, as JSON."""
        tree = session.tree
        if tree is None:
            return json.dumps({"status": "the baseline is being measured"})
        return json.dumps({**tree.best.outcome.summary(), "files": tree.best.candidate.files})

    return server


async def serve(task: Task, method: str, evals: int) -> None:
    """Serves one task on standard input and output until the agent leaves."""
    settings = {
        "task": str(task.folder),
        "policy": SESSION,
        "strategy": method,
        "ranking": "posterior",
        "singly": True,
    }
    with Store() as store:
        journal = store.start(task.name, {**settings, "budget": {"evals": evals}})
        async with (
            LocalPool() as pool,
            Session(task, method, evaluate=pool, journal=journal, budget=Budget(evals=evals), singly=True) as session,
        ):
            await make_server(session).run_stdio_async()
