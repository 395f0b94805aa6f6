"""Loading a task: what is wrong is said with the file, the field and the fix."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.kernel.table import Kernel
from maxcode.task import load_task

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in (REPOSITORY / "examples").glob("*/task.toml"))

PROGRAM = """\
name = "echo"
kind = "program"
language = "python"
baseline = "baseline.py"

[tests]
public = "tests"

[[workloads]]
name = "w"
input = "tests/input.0.txt"
"""

KERNEL = """\
name = "scale"
kind = "kernel"
language = "c"
baseline = "baseline.c"

[kernel]
function = "scale"
arguments = [
    {name = "n", type = "int"},
    {name = "x", type = "double", role = "in", shape = "n"},
    {name = "y", type = "double", role = "out", shape = "n"},
]

[kernel.shapes]
timed = [{n = 10}]
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/input.0.txt").write_text("1\n")
    (tmp_path / "tests/output.0.txt").write_text("1\n")
    (tmp_path / "baseline.py").write_text("print(input())\n")
    (tmp_path / "task.toml").write_text(PROGRAM)
    return tmp_path


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    (tmp_path / "baseline.c").write_text("void scale(int n, const double *x, double *y) {}\n")
    (tmp_path / "task.toml").write_text(KERNEL)
    return tmp_path


def refusal(folder: Path) -> str:
    """The message a task is refused with; it always names the file."""
    with pytest.raises(InputError) as caught:
        load_task(folder)
    assert str(folder) in str(caught.value)
    return str(caught.value)


def edit(folder: Path, old: str, new: str) -> None:
    text = (folder / "task.toml").read_text()
    assert old in text
    (folder / "task.toml").write_text(text.replace(old, new))


def add(folder: Path, text: str) -> None:
    with (folder / "task.toml").open("a") as file:
        file.write(text)


def test_the_tasks_the_errors_are_made_from_load(program: Path) -> None:
    assert load_task(program).name == "echo"


def test_kernel_the_errors_are_made_from_loads(kernel: Path) -> None:
    task = load_task(kernel)
    assert task.table(Kernel).signature == "void scale(int n, const double *x, double *y)"


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda p: p.name)
def test_example_loads(folder: Path) -> None:
    assert load_task(folder).name == folder.name


def test_task_loads_from_its_file_as_from_its_folder(program: Path) -> None:
    assert load_task(program / "task.toml") == load_task(program)


def test_what_a_torch_problem_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text('name = "t"\nkind = "torch"\nbaseline = "model.py"\n')
    (tmp_path / "model.py").write_text("class Model: pass\n\ndef get_init_inputs():\n    return []\n")
    with pytest.raises(InputError, match=r"model\.py: has no def get_inputs"):
        load_task(tmp_path)


def test_a_file_is_no_task_and_can_be_made_one(program: Path) -> None:
    (program / "model.py").write_text("")
    assert "model.py: is a file; a task is a folder. `maxcode new DIR --from " in refusal(program / "model.py")


def test_missing_folder_is_named_with_the_fix(tmp_path: Path) -> None:
    message = refusal(tmp_path / "nowhere")
    assert "no such folder" in message
    assert "maxcode new" in message


def test_missing_file_is_named_with_the_fix(tmp_path: Path) -> None:
    message = refusal(tmp_path)
    assert "task.toml: not found" in message
    assert "maxcode new" in message


def test_bad_toml_is_named_with_its_line(program: Path) -> None:
    lines = PROGRAM.splitlines()
    (program / "task.toml").write_text("\n".join([*lines, "broken = = 1"]))
    message = refusal(program)
    assert "not valid TOML" in message
    assert f"line {len(lines) + 1}" in message


def test_file_that_is_not_text_is_refused(program: Path) -> None:
    (program / "task.toml").write_bytes(b'name = "\xff"\n')
    assert "task.toml" in refusal(program)


@pytest.mark.parametrize(
    ("addition", "field"),
    [("colour = 3\n", "colour"), ("[limits]\nsecond = 3\n", "limits.second"), ("[build]\nflag = []\n", "build.flag")],
)
def test_unknown_field_is_named(program: Path, addition: str, field: str) -> None:
    text = (program / "task.toml").read_text()
    (program / "task.toml").write_text(text + addition if addition.startswith("[") else addition + text)
    message = refusal(program)
    assert f" {field}: no such field" in message
    assert "spelling" in message


