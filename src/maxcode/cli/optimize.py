"""`maxcode optimize`, `resume` and `replay`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import typer
from rich.live import Live
from rich.markup import escape
from rich.prompt import Confirm
from rich.text import Text

from maxcode.authoring.new import check_inputs, scaffold_for, slug
from maxcode.cli.console import INTERRUPTED, err, out, print_json, told_regularly, working
from maxcode.cli.engine import pool_of
from maxcode.cli.stopping import run_until_interrupted
from maxcode.config import Config, load_config
from maxcode.core import InputError, content_hash
from maxcode.evaluate.engine import Engine
from maxcode.optimize.recorded import finished, settings_and_task
from maxcode.optimize.run import (
    Chosen,
    Result,
    SearchSettings,
    Watch,
    choose,
    compiled_in_words,
    optimize,
    sanitizers_in_words,
    usual_ahead,
    write_results,
)
from maxcode.policy.choose import programs_recorded, settled
from maxcode.policy.providers import require_key, require_prices, settings_of
from maxcode.policy.recording import export_recording, recording_of_run
from maxcode.search.budget import Budget, Spent
from maxcode.search.mdp import reward
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Judged
from maxcode.search.rewards import looks_faster
from maxcode.search.tree import Tree
from maxcode.store.journal import OPENED, Journal, Store
from maxcode.system.home import home
from maxcode.system.processes import session, this_process
from maxcode.task import Task, load_task
from maxcode.task.kind import NewOptions


def run(
    target: Path,
    settings: SearchSettings,
    inputs: list[Path],
    *,
    ahead: int | None,
    generator: str | None,
    tests: Path | None,
    python: Path | None,
    command: str | None,
    config_file: Path | None,
    output: Path | None,
    minimize: bool | None,
    engine: Engine,
    as_json: bool,
) -> None:
    config = load_config(config_file)
    policy, prompts = settled(settings.policy), Prompts(config.prompts).version
    settings = settings.model_copy(update={"policy": policy, "prompts": prompts})
    settings = settings.model_copy(update={"ahead": usual_ahead(settings) if ahead is None else ahead})
    chosen = _chosen(settings, config)
    for name in chosen.paid:  # an error here keeps the run out of the journal; a resumed run may need no model any more
        require_key(name, settings_of(name, config))
    task = _task(target, NewOptions(tuple(inputs), generator=generator, tests=tests, python=python, command=command))
    settings = settings.model_copy(update={"task": str(task.folder), "budget": _within_recording(settings)})
    with Store() as store:
        journal = store.start(task.name, settings.model_dump(mode="json"))
        result = _in_session(task, settings, chosen, config, engine, journal, output, as_json)
    _offer_to_minimize(result, minimize, output, as_json)


def _offer_to_minimize(result: Result, wanted: bool | None, output: Path | None, as_json: bool) -> None:
    """Asks only where somebody is there to answer."""
    from maxcode.cli import minimize

    if wanted is None and result.improved and not as_json and sys.stdout.isatty() and sys.stdin.isatty():
        wanted = Confirm.ask("Reduce the diff now to what the speedup needs? It takes minutes", default=False)
    if wanted and result.improved:
        minimize.run(result.run, evals=minimize.EVALS, output=output, as_json=as_json)


def _chosen(settings: SearchSettings, config: Config) -> Chosen:
    """Parts that the settings name. InputError for what cannot work, and for a limit in USD that nothing can reach."""
    chosen = choose(settings, config)
    if settings.budget.usd is not None:
        require_prices(chosen.paid, config)
    return chosen


def _within_recording(settings: SearchSettings) -> Budget:
    """A replay ends where its recording ends."""
    recorded = programs_recorded(settings.policy)
    evals = [each for each in (recorded, settings.budget.evals) if each is not None]
    return settings.budget.model_copy(update={"evals": min(evals, default=None)})


def resume(run_id: str, *, config_file: Path | None, output: Path | None, engine: Engine | None, as_json: bool) -> None:
    with Store() as store:
        settings, task = settings_and_task(store, run_id)
        config = load_config(config_file)
        chosen = _chosen(settings, config)
        journal = store.open(run_id)
        result = _in_session(task, settings, chosen, config, engine or engine_of(journal), journal, output, as_json)
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
        settings, task = settings_and_task(store, run_id)
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
        journal.learn(recorded, ("critic",) if fresh else ("critic", *MEASURED, *(ORDER if settings.ahead else ())))
        _in_session(task, settings, chosen, config, engine, journal, output, as_json)


MEASURED = ("evaluate", "race", "profile", "value", "screen", "confirm", "claim")
"""What other outcomes would change."""
ORDER = ("verify", "clock")
"""What a search that asks ahead knew at each selection."""


def export(run_id: str, file: Path, *, as_json: bool) -> None:
    recording = recording_of_run(run_id)
    export_recording(recording, file)
    if as_json:
        print_json({"task": recording.task, "answers": len(recording.answers), "file": str(file)})
        return
    words = f"{len(recording.answers)} answers; `maxcode optimize TASK --policy replay:{file}` gives them again."
    out.print(escape(words), soft_wrap=True)


def _task(target: Path, wanted: NewOptions) -> Task:
    """The task in a folder, or one made from a bare program or a function."""
    if target.is_dir() or target.name == "task.toml":
        _refuse_options(wanted)
        return load_task(target)
    check_inputs(list(wanted.inputs))  # also where a task was made of the program before
    scaffold = scaffold_for(target)
    if scaffold.from_file and not target.is_file():
        raise InputError(f"{target}: no such task or program.")
    name = slug(target.stem if scaffold.from_file else target.name)
    folder = home() / "tasks" / f"{name}-{content_hash(*scaffold.depends(target, wanted))[:12]}"
    if not (folder / "task.toml").exists():
        with working(scaffold.doing):
            made = scaffold.make(folder, target, replace(wanted, name=name))
        for words in made.remarks:  # before a search begins
            err.print(escape(words), soft_wrap=True)
    return load_task(folder)


def _refuse_options(wanted: NewOptions) -> None:
    """InputError for options that only make sense where a task is made."""
    given = {
        "--input": wanted.inputs,
        "--generator": wanted.generator,
        "--tests": wanted.tests,
        "--python": wanted.python,
        "--inputs": wanted.command,
    }
    for option, value in given.items():
        if value:
            raise InputError(f"{option}: only for a bare program or a function; a task has its own calls and tests.")


def _in_session(
    task: Task,
    settings: SearchSettings,
    chosen: Chosen,
    config: Config,
    engine: Engine,
    journal: Journal,
    output: Path | None,
    as_json: bool,
) -> Result:
    with journal.session(session(this_process(), engine=engine.model_dump(mode="json"))):
        folder = _folder(journal, output)
        result = _with_display(task, settings, chosen, config, engine, journal)
    written = write_results(folder, task, result)
    if as_json:
        print_json({**result.summary(), "best": str(written[0])})
    else:
        _show(task, result, written)
    return result


def _with_display(
    task: Task, settings: SearchSettings, chosen: Chosen, config: Config, engine: Engine, journal: Journal
) -> Result:
    """Runs the search with a display, until it is done or interrupted."""
    watch = Watch([], show=_show_verdict)
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
    """Folder of the results: the one asked for now, else the one asked for last."""
    if asked is None and (noted := [event.payload["folder"] for event in journal.store.read(journal.run, "output")]):
        return Path(noted[-1])
    folder = asked or Path(f"maxcode-{journal.run}")
    journal.note("output", {"folder": str(folder.absolute())})
    return folder


async def _optimize(
    task: Task, settings: SearchSettings, chosen: Chosen, config: Config, engine: Engine, journal: Journal, watch: Watch
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
        words = progress_in_words(tree, self._by_now(spent), self._budget, self._watch.verdicts)
        return Text(f"{self._task.name}: {words}" + (f" · {doing} ..." if doing else ""))

    def _by_now(self, spent: Spent) -> Spent:
        """Spending is told once a round; time goes on, and verdicts fall."""
        seconds = spent.seconds + time.monotonic() - self._watch.told[0]
        return spent.model_copy(update={"seconds": seconds, "evals": max(spent.evals, len(self._watch.verdicts))})


LOG_EVERY = 10.0
"""Seconds between two lines on the state of a search in a log; verdicts are told when they fall."""
DOING = {
    "policy": "asking for programs",
    "evaluate": "judging {}",
    "race": "measuring {} close ones further",
    "verify": "testing the baseline",
    "profile": "profiling {}",
    "critic": "criticising {}",
    "screen": "screening proposals",
    "value": "valuing states",
    "confirm": "measuring a finalist afresh",
    "claim": "measuring the winner once more",
}


def _show_verdict(judged: Judged) -> None:
    if not judged.recorded:
        err.print(Text(verdict_in_words(judged)), soft_wrap=True)


def verdict_in_words(judged: Judged) -> str:
    """One line on a program that was just judged. Programs are counted from 1."""
    outcome, origin = judged.outcome, judged.candidate.origin if judged.candidate else None
    if outcome is None:
        became = "left out by screening"
    elif outcome.measurement is not None:
        m = outcome.measurement
        became = f"{m.verdict.value}, {m.speedup:.3g}x ({m.ci_low:.3g} to {m.ci_high:.3g})"
    else:
        reason = (outcome.reason or "").strip().splitlines()[:1]
        became = ": ".join([outcome.status.value.replace("_", " "), *reason])[:160]
    return f"program {judged.program + 1}: {became}" + (f" · {origin[:80]}" if origin else "")


def under_way_in_words(counts: Counter[str]) -> str:
    return ", ".join(words.format(counts[kind]) for kind, words in DOING.items() if counts[kind])


def progress_in_words(tree: Tree, spent: Spent, budget: Budget, verdicts: Sequence[Judged] = ()) -> str:
    found = [tree.best.outcome] if looks_faster(tree.best) else []
    found += [each.outcome for each in verdicts if each.outcome is not None and reward(each.outcome) > tree.best.reward]
    m = max(found, key=reward).measurement if found else None
    best = f"best about {m.speedup:.3g}x ({m.ci_low:.3g} to {m.ci_high:.3g})" if m else "nothing faster yet"
    total = spent.total
    parts = [best, f"depth {max(node.depth for node in tree)}"]
    parts.append(f"{spent.evals}{f'/{budget.evals}' if budget.evals else ''} programs{raced_in_words(spent)}")
    if total.tokens:
        parts.append(f"{total.tokens} tokens")
    if total.usd is not None:
        parts.append(f"{total.usd:.3f}{f'/{budget.usd:g}' if budget.usd else ''} USD")
    left = _time_left(spent, budget)
    after = f", then {budget.confirm_seconds:.0f} s at most to confirm" if m and budget.confirm_seconds else ""
    parts.append(f"{spent.seconds:.0f} s" + (f", about {left:.0f} s left{after}" if left else ""))
    return " · ".join(parts)


def raced_in_words(spent: Spent) -> str:
    """Words on what races took; empty where there were none."""
    return f" and {spent.race_pairs} pairs in races (as {spent.raced_evals} programs)" if spent.race_pairs else ""


def _time_left(spent: Spent, budget: Budget) -> float | None:
    by_clock = budget.seconds - spent.seconds if budget.seconds is not None else None
    by_count = spent.room(budget) * spent.seconds / spent.evals if budget.evals and spent.evals else None
    left = [each for each in (by_clock, by_count) if each is not None]
    return max(min(left), 0.0) if left else None


@contextmanager
def _display(progress: _Progress) -> Iterator[None]:
    if not err.is_terminal:
        with told_regularly(lambda: str(progress.__rich__()), LOG_EVERY):
            yield
        return
    with Live(progress, console=err, refresh_per_second=4, transient=True):
        yield


def spent_in_words(result: Result) -> str:
    spent, total = result.spent, result.spent.total
    parts = [f"{spent.evals} programs{raced_in_words(spent)}", f"{spent.seconds:.0f} s of search"]
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
