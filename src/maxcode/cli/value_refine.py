"""`maxcode value refine`: a model changes which states a search meets, so it is trained again on those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli.bench import Abreast, Config, Critic, Form, FormOption, Json, Only, Policy, Seeds, Shown, Wanted
from maxcode.cli.console import err, reporting_errors
from maxcode.cli.value_data import By, Cuts, CutsOption, HeldOut, Split
from maxcode.cli.value_tables import print_tables
from maxcode.cli.value_train import EVERY, Base, DataFile, MaxRows

if TYPE_CHECKING:
    from maxcode.bench.tables import Table
    from maxcode.value.data import Row
    from maxcode.value.model import Models

REFINED = ["rollouts+critique+value"]


def refine(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    data: DataFile,
    output: Annotated[Path, typer.Option("-o", "--out", help="Folder for data and models.", show_default=False)],
    model: Annotated[str, typer.Option(help="What to begin with: light, a model's file or folder.")] = "light",
    base: Base = None,
    max_rows: MaxRows = None,
    rounds: Annotated[int, typer.Option(min=1, help="How many times: collect, merge, train, compare.")] = 1,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", help="Strategies with +value to collect with.", show_default=REFINED[0]),
    ] = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: Annotated[int, typer.Option(min=1, help="Programs per search.")] = 48,
    tasks: Only = None,
    cuts: CutsOption = Cuts.QUARTILES,
    held_out: HeldOut = 0.2,
    split: Split = By.TASK,
    seed: Annotated[int, typer.Option(min=0, help="Of the training.")] = 0,
    abreast: Abreast = None,
    config: Config = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Search with a value model, add what its searches met to the data, train again, compare the report cards.

    The same command goes on after an interruption; what is done is not done again.
    """
    with reporting_errors():
        wanted = Wanted(method or REFINED, policy, critic, seeds, evals, tasks)
        shown = Shown(abreast, config, form, json)
        how = {"training": _training(model, base, max_rows, seed), "seed": seed}
        division = {"cuts": cuts.value, "held_out": held_out, "by": split.value}
        refining = Refining(folder, data, output, wanted, shown, how, division)
        refining.agree(model)
        for number in range(1, rounds + 1):
            tables, model = refining.round(number, model)
            print_tables(tables, form, json)
            if not json:
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
    wanted: Wanted
    shown: Shown
    how: dict[str, Any]
    """The training of a language model, or None for a light one, and the seed."""
    division: dict[str, Any]
    """Into classes, and into what is trained on and what is held out."""

    def agree(self, model: str) -> None:
        """InputError where the folder has a refinement with other settings, or where there could be no comparison."""
        import json

        from maxcode.core import InputError

        self.output.mkdir(parents=True, exist_ok=True)
        settings = {
            "tasks": str(self.tasks.resolve()),
            "data": str(self.data.resolve()),
            "model": model,
            "searches": vars(self.wanted),
            "training": self.how,
            "division": self.division,
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

    def round(self, number: int, model: str) -> tuple[list[Table], str]:
        """The report cards of the model before and after, and the name of the new one."""
        from maxcode.bench.card import card, graded

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

        return load_models(name, load_config(self.shown.config))

    def _fresh(self, models: Models) -> list[str]:
        """Tasks to compare models on: held out, and not known to the one that there is."""
        from maxcode.bench.plan import example_tasks
        from maxcode.task import load_task
        from maxcode.value.data import family_of, split_of

        only = [name.strip() for name in (self.wanted.only or "").split(",") if name.strip()]
        folders = [each for each in example_tasks(self.tasks) if not only or Path(each).name in only]
        tasks = [load_task(each) for each in folders]
        fresh = [task for task in tasks if not {task.name, task.baseline_candidate.id} & models.trained_on]
        by_family = self.division["by"] == "family"
        origins = {task.name: family_of(task.name) if by_family else task.baseline_candidate.id for task in fresh}
        return [name for name, each in origins.items() if split_of(each, self.division["held_out"]) == "held-out"]

    def _collected(self, note: Path, model: str) -> str:
        """The run of the searches with this model; begun, gone on with, or done before."""
        from maxcode.bench.plan import example_tasks
        from maxcode.bench.runner import reopen
        from maxcode.cli.bench import driven, new_bench
        from maxcode.config import load_config
        from maxcode.store.journal import Store

        if note.is_file():
            with Store() as store:
                bench = reopen(note.read_text().strip(), store, load_config(self.shown.config))
                driven(bench, self.shown)
            return bench.journal.run
        served = model if model == "light" or model.startswith("openai:") else str(Path(model).resolve())
        named = [each if ",value=" in each else f"{each},value={served}" for each in self.wanted.methods]
        wanted = replace(self.wanted, methods=named)
        with new_bench("collect", example_tasks(self.tasks), wanted, self.shown, confirm=False) as bench:
            note.write_text(bench.journal.run + "\n")
            driven(bench, self.shown)
        return bench.journal.run

    def _merged(self, file: Path, run: str, number: int) -> list[Row]:
        """What was known before, and what these searches met."""
        from maxcode.cli.value_data import rows_of_runs
        from maxcode.store.journal import Store
        from maxcode.value.data import CUTS, labelled, with_repeats_marked
        from maxcode.value.files import read_rows, write_rows

        if file.is_file():
            return read_rows(file)
        before = self.data if number == 1 else self.output / f"round-{number - 1}" / "data.jsonl"
        with Store() as store:
            found = with_repeats_marked([*read_rows(before), *rows_of_runs(store, [run], text=True)])
        cuts, by = CUTS.get(self.division["cuts"]), self.division["by"]
        rows = labelled(found, cuts=cuts, held_out=self.division["held_out"], by=by)
        partial = file.with_suffix(".partial")
        write_rows(rows, partial)
        partial.replace(file)
        return rows

    def _trained(self, place: Path, rows: list[Row]) -> str:
        """The new model; a light one is made in seconds, a training of a language model goes on where it was."""
        from maxcode.cli.value_train import train_generative_folder, train_light_file

        if self.how["training"] is None:
            train_light_file(rows, place / "model.json", self.how["seed"])
            return str(place / "model.json")
        from maxcode.train.value.settings import Training

        training = Training.model_validate(self.how["training"])
        train_generative_folder(rows, training, place / "model", EVERY, self.shown.as_json)
        return str(place / "model")
