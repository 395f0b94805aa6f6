"""KernelBench's problems: found in every form they come in, brought to a size, or left out with a reason."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.kernelbench.problems import Found, KernelProblem, read_kernelbench
from maxcode.bench.suites.kernelbench.tasks import Making, make_kernelbench
from maxcode.bench.suites.making.problem import Unread
from maxcode.cli.main import app
from maxcode.core import InputError
from maxcode.kinds.torch.problem.problem import elements
from maxcode.kinds.torch.problem.tryout import Tryouts
from maxcode.kinds.torch.table import Torch
from maxcode.task import load_task

CHECKOUT = Path(__file__).parent / "data/kernelbench"
LEVEL_1 = CHECKOUT / "KernelBench/level1"


def names(found: list[Found]) -> list[str]:
    return [each.name for each in found if isinstance(each, KernelProblem)]


def rows() -> list[dict[str, object]]:
    return [
        {"code": file.read_text(), "level": 1, "name": file.stem, "problem_id": int(file.stem.split("_")[0])}
        for file in sorted(LEVEL_1.glob("*.py"))
    ]


def written(folder: Path, *given: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(each if isinstance(each, str) else json.dumps(each) + "\n" for each in given))
    return path


@pytest.mark.parametrize("path", [CHECKOUT, CHECKOUT / "KernelBench"])
def test_a_checkout_is_read_level_by_level_in_order_of_number(path: Path) -> None:
    assert names(read_kernelbench(path)) == [
        "level1-1_Hard_tanh",
        "level1-2_Matmul_with_transposed_left",
        "level1-3_Row_centering",
        "level1-10_Wrong_sizes",
        "level2-1_Conv2d_Scale_GroupNorm",
        "level2-2_Gemm_Max_Subtract",
        "level3-1_Small_MLP",
    ]


def test_a_level_is_chosen_by_number_or_by_its_folder() -> None:
    assert names(read_kernelbench(CHECKOUT, level=3)) == ["level3-1_Small_MLP"]
    assert read_kernelbench(LEVEL_1) == read_kernelbench(CHECKOUT, level=1)


def test_one_file_is_a_problem() -> None:
    (found,) = read_kernelbench(LEVEL_1 / "1_Hard_tanh.py")
    assert isinstance(found, KernelProblem)
    assert (found.name, found.number) == ("1_Hard_tanh", 1)


def test_problems_are_chosen_by_number() -> None:
    assert names(read_kernelbench(CHECKOUT, 1, "2-3,10")) == [
        "level1-2_Matmul_with_transposed_left",
        "level1-3_Row_centering",
        "level1-10_Wrong_sizes",
    ]


def test_a_file_that_is_no_python_is_left_out_with_its_line() -> None:
    (broken,) = read_kernelbench(CHECKOUT, 1, "4")
    assert isinstance(broken, Unread)
    assert broken.where == "level 1: 4_Broken.py"
    assert "line 5: expected ':'" in broken.reason


def test_rows_of_the_data_set_give_the_same_problems(tmp_path: Path) -> None:
    found = read_kernelbench(written(tmp_path, *rows()), problems="1-3")
    assert {each.name: each.text for each in found if isinstance(each, KernelProblem)} == {
        each.name: each.text for each in read_kernelbench(CHECKOUT, 1, "1-3") if isinstance(each, KernelProblem)
    }


def test_rows_are_found_in_a_folder_and_chosen_by_level(tmp_path: Path) -> None:
    written(tmp_path, *rows(), {**rows()[0], "level": 2})
    assert len(read_kernelbench(tmp_path, level=2)) == 1


def test_parquet_files_of_the_data_set_are_read(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="parquet files are read with pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="parquet files are read with pyarrow")
    parquet.write_table(pyarrow.Table.from_pylist(rows()), tmp_path / "level_1-00000-of-00001.parquet")
    assert names(read_kernelbench(tmp_path, 1, "1-3")) == names(read_kernelbench(CHECKOUT, 1, "1-3"))


def test_a_broken_row_is_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    good = next(row for row in rows() if row["problem_id"] == 1)
    found = read_kernelbench(written(tmp_path, "{oops\n", {"code": 3}, good))
    assert [each.reason for each in found if isinstance(each, Unread)] == [
        "not valid JSON",
        "'code' is missing or of another type",
    ]
    assert names(found) == ["level1-1_Hard_tanh"]


@pytest.mark.parametrize(
    ("path", "level", "problems", "message"),
    [
        (Path("/nowhere"), None, None, "no such file or folder. To get the problems, clone"),
        (CHECKOUT, 4, None, "has levels 1, 2, 3"),
        (CHECKOUT, 1, "5-9", "there is no problem 5-9; they go from 1 to 10"),
        (CHECKOUT, 1, "5-1", "5-1 ends before it begins; use 1-5"),
        (CHECKOUT, 1, "few", "'few' is no number or range"),
        (Path(__file__).parent / "data/pie_sample/merged_test_cases", None, None, "has no levelN folders"),
    ],
)
def test_what_is_not_there_is_said(path: Path, level: int | None, problems: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_kernelbench(path, level, problems)


def listed(*words: str) -> tuple[list[dict[str, object]], str]:
    done = CliRunner().invoke(
        app, ["bench", "kernelbench", "--path", str(CHECKOUT), "--only-load", "--json", *words], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()], " ".join(done.stderr.split())


@pytest.mark.long
def test_problems_become_tasks_and_what_does_not_run_is_told() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    made, said = listed()
    folders = [str(each["folder"]) for each in made if each["folder"]]
    assert [load_task(folder).name for folder in folders] == [
        "level1-1_Hard_tanh",
        "level1-2_Matmul_with_transposed_left",
        "level1-3_Row_centering",
        "level2-1_Conv2d_Scale_GroupNorm",
        "level3-1_Small_MLP",
    ]
    assert "level 1: 10_Wrong_sizes.py: left out: does not run: RuntimeError: mat1 and mat2" in said
    assert "level 2: 2_Gemm_Max_Subtract.py: left out: gives the same for all inputs" in said
    assert "5 of 8 loaded" in said


@pytest.mark.long
def test_without_a_gpu_inputs_have_about_a_million_elements() -> None:
    torch = pytest.importorskip("torch", reason="trying problems out needs torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    made, said = listed("--level", "1", "--problems", "1-3")
    assert "No GPU: inputs are brought to about a million elements" in said
    sizes = [elements(Path(str(each["folder"]), "model.py").read_text()) for each in made]
    assert all(1 << 18 <= size <= 1 << 21 for size in sizes)


@pytest.mark.long
def test_a_scale_is_kept_and_the_model_stays_as_it_is() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    (made,), said = listed("--level", "2", "--problems", "1", "--scale", "0.001")
    text = Path(str(made["folder"]), "model.py").read_text()
    original = (CHECKOUT / "KernelBench/level2/1_Conv2d_Scale_GroupNorm.py").read_text()
    assert 0.0007 <= elements(text) / elements(original) <= 0.0015
    assert "in_channels = 8\nout_channels = 32\n" in text
    assert "(was 128)" in said


def test_further_shapes_and_the_rules_are_in_the_task() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    options = ("--vary-shapes", "--rule", "custom-kernel-required", "--precision", "kernelbench", "--scale", "0.001")
    (made,), _ = listed("--level", "1", "--problems", "3", *options)
    table = load_task(str(made["folder"])).table(Torch)
    assert table.shapes == ({"batch_size": 1}, {"batch_size": 3})
    assert (table.rule, table.precision) == ("custom-kernel-required", "kernelbench")


@pytest.mark.long
def test_the_same_problem_is_made_once() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    words = ("--level", "3", "--scale", "0.1")
    (first,), _ = listed(*words)
    stamp = Path(str(first["folder"]), "task.toml").stat().st_mtime_ns
    (second,), _ = listed(*words)
    assert second["folder"] == first["folder"]
    assert Path(str(second["folder"]), "task.toml").stat().st_mtime_ns == stamp


@pytest.mark.long
def test_what_did_not_run_is_tried_anew() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    text = (LEVEL_1 / "1_Hard_tanh.py").read_text() + f"# {time.time_ns()}\n"
    problem = KernelProblem(name="busy", where="busy.py", text=text)
    with Tryouts(seconds=1e-3) as hurried:
        (failed,) = make_kernelbench([problem], Making(scale=0.001), hurried).made
    with Tryouts() as patient:
        (made,) = make_kernelbench([problem], Making(scale=0.001), patient).made
    assert (failed.problem or "").startswith("does not run: takes more than 0.001 s")
    assert made.problem is None


@pytest.mark.long
def test_only_the_tasks_that_were_named_are_listed() -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    made, _ = listed("--level", "1", "--tasks", "level1-3_Row_centering")
    assert [each["name"] for each in made] == ["level1-3_Row_centering"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("1_Hard_tanh", ("--tasks", "2"), "--tasks 2: '2' is not there; there are: 1_Hard_tanh."),
        ("1_Hard_tanh", ("--sha256", "00"), "the data is not the expected one"),
        ("4_Broken", (), "none of the 1 entries has a program"),
    ],
)
def test_a_list_of_what_is_not_there_is_an_error(file: str, options: tuple[str, ...], message: str) -> None:
    pytest.importorskip("torch", reason="trying problems out needs torch")
    words = ["bench", "kernelbench", "--path", str(LEVEL_1 / f"{file}.py"), "--only-load", *options]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_without_a_path_the_data_set_is_wanted_or_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match="read with the package datasets; install it, or clone"):
        read_kernelbench(None, 1)


def test_the_data_set_is_read_by_its_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_dataset(name: str, split: str) -> list[dict[str, object]]:
        if (name, split) != ("ScalingIntelligence/KernelBench", "level_1"):
            raise ConnectionError("no route to host")
        return rows()

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    assert names(read_kernelbench(None, 1, "1-3")) == names(read_kernelbench(CHECKOUT, 1, "1-3"))
    with pytest.raises(InputError, match=r"level 2: cannot be loaded \(no route to host\); or else clone"):
        read_kernelbench(None, 2)
