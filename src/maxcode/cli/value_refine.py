"""`maxcode value refine`: a model changes which states a search meets, so it is trained again on those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli.arguments import DataFile
from maxcode.cli.console import err, reporting_errors
from maxcode.cli.options import Instead
from maxcode.cli.searches import RunningOptions, SearchOptions, new_bench, run_bench
from maxcode.cli.tables import TableOptions, print_tables
from maxcode.cli.value_data import DivisionOptions, divided, rows_of_runs
from maxcode.cli.value_train import EVERY, Base
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.bench.tables import Table
    from maxcode.value.data import StateRow
    from maxcode.value.model import Models

REFINED = ["rollouts+critique+value"]
METHOD = CommandOption(help="Strategies with +value to collect with.", default=REFINED[0])
EVALS = CommandOption(least=1)
DEFAULTS = SearchOptions(evals=48)


def refine(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    data: DataFile,
    output: Annotated[Path, typer.Option("-o", "--out", help="Folder for data and models.", show_default=False)],
    model: Annotated[str, typer.Option(help="What to begin with: light, a model's file or folder.")] = "light",
    base: Base = None,
    max_rows: Annotated[
        int | None, typer.Option(help="At most so many states, and so many proposals.", show_default="all")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How many times: collect, merge, train, compare.")] = 1,
    *,
    searches: Annotated[SearchOptions, Instead(method=METHOD, evals=EVALS)] = DEFAULTS,
    division: DivisionOptions,
    seed: Annotated[int, typer.Option(min=0, help="Of the training.")] = 0,
    running: RunningOptions,
    tables: TableOptions,
) -> None:
    """Search with a value model, add what its searches met to the data, train again, compare the report cards.

    The same command goes on after an interruption; what is done is not done again.
    """
    with reporting_errors():
        searches = replace(searches, method=searches.method or REFINED)
        how = {"training": _training(model, base, max_rows, seed), "seed": seed}
        refining = Refining(folder, data, output, searches, running, how, division, quiet=tables.json)
        refining.agree(model)
        for number in range(1, rounds + 1):
            cards, model = refining.round(number, model)
            print_tables(cards, tables)
            if not tables.json:
                err.print(f"round {number}: {model} is the new model", markup=False, soft_wrap=True)


def _training(model: str, base: str | None, max_rows: int | None, seed: int) -> dict[str, Any] | None:
    """A language model is trained again as it was, unless another base is given; None for a light one."""
    import json

    from maxcode.train.value.settings import Training, training_for

    file = Path(model) / "model.json" if Path(model).is_dir() else Path(model)
    content = json.loads(file.read_text()) if file.is_file() else {}
    if base is None and content.get("kind") != "generative":
        return None
    if base is not None or content.get("training") is None:
        return training_for(base or str(content["base"]), max_rows=max_rows, seed=seed).model_dump()
    changes = {"seed": seed, **({"max_rows": max_rows} if max_rows is not None else {})}
    return Training.model_validate(content["training"] | changes).model_dump()


@dataclass(frozen=True)
class Refining:
    """Everything but the model of the moment. A round is a folder, and each of its steps a file in it."""

    tasks: Path
    data: Path
    output: Path
    searches: SearchOptions
    running: RunningOptions
    how: dict[str, Any]
    """The training of a language model, or None for a light one, and the seed."""
    division: DivisionOptions
    quiet: bool

    def agree(self, model: str) -> None:
        """InputError where the folder has a refinement with other settings, or where there could be no comparison."""
        import json

        from maxcode.core import InputError

        self.output.mkdir(parents=True, exist_ok=True)
        division = self.division
        settings = {
            "tasks": str(self.tasks.resolve()),
            "data": str(self.data.resolve()),
            "model": model,
            "searches": self._searches(),
            "training": self.how,
            "division": {"cuts": division.cuts, "held_out": division.held_out, "by": division.split},
        }
        file = self.output / "refine.json"
        if file.is_file() and json.loads(file.read_text()) != settings:
            raise InputError(f"{file}: this folder has a refinement with other settings; give another one.")
        if not self._fresh(self._models(model)):
            raise InputError(
                f"--model {model}: was trained on all tasks of {self.tasks} that would be held out, so nothing could "
                "be compared; give a model that was trained on the same division (--held-out, --split)."
            )
        file.write_text(json.dumps(settings, indent=1) + "\n")

    def _searches(self) -> dict[str, Any]:
        names = {"method": "methods", "tasks": "only"}  # as folders of earlier versions have them
        return {names.get(name, name): value for name, value in vars(self.searches).items()}

    def round(self, number: int, model: str) -> tuple[list[Table], str]:
        """The report cards of the model before and after, and the name of the new one."""
        from maxcode.bench.card.card import card, graded

        place = self.output / f"round-{number}"
        place.mkdir(exist_ok=True)
        run = self._collected(place / "collect.run", model)
        rows = self._merged(place / "data.jsonl", run, number)
        after = self._trained(place, rows)
        compared = {"before": self._models(model), "after": self._models(after)}
        return card(graded(rows, compared)), after

    def _models(self, name: str) -> Models:
        from maxcode.config import load_config
        from maxcode.value.model import load_models

        return load_models(name, load_config(self.running.config))

    def _fresh(self, models: Models) -> list[str]:
        """Tasks to compare models on: held out, and not known to the one that there is."""
        from maxcode.bench.plan import example_tasks
        from maxcode.task import load_task
        from maxcode.value.data import family_of, split_of

        only = [name.strip() for name in (self.searches.tasks or "").split(",") if name.strip()]
        folders = [each for each in example_tasks(self.tasks) if not only or Path(each).name in only]
        tasks = [load_task(each) for each in folders]
        fresh = [task for task in tasks if not {task.name, task.baseline_candidate.id} & models.trained_on]
        by_family = self.division.split == "family"
        origins = {task.name: family_of(task.name) if by_family else task.baseline_candidate.id for task in fresh}
        return [name for name, each in origins.items() if split_of(each, self.division.held_out) == "held-out"]

    def _collected(self, note: Path, model: str) -> str:
        """The run of the searches with this model; begun, gone on with, or done before."""
        from maxcode.bench.plan import example_tasks
        from maxcode.bench.runner import reopen
        from maxcode.config import load_config
        from maxcode.store.journal import Store

        if note.is_file():
            with Store() as store:
                bench = reopen(note.read_text().strip(), store, load_config(self.running.config))
                run_bench(bench, self.running)
            return bench.journal.run
        served = model if model == "light" or model.startswith("openai:") else str(Path(model).resolve())
        named = [each if ",value=" in each else f"{each},value={served}" for each in self.searches.method or []]
        searches = replace(self.searches, method=named)
        with new_bench("collect", example_tasks(self.tasks), searches, self.running.config, confirm=False) as bench:
            note.write_text(bench.journal.run + "\n")
            run_bench(bench, self.running)
        return bench.journal.run

    def _merged(self, file: Path, run: str, number: int) -> list[StateRow]:
        """Merges the values known before with those that these searches met."""
        from maxcode.store.journal import Store
        from maxcode.value.data import with_repeats_marked
        from maxcode.value.files import read_rows, write_rows

        if file.is_file():
            return read_rows(file)
        before = self.data if number == 1 else self.output / f"round-{number - 1}" / "data.jsonl"
        with Store() as store:
            found = with_repeats_marked([*read_rows(before), *rows_of_runs(store, [run], text=True)])
        rows = divided(found, self.division)
        partial = file.with_suffix(".partial")
        write_rows(rows, partial)
        partial.replace(file)
        return rows

    def _trained(self, place: Path, rows: list[StateRow]) -> str:
        """The new model; a light one is made in seconds, a training of a language model goes on where it was."""
        from maxcode.cli.value_train import train_generative_folder, train_light_file

        if self.how["training"] is None:
            train_light_file(rows, place / "model.json", self.how["seed"])
            return str(place / "model.json")
        from maxcode.train.value.settings import Training

        training = Training.model_validate(self.how["training"])
        train_generative_folder(rows, training, place / "model", EVERY, self.quiet)
        return str(place / "model")