def test_folder_is_not_a_setting(program: Path) -> None:
    text = (program / "task.toml").read_text()
    (program / "task.toml").write_text('folder = "/"\n' + text)
    assert "folder: not a setting" in refusal(program)


@pytest.mark.parametrize(
    ("addition", "field", "value"),
    [
        ('[limits]\nseconds = "long"\n', "limits.seconds", "'long'"),
        ("[limits]\nseconds = -1\n", "limits.seconds", "-1"),
        ("[limits]\ncpus = 0\n", "limits.cpus", "0"),
        ('[objective]\nmetric = "joy"\n', "objective.metric", "'joy'"),
    ],
)
def test_wrong_value_is_named_and_shown(program: Path, addition: str, field: str, value: str) -> None:
    add(program, addition)
    message = refusal(program)
    assert f" {field}: " in message
    assert value in message


@pytest.mark.parametrize("field", ["name", "kind", "language", "baseline"])
def test_missing_field_is_named(program: Path, field: str) -> None:
    lines = (program / "task.toml").read_text().splitlines(keepends=True)
    (program / "task.toml").write_text("".join(line for line in lines if not line.startswith(f"{field} =")))
    assert f"{field}: is required" in refusal(program)


def test_every_problem_is_listed_at_once(program: Path) -> None:
    add(program, '[limits]\nseconds = "long"\nmemory_mb = "much"\n')
    message = refusal(program)
    assert "limits.seconds" in message
    assert "limits.memory_mb" in message


def test_missing_baseline_file_is_named(program: Path) -> None:
    (program / "baseline.py").unlink()
    message = refusal(program)
    assert " baseline: 'baseline.py' is not there" in message
    assert f"Create {program / 'baseline.py'}" in message


def test_missing_answer_file_is_named(program: Path) -> None:
    (program / "tests/output.0.txt").unlink()
    message = refusal(program)
    assert "tests.public: input.0.txt has no output.0.txt" in message
    assert "Add the expected output" in message


def test_missing_tests_folder_is_named(program: Path) -> None:
    edit(program, 'public = "tests"', 'public = "testz"')
    assert f"tests.public: folder {program / 'testz'} is not there" in refusal(program)


def test_empty_tests_folder_is_named(program: Path) -> None:
    (program / "empty").mkdir()
    edit(program, 'public = "tests"', 'public = "empty"')
    assert "has no input.N.txt" in refusal(program)


@pytest.mark.parametrize("name", ["../other.py", "/etc/hostname"])
def test_file_outside_the_folder_is_refused(program: Path, name: str) -> None:
    (program.parent / "other.py").touch()
    edit(program, '"baseline.py"', f'"{name}"')
    message = refusal(program)
    assert f" baseline: '{name}' is outside" in message
    assert "Copy it" in message


def test_link_out_of_the_folder_is_refused(program: Path) -> None:
    (program / "baseline.py").unlink()
    (program / "baseline.py").symlink_to("/etc/hostname")
    assert "outside the task's folder" in refusal(program)


