"""`maxcode optimize`, `resume` and `replay`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.live import Live
from rich.markup import escape
from rich.prompt import Confirm
from rich.text import Text

from maxcode.authoring.new import scaffold_for, slug
from maxcode.cli.console import INTERRUPTED, err, out, print_json, told_each_minute, working
from maxcode.cli.engine import pool_of
from maxcode.cli.stopping import run_until_interrupted
from maxcode.config import Config, load_config
from maxcode.core import InputError, content_hash
from maxcode.evaluate.engine import Engine
from maxcode.home import home
from maxcode.optimize import (
    Chosen,
    Result,
    Settings,
    Watch,
    choose,
    compiled_in_words,
    optimize,
    sanitizers_in_words,
    write_results,
)
from maxcode.policy.chat import way_to
from maxcode.policy.choose import programs_recorded, settled
from maxcode.policy.recording import export_recording, recording_of_run
from maxcode.processes import session, this_process
from maxcode.recorded import finished, known
from maxcode.search.budget import Budget, Spent
from maxcode.search.observe.render import Prompts
from maxcode.search.tree import Tree
from maxcode.store.journal import OPENED, Journal, Store
from maxcode.task import Task, load_task
from maxcode.task.kind import Wanted


def run(
    target: Path,
    settings: Settings,
    inputs: list[Path],
    *,
    generator: str | None,
    tests: Path | None,
    config_file: Path | None,
    output: Path | None,
    minimize: bool | None,
    engine: Engine,
    as_json: bool,
) -> None:
    config = load_config(config_file)
    policy, prompts = settled(settings.policy), Prompts(config.prompts).version
    settings = settings.model_copy(update={"policy": policy, "prompts": prompts})
    chosen = _chosen(settings, config)
    for name in chosen.paid:  # a run that cannot begin is none; one that goes on may need no more
        way_to(name, config.model(name))
    task = _task(target, inputs, generator, tests)
    settings = settings.model_copy(update={"task": str(task.folder), "budget": _within_recording(settings)})
    with Store() as store:
        journal = store.start(task.name, settings.model_dump(mode="json"))
        result = _drive(task, settings, chosen, config, engine, journal, output, as_json)
    _offer_to_minimize(result, minimize, output, as_json)


def _offer_to_minimize(result: Result, wanted: bool | None, output: Path | None, as_json: bool) -> None:
    """Asks only where somebody is there to answer."""
    from maxcode.cli import minimize

    if wanted is None and result.improved and not as_json and sys.stdout.isatty() and sys.stdin.isatty():
        wanted = Confirm.ask("Reduce the diff now to what the speedup needs? It takes minutes", default=False)
    if wanted and result.improved:
        minimize.run(result.run, evals=minimize.EVALS, output=output, as_json=as_json)


def _chosen(settings: Settings, config: Config) -> Chosen:
    """Who works in the run. InputError for what cannot work, and for a limit in USD that nothing can reach."""
    chosen = choose(settings, config)
    for name in chosen.paid if settings.budget.usd is not None else ():
        if not config.model(name).has_prices:
            raise InputError(
                f"--max-usd: openai:{name} has no price, so its cost in USD is not known. Put price_prompt and "
                f'price_completion (USD per million tokens) under [models."{name}"] in maxcode.toml, or use '
                "--max-tokens."
            )
    return chosen


def _within_recording(settings: Settings) -> Budget:
    """A replay ends where its recording ends."""
    recorded = programs_recorded(settings.policy)
    evals = [each for each in (recorded, settings.budget.evals) if each is not None]
    return settings.budget.model_copy(update={"evals": min(evals, default=None)})


def resume(run_id: str, *, config_file: Path | None, output: Path | None, engine: Engine | None, as_json: bool) -> None:
    with Store() as store:
        settings, task = known(store, run_id)
        config = load_config(config_file)
        chosen = _chosen(settings, config)
        journal = store.open(run_id)
        result = _drive(task, settings, chosen, config, engine or engine_of(journal), journal, output, as_json)
    _offer_to_minimize(result, None, output, as_json)


def engine_of(journal: Journal) -> Engine:
    """The machines that judged before: figures of others would not compare."""
    opened = [event.payload for event in journal.store.read(journal.run, OPENED)]
    return Engine.model_validate(opened[-1].get("engine", {})) if opened else Engine()


def replay(
    run_id: str,
    *,
    fresh: bool,
    then: str | None,
    config_file: Path | None,
    output: Path | None,
    engine: Engine,
    as_json: bool,
) -> None:
    """The recorded answers again, in a new run; outcomes are recorded ones, or measured anew."""
    config = load_config(config_file)
    with Store() as store:
        settings, task = known(store, run_id)
        recorded = store.open(run_id)
        if then is None and finished(store, recorded.run) is None:
            raise InputError(
                f"run {recorded.run}: is not finished. `maxcode resume {recorded.run}` finishes it; "
                f"`maxcode replay {recorded.run} --policy POLICY` goes on with a policy where the record ends."
            )
        policy = f"replay:{recorded.run}" + (f",{settled(then)}" if then else "")
        settings = settings.model_copy(update={"policy": policy})
        settings = settings.model_copy(update={"budget": _within_recording(settings)})
        chosen = _chosen(settings, config)
        journal = store.start(task.name, settings.model_dump(mode="json"))
        journal.learn(recorded, ("critic",) if fresh else ("critic", *MEASURED))
        _drive(task, settings, chosen, config, engine, journal, output, as_json)


MEASURED = ("evaluate", "profile", "value", "screen", "confirm", "claim")
"""What other outcomes would change."""


def export(run_id: str, file: Path, *, as_json: bool) -> None:
    recording = recording_of_run(run_id)
    export_recording(recording, file)
    if as_json:
        print_json({"task": recording.task, "answers": len(recording.answers), "file": str(file)})
        return
    words = f"{len(recording.answers)} answers; `maxcode optimize TASK --policy replay:{file}` gives them again."
    out.print(escape(words), soft_wrap=True)


def _task(target: Path, inputs: list[Path], generator: str | None = None, tests: Path | None = None) -> Task:
    """The task in a folder, or one made from a bare program."""
    if target.is_dir() or target.name == "task.toml":
        for option, value in (("--input", inputs), ("--generator", generator), ("--tests", tests)):
            if value:
                raise InputError(f"{option}: only for a bare program; a task has its own workloads and tests.")
        return load_task(target)
    if not target.is_file():
        raise InputError(f"{target}: no such task or program.")
    files = [*inputs, *(sorted(tests.glob("*")) if tests else [])]
    parts = [path.read_bytes() for path in files if path.is_file()]
    key = content_hash(target.read_bytes(), *parts, *([generator] if generator else []))
    folder = home() / "tasks" / f"{target.stem}-{key[:12]}"
    if not (folder / "task.toml").exists():
        with working("making a task from the program ..."):
            wanted = Wanted(tuple(inputs), slug(target.stem), generator=generator, tests=tests)
            made = scaffold_for(target).make(folder, target, wanted)
        for words in made.remarks:  # before a search begins
            err.print(escape(words), soft_wrap=True)
    return load_task(folder)


def _drive(
    task: Task,
    settings: Settings,
    chosen: Chosen,
    config: Config,
    engine: Engine,
    journal: Journal,
    output: Path | None,
    as_json: bool,
) -> Result:
    with journal.session(session(this_process(), engine=engine.model_dump(mode="json"))):
        folder = _folder(journal, output)
        result = _searched(task, settings, chosen, config, engine, journal)
    written = write_results(folder, task, result)
    if as_json:
        print_json({**result.summary(), "best": str(written[0])})
    else:
        _show(task, result, written)
    return result


def _searched(
    task: Task, settings: Settings, chosen: Chosen, config: Config, engine: Engine, journal: Journal
) -> Result:
    """With a display, until done or interrupted."""
    watch = Watch([])
    progress = _Progress(task, settings.budget, journal, watch)
    try:
        with _display(progress):
            return run_until_interrupted(
                _optimize(task, settings, chosen, config, engine, journal, watch), progress.stop
            )
    except KeyboardInterrupt:
        words = f"Stopped; everything so far is kept. `maxcode resume {journal.run}` goes on."
        err.print(words, soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    except InputError as error:
        journal.note("refused", {"reason": str(error)})
        raise


def _folder(journal: Journal, asked: Path | None) -> Path:
    """Where results go: as asked now, or when the run was last asked."""
    if asked is None and (noted := [event.payload["folder"] for event in journal.store.read(journal.run, "output")]):
        return Path(noted[-1])
    folder = asked or Path(f"maxcode-{journal.run}")
    journal.note("output", {"folder": str(folder.absolute())})
    return folder


async def _optimize(
    task: Task, settings: Settings, chosen: Chosen, config: Config, engine: Engine, journal: Journal, watch: Watch
) -> Result:
    async with pool_of(engine, config) as pool:
        return await optimize(task, settings, chosen, pool, journal, watch)


class _Progress:
    """One line that is always up to date: best so far, depth, programs, spending, time left, and what is being done."""

    def __init__(self, task: Task, budget: Budget, journal: Journal, watch: Watch) -> None:
        self._task, self._budget, self._journal, self._watch = task, budget, journal, watch
        self._stopping = False

    def stop(self) -> None:
        self._stopping = True

    def __rich__(self) -> Text:
        doing = "stopping" if self._stopping else under_way_in_words(self._journal.under_way())
        if not self._watch.states:
            doing = "stopping" if self._stopping else "measuring the baseline"
            return Text(f"{self._task.name}: run {self._journal.run} · {doing} ...")
        tree, spent = self._watch.states[0]
        words = progress_in_words(tree, self._by_now(spent), self._budget)
        return Text(f"{self._task.name}: {words}" + (f" · {doing} ..." if doing else ""))

    def _by_now(self, spent: Spent) -> Spent:
        """Spending is told once a round; time goes on."""
        return spent.model_copy(update={"seconds": spent.seconds + time.monotonic() - self._watch.told[0]})


DOING = {
    "policy": "asking for programs",
    "evaluate": "judging {}",
    "profile": "profiling {}",
    "critic": "criticising {}",
    "screen": "screening proposals",
    "value": "valuing states",
    "confirm": "measuring a finalist afresh",
    "claim": "measuring the winner once more",
}


def under_way_in_words(counts: Counter[str]) -> str:
    return ", ".join(words.format(counts[kind]) for kind, words in DOING.items() if counts[kind])


def progress_in_words(tree: Tree, spent: Spent, budget: Budget) -> str:
    m = tree.best.outcome.measurement
    best = f"best {m.speedup:.3g}x ({m.ci_low:.3g} to {m.ci_high:.3g})" if m and tree.best.id else "nothing faster yet"
    total = spent.total
    parts = [best, f"depth {max(node.depth for node in tree)}"]
    parts.append(f"{spent.evals}{f'/{budget.evals}' if budget.evals else ''} programs")
    if total.tokens:
        parts.append(f"{total.tokens} tokens")
    if total.usd is not None:
        parts.append(f"{total.usd:.3f}{f'/{budget.usd:g}' if budget.usd else ''} USD")
    left = _time_left(spent, budget)
    parts.append(f"{spent.seconds:.0f} s" + (f", about {left:.0f} s left" if left else ""))
    return " · ".join(parts)


def _time_left(spent: Spent, budget: Budget) -> float | None:
    by_clock = budget.seconds - spent.seconds if budget.seconds is not None else None
    by_count = (budget.evals - spent.evals) * spent.seconds / spent.evals if budget.evals and spent.evals else None
    known_ = [each for each in (by_clock, by_count) if each is not None]
    return max(min(known_), 0.0) if known_ else None


@contextmanager
def _display(progress: _Progress) -> Iterator[None]:
    if not err.is_terminal:
        with told_each_minute(lambda: str(progress.__rich__())):
            yield
        return
    with Live(progress, console=err, refresh_per_second=4, transient=True):
        yield


def spent_in_words(result: Result) -> str:
    spent, total = result.spent, result.spent.total
    parts = [f"{spent.evals} programs", f"{spent.seconds:.0f} s of search"]
    if result.confirming_seconds:
        parts.append(f"{result.confirming_seconds:.0f} s to confirm")
    if total.tokens:
        parts.append(f"{total.tokens} tokens")
        if total.usd is not None:
            parts.append(f"{total.usd:.4f} USD")
    return ", ".join(parts)


def _show(task: Task, result: Result, written: list[Path]) -> None:
    m = result.confirmed.measurement if result.confirmed else None
    out.print(Text(task.kind.diff(task, result.best) or "no change\n"), end="", soft_wrap=True)
    if result.improved and m:
        out.print(
            f"[bold green]{m.speedup:.3g}x faster[/] ({m.ci_low:.3g} to {m.ci_high:.3g}), confirmed by "
            f"{len(m.samples)} exclusive pairs with fresh seeds"
            f"{compiled_in_words(result)}{sanitizers_in_words(result)}.",
        )
        if m.note:
            out.print(f"Note: {m.note}.", soft_wrap=True)
    elif m:
        out.print(
            f"[bold yellow]No improvement is claimed[/]: measured afresh, the best is {m.ci_low:.3g} to "
            f"{m.ci_high:.3g} times as fast, which is not clearly more than 1.",
        )
    else:
        out.print("[bold yellow]No improvement found[/]: no program was both correct and clearly faster.")
    if result.improved:
        out.print(f"`maxcode minimize {result.run}` reduces the diff to what the speedup needs.")
    out.print(
        f"Run {result.run}: {spent_in_words(result)}. Files: {escape(', '.join(map(str, written)))}",
        soft_wrap=True,
    )
    out.print(f"`maxcode report {result.run} -o report.html` shows all of it on one page.", soft_wrap=True)
