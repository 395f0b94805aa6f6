"""`maxcode bench kernelbench`: PyTorch models to be made faster."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from maxcode.cli.bench import Abreast, Config, Critic, Form, FormOption, Json, Methods, Only, Policy, Seeds, Shown
from maxcode.cli.console import reporting_errors, working
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption
from maxcode.cli.suites import MaybeEvals, OnlyLoad, Sha256, list_tasks, report_loading, run_suite, say, searches
from maxcode.evaluate.engine import Engine


class Rule(StrEnum):
    ANYTHING_FASTER = "anything-faster"
    CUSTOM_KERNEL_REQUIRED = "custom-kernel-required"


class Precision(StrEnum):
    STRICT = "strict"
    KERNELBENCH = "kernelbench"


def kernelbench(
    path: Annotated[
        Path | None,
        typer.Option(
            help="A checkout, one of its level folders, a problem file, or rows (.jsonl, .parquet).",
            show_default="the data set ScalingIntelligence/KernelBench",
        ),
    ] = None,
    level: Annotated[int | None, typer.Option(min=1, help="Only this level.", show_default="all")] = None,
    problems: Annotated[str | None, typer.Option(help="Only these numbers, such as 1-20 or 1-5,33.")] = None,
    scale: Annotated[
        float | None,
        typer.Option(
            min=1e-9,
            help="Make inputs have so many times as many elements.",
            show_default="1 on CUDA, about a million elements on a CPU",
        ),
    ] = None,
    rule: Annotated[
        Rule, typer.Option(help="Whether candidates must do the work with kernels of their own.")
    ] = Rule.ANYTHING_FASTER,
    precision: Annotated[
        Precision, typer.Option(help="kernelbench: its tolerances; strict: no less exact than the original, too.")
    ] = Precision.STRICT,
    vary_shapes: Annotated[
        bool, typer.Option("--vary-shapes", help="Candidates must be right at other batch sizes and lengths too.")
    ] = False,
    sha256: Sha256 = None,
    only_load: OnlyLoad = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: MaybeEvals = None,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """PyTorch models in KernelBench's format."""
    from maxcode.bench.sources.kernelbench import read_kernelbench
    from maxcode.bench.sources.kernelbench_tasks import Making, load_kernelbench
    from maxcode.kinds.torch.tryout import Tryouts

    with reporting_errors():
        found = read_kernelbench(path, level, problems)
        making = Making(scale=scale, rule=rule.value, precision=precision.value, vary_shapes=vary_shapes)
        with working("loading ...") as tell, Tryouts() as tryouts:
            if scale is None and tryouts.device == "cpu":
                say("No GPU: inputs are brought to about a million elements; --scale 1 leaves them as they are.")
            suite = load_kernelbench(
                found, making, tryouts, lambda done, total: tell(f"loading: {done} of {total} problems")
            )
        report_loading(suite, {}, sha256)
        if only_load:
            list_tasks(suite, tasks, json)
            return
        name = f"kernelbench-{level}" if level is not None else "kernelbench"
        run_suite(
            name,
            suite,
            searches(method, policy, critic, seeds, evals, tasks),
            Shown(abreast, config, form, json, Engine(name=engine, address=address)),
        )
