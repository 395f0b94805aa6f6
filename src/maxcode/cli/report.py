"""`maxcode report`: a page or a summary of a run, or runs side by side."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.arguments import Json
from maxcode.cli.console import out, print_json, reporting_errors, working
from maxcode.core import InputError

if TYPE_CHECKING:
    from maxcode.store.journal import Store


class ReportFormat(StrEnum):
    HTML = "html"
    MARKDOWN = "markdown"


Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN...",
        help="Id of a run, the beginning of one, or `last`; several with --compare.",
        show_default=False,
        autocompletion=completion.runs,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="File to write; RUN.html when absent. Markdown is printed.", show_default=False),
]


def report(
    runs: Runs,
    output: Output = None,
    form: Annotated[
        ReportFormat, typer.Option("--format", help="A page, or a summary for a pull request.")
    ] = ReportFormat.HTML,
    compare: Annotated[bool, typer.Option("--compare", help="Several runs side by side.")] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="First profile the finalist, and this machine where a task states flops.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a run as one page that needs nothing else, or as a summary for a pull request."""
    from maxcode.store.journal import Store

    with reporting_errors():
        if len(runs) > 1 and not compare:
            raise InputError(f"report: {len(runs)} runs given. Use --compare to see them side by side, or give one.")
        with Store() as store:
            ids = [store.info(each).id for each in runs]
            if profile:
                _profile(store, ids)
            text = _compared(store, ids, form) if compare else _reported(store, ids[0], form)
        _deliver(text, ids, form, output, "compare" if compare else ids[0], json)


def _profile(store: Store, ids: list[str]) -> None:
    from maxcode.cli.stopping import run_until_interrupted
    from maxcode.report.data import checked_run
    from maxcode.report.profiling import profile_finalist

    for each in ids:
        with working("profiling the finalist ..."):
            run_until_interrupted(profile_finalist(store, checked_run(store, each)))


def _deliver(text: str, ids: list[str], form: ReportFormat, output: Path | None, name: str, as_json: bool) -> None:
    text = text.encode(errors="backslashreplace").decode()  # programs may hold halves of characters
    if form is ReportFormat.MARKDOWN and output is None and not as_json:
        out.print(text, markup=False, soft_wrap=True)
        return
    path = output or Path(f"{name}.{'md' if form is ReportFormat.MARKDOWN else 'html'}")
    _write(path, text)
    if as_json:
        print_json({"runs": ids, "file": str(path), "bytes": path.stat().st_size})
        return
    then = "; open it in a browser." if form is ReportFormat.HTML else "."
    out.print(f"Written to {path}{then}", markup=False, soft_wrap=True)


def _reported(store: Store, run_id: str, form: ReportFormat) -> str:
    from maxcode.report.data import checked_run, report_data
    from maxcode.report.html import RUN_SCRIPTS, page
    from maxcode.report.markdown import report_markdown

    if form is ReportFormat.MARKDOWN:
        return report_markdown(checked_run(store, run_id))
    data = report_data(store, run_id)
    summary = {"task": data["task"], **data["verdict"]}
    return page(f"{data['task']}: run {run_id}", "report.html", RUN_SCRIPTS, data, summary)


def _compared(store: Store, ids: list[str], form: ReportFormat) -> str:
    from maxcode.bench.tables import markdown
    from maxcode.report.compare import compare_data, compare_tables
    from maxcode.report.data import checked_run
    from maxcode.report.html import COMPARE_SCRIPTS, page

    runs = [checked_run(store, each) for each in ids]
    if form is ReportFormat.MARKDOWN:
        return "\n".join(map(markdown, compare_tables(runs)))
    data = compare_data(runs)
    return page(f"{len(runs)} runs side by side", "compare.html", COMPARE_SCRIPTS, data, {"runs": ids})


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}). Give another place with -o.") from None