@pytest.mark.parametrize("how", ["relative", "absolute", "link"])
def test_tests_folder_outside_the_folder_is_refused(
    program: Path, tmp_path_factory: pytest.TempPathFactory, how: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(program / "tests", elsewhere / "tests")
    name = {"relative": f"../{elsewhere.name}/tests", "absolute": str(elsewhere / "tests"), "link": "linked"}[how]
    (program / "linked").symlink_to(elsewhere / "tests")
    edit(program, 'public = "tests"', f'public = "{name}"')
    assert "tests.public" in refusal(program)


def test_workload_needs_a_source(program: Path) -> None:
    edit(program, 'input = "tests/input.0.txt"', "")
    assert "workloads.0: give either 'input'" in refusal(program)


def test_workload_with_two_sources_is_refused(program: Path) -> None:
    edit(program, 'name = "w"', 'name = "w"\ngenerator = "baseline.py"')
    assert "workloads.0: give either 'input'" in refusal(program)


def test_program_without_workloads_is_refused(program: Path) -> None:
    text = (program / "task.toml").read_text()
    (program / "task.toml").write_text(text.split("[[workloads]]")[0])
    assert "[[workloads]]" in refusal(program)


def test_program_without_tests_is_refused(program: Path) -> None:
    edit(program, 'public = "tests"', "")
    assert "names no tests" in refusal(program)


def test_editable_file_that_is_not_in_the_baseline_is_named(program: Path) -> None:
    edit(program, 'baseline = "baseline.py"', 'baseline = "baseline.py"\neditable = ["other.py"]')
    assert "editable names other.py" in refusal(program)


def test_program_with_a_kernel_table_is_refused(kernel: Path) -> None:
    edit(kernel, 'kind = "kernel"', 'kind = "program"')
    assert 'did you mean kind = "kernel"' in refusal(kernel)


def test_kernel_without_its_table_is_refused(kernel: Path) -> None:
    text = (kernel / "task.toml").read_text()
    (kernel / "task.toml").write_text(text.split("[kernel]")[0])
    assert "[kernel]" in refusal(kernel)


def test_kernel_in_python_is_refused(kernel: Path) -> None:
    edit(kernel, 'language = "c"', 'language = "python"')
    assert "c or c++" in refusal(kernel)


def test_gflops_without_flops_is_refused(kernel: Path) -> None:
    add(kernel, '\n[objective]\nmetric = "gflops"\n')
    message = refusal(kernel)
    assert "gflops" in message
    assert "kernel.flops" in message


def test_instructions_of_a_kernel_are_refused(kernel: Path) -> None:
    add(kernel, '\n[objective]\nmetric = "instructions"\n')
    assert "instructions" in refusal(kernel)


def test_kernel_without_an_output_is_refused(kernel: Path) -> None:
    edit(kernel, 'role = "out"', 'role = "in"')
    assert " kernel: no argument has role" in refusal(kernel)


def test_shape_that_lacks_a_scalar_is_refused(kernel: Path) -> None:
    edit(kernel, "timed = [{n = 10}]", "timed = [{}]")
    assert "must give a value for each of: n" in refusal(kernel)


def test_shape_with_an_unknown_scalar_is_refused(kernel: Path) -> None:
    edit(kernel, "timed = [{n = 10}]", "timed = [{n = 10, m = 3}]")
    assert "must give a value for each of: n" in refusal(kernel)


def test_kernel_without_timed_shapes_is_refused(kernel: Path) -> None:
    edit(kernel, "timed = [{n = 10}]", "timed = []")
    assert "kernel.shapes.timed" in refusal(kernel)


def test_buffer_without_elements_is_refused(kernel: Path) -> None:
    edit(kernel, "timed = [{n = 10}]", "timed = [{n = 0}]")
    assert "'x' has no elements" in refusal(kernel)


@pytest.mark.parametrize(
    ("shape", "why"), [("m", "known names are: n"), ("n.real", "may only use"), ("n +", "arithmetic")]
)
def test_shape_that_is_no_arithmetic_over_the_sizes_is_refused(kernel: Path, shape: str, why: str) -> None:
    edit(kernel, 'role = "out", shape = "n"', f'role = "out", shape = "{shape}"')
    message = refusal(kernel)
    assert f"'{shape}'" in message
    assert why in message


def test_unknown_element_type_is_refused_with_the_known_ones(kernel: Path) -> None:
    edit(kernel, 'name = "y", type = "double"', 'name = "y", type = "quad"')
    message = refusal(kernel)
    assert " kernel.arguments.2: type 'quad' is not known" in message
    assert "double" in message


def test_buffer_without_a_role_is_refused(kernel: Path) -> None:
    edit(kernel, 'role = "out", shape', "shape")
    assert "buffer 'y' needs role" in refusal(kernel)


def test_scalar_with_a_buffer_role_is_refused(kernel: Path) -> None:
    edit(kernel, '{name = "n", type = "int"}', '{name = "n", type = "int", role = "in"}')
    assert "no shape" in refusal(kernel)


def test_missing_reference_file_is_named(kernel: Path) -> None:
    edit(kernel, 'function = "scale"', 'function = "scale"\nreference = "exact.c"')
    assert "kernel.reference: 'exact.c' is not there" in refusal(kernel)
