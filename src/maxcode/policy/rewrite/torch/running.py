"""Torch: the same forward, run in another way: compiled, without autograd, as a recorded graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH, model
from maxcode.policy.rewrite.torch.program import (
    ORIGINAL,
    Function,
    TorchSource,
    indent_of,
    parameters,
    prepared,
    program,
    returned,
)
from maxcode.policy.rewrite.torch.shapes import shapes_of
from maxcode.policy.rewrite.torch.tensors import Tensor
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

GRAPHS = {"reduce-overhead": 2.0, "max-autotune": 1.0}
"""Modes of torch.compile that record CUDA graphs: their results lie in memory that the next call writes to."""
PLAIN = {"default": 6.0, "max-autotune-no-cudagraphs": 1.0}
"""Modes that record no graphs, with their weights: tuning takes five times as long as compiling."""
COMPILED = "torch.compile"
UNCOMPILABLE = re.compile(r"torch\.compile|load_inline|\._version\b")
"""Pattern of code that is compiled already, or that breaks a compiled graph into pieces."""
RECORDED = re.compile(r"CUDAGraph|cuda\.graph\b|make_graphed_callables")
"""Pattern of a graph that is recorded by hand, which can be neither compiled nor recorded again."""
UNRECORDABLE = re.compile(
    r"\.item\(|\.tolist\(|\.cpu\(|\.numpy\(|nonzero|\.unique\(|torch\.rand|bernoulli|masked_select|\.cuda\(|dropout"
    r"|\._version\b"
)
STATEFUL = re.compile(r"Dropout|BatchNorm|InstanceNorm")
"""Pattern of layers with state or chance: a graph cannot record them, or the runs before recording change them."""


def _own(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is not None and whole.model.name == ORIGINAL:
        yield Rewrite(whole.model.lineno, prepared(whole))


def _decorated(whole: TorchSource, forward: Function, decorator: str) -> Edit:
    at = whole.start(forward)
    return Edit(at, at, f"{decorator}\n{indent_of(whole, forward)}")


def _is_movable(whole: TorchSource, function: Function) -> bool:
    """Whether a method stands on lines of its own and returns a value."""
    return indent_of(whole, function).isspace() and any(value is not None for value in returned(function))


def _computing(whole: TorchSource) -> Function | None:
    """The method that computes: forward, or what our own recording plays back; None where others record."""
    recording, code = whole.method("_recorded"), whole.source.code
    if not RECORDED.search(code):
        return whole.method("forward")
    is_ours = recording is not None and not RECORDED.search(code.replace(whole.text(recording), ""))
    return whole.method("_computed") if is_ours else None


def _compile(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    function = _computing(whole) if whole is not None else None
    if whole is None or function is None or setting.torch is None or not _is_movable(whole, function):
        return
    if UNCOMPILABLE.search(source.code):
        return
    for mode, weight in PLAIN.items():
        argument = "" if mode == "default" else f'mode="{mode}", '
        edit = _decorated(whole, function, f"@torch.compile({argument}dynamic=False)")
        yield whole.rewrite(function.lineno, (edit,), f"mode={mode}", weight)
    names = parameters(function)
    is_free = function.name == "forward" and not function.decorator_list
    if setting.torch.device == "cpu" or names is None or not is_free:
        return
    for mode, weight in GRAPHS.items():
        decorator = f'@torch.compile(mode="{mode}", dynamic=False)'
        edits = _behind(whole, function, "_compiled", decorator, _copying(function, "_compiled", names))
        yield whole.rewrite(function.lineno, edits, f"mode={mode}", weight)


def _behind(whole: TorchSource, forward: Function, name: str, decorator: str, lines: list[str]) -> tuple[Edit, ...]:
    """Edits that rename forward, and add a new forward with the given lines in its place."""
    head = whole.source.data.index(b"forward", whole.start(forward))
    indent, end = indent_of(whole, forward), whole.next_line(forward)
    signature = whole.source.data[head + len("forward") : whole.start(forward.body[0])].decode()
    signature = signature[: _signature_end(signature)]
    newline = "" if whole.source.data[:end].endswith(b"\n") else "\n"
    body = "".join(f"{indent}    {line}\n" if line else "\n" for line in lines)
    edits = [
        Edit(head, head + len("forward"), name),
        Edit(end, end, f"{newline}\n{indent}def forward{signature}\n{body}"),
    ]
    return (_decorated(whole, forward, decorator), *edits) if decorator else tuple(edits)


def _signature_end(text: str) -> int:
    """Offset behind the colon that ends a signature: the first one outside of all brackets."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ":" and depth == 0:
            return at + 1
    return len(text)


def _copying(forward: Function, name: str, names: list[str]) -> list[str]:
    call = f"self.{name}({', '.join(names)})"
    if any(isinstance(value, ast.Tuple) for value in returned(forward)):
        return [f"return tuple(each.clone() for each in {call})"]
    return [f"return {call}.clone()"]


def _inference(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None or not indent_of(whole, forward).isspace():
        return
    if "inference_mode" in source.code or COMPILED in source.code:
        return
    # what is played back does no bookkeeping, and tensors kept from inference mode may not be written to outside of it
    if not RECORDED.search(source.code) and not forward.decorator_list:
        yield whole.rewrite(forward.lineno, (_decorated(whole, forward, "@torch.inference_mode()"),))


def _graph(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None or setting.torch is None or setting.torch.device != "cuda":
        return
    if not _is_movable(whole, forward) or not _takes_tensors(whole, forward, setting):
        return
    if not _is_recordable(whole) or not _is_plain(whole, forward):
        return
    edits = _behind(whole, forward, "_computed", "", _replaying(forward, parameters(forward) or []))
    yield whole.rewrite(forward.lineno, (*edits, *attribute(whole, "self._graphs = {}"), _recording(whole, forward)))


def _takes_tensors(whole: TorchSource, forward: Function, setting: Setting) -> bool:
    inputs = shapes_of(whole, setting).inputs
    return bool(parameters(forward)) and all(each is None or isinstance(each, Tensor) for each in inputs or ())


def _is_recordable(whole: TorchSource) -> bool:
    lines = "\n".join(whole.text(function) for _, function in whole.functions)
    changes = STATEFUL.search(whole.computing) or RECORDED.search(whole.computing)
    return not UNRECORDABLE.search(lines) and not changes


def _is_plain(whole: TorchSource, forward: Function) -> bool:
    """Whether a forward is decorated with nothing but what may be recorded with it: one compilation without graphs."""
    decorators = forward.decorator_list
    return whole.source.code.count(COMPILED) == len(decorators) <= 1 and all(map(_compiles_plainly, decorators))


def _compiles_plainly(decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call):
        return ast.unparse(decorator) == COMPILED
    options = {each.arg: ast.unparse(each.value) for each in decorator.keywords}
    is_known = not decorator.args and options.keys() <= {"mode", "dynamic", "fullgraph"}
    is_free = options.get("mode", repr("default")) in map(repr, PLAIN)
    return is_known and is_free and ast.unparse(decorator.func) == COMPILED


def _replaying(forward: Function, names: list[str]) -> list[str]:
    several = any(isinstance(value, ast.Tuple) for value in returned(forward))
    return [
        f"given = ({', '.join(names)}{',' if len(names) == 1 else ''})",
        f"if not {names[0]}.is_cuda:",
        "    return self._computed(*given)",
        "key = tuple((each.shape, each.stride(), each.dtype) for each in given)",
        "if key not in self._graphs:",
        "    self._graphs[key] = self._recorded(*given)",
        "graph, kept, result = self._graphs[key]",
        "for old, new in zip(kept, given):",
        "    old.copy_(new)",
        "graph.replay()",
        "return tuple(each.clone() for each in result)" if several else "return result.clone()",
    ]


def _recording(whole: TorchSource, forward: Function) -> Edit:
    """The method that runs a model some times, so that everything is set up, and then records it."""
    indent, at = indent_of(whole, forward), whole.line_start(forward)
    lines = [
        "def _recorded(self, *given):",
        "    kept = [each.clone() for each in given]",
        "    for _ in range(3):",
        "        self._computed(*kept)",
        "    torch.cuda.synchronize()",
        "    graph = torch.cuda.CUDAGraph()",
        "    with torch.cuda.graph(graph):",
        "        result = self._computed(*kept)",
        "    return graph, kept, result",
    ]
    return Edit(at, at, "".join(f"{indent}{line}\n" for line in lines) + "\n")


def attribute(whole: TorchSource, line: str) -> tuple[Edit, ...]:
    """Edits that add a line at the end of __init__, which is added where there is none."""
    init, forward = whole.method("__init__"), whole.method("forward")
    assert forward is not None
    if init is not None:
        last = init.body[-1]
        at = whole.next_line(last)
        return (Edit(at, at, f"{whole.source.data[whole.line_start(last) : whole.start(last)].decode()}{line}\n"),)
    indent, at = indent_of(whole, forward), whole.line_start(forward)
    inner = f"{indent}    "
    return (Edit(at, at, f"{indent}def __init__(self):\n{inner}super().__init__()\n{inner}{line}\n\n"),)


INIT = "self.linear = nn.Linear(8, 8)"
BODY = "return torch.relu(self.linear(x))"
BEFORE = model(BODY, init=INIT)

TRANSFORMATIONS = (
    Transformation(
        name="own-model",
        family="torch",
        summary="Makes a candidate of the problem; all other transformations of a problem do it too.",
        find=_own,
        example=RewriteExample(
            before=BEFORE.replace("ModelNew", "Model").replace("super()", "super(Model, self)"),
            after=BEFORE[: BEFORE.index("\n\ndef get_inputs")],
            setting=TORCH,
        ),
        languages=PYTHON,
        prior=0.02,
        refusals=(BEFORE,),
    ),
    Transformation(
        name="compile",
        family="torch",
        summary="Compiles forward, or what a recorded graph computes, when it is first called.",
        find=_compile,
        example=RewriteExample(
            before=BEFORE,
            after=BEFORE.replace("    def forward", "    @torch.compile(dynamic=False)\n    def forward"),
            setting=TORCH,
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound", "eager-overhead"),
        prior=8.0,
        prior_on_cpu=0.5,  # it starts a C++ compiler, and gains little there
        refusals=(BEFORE.replace("    def forward", "    @torch.compile\n    def forward"),),
    ),
    Transformation(
        name="inference-mode",
        family="torch",
        summary="Runs forward without the bookkeeping of autograd.",
        find=_inference,
        example=RewriteExample(
            before=BEFORE,
            after=BEFORE.replace("    def forward", "    @torch.inference_mode()\n    def forward"),
            setting=TORCH,
        ),
        languages=PYTHON,
        answers=("eager-overhead",),
        prior=0.8,
        refusals=(BEFORE.replace("    def forward", "    @torch.inference_mode()\n    def forward"),),
    ),
    Transformation(
        name="cuda-graph",
        family="torch",
        summary="Records the kernels of forward once for each shape and plays them back with new inputs.",
        find=_graph,
        example=RewriteExample(
            before=BEFORE,
            after=BEFORE.replace(
                "    def forward(self, x):\n        return torch.relu(self.linear(x))\n",
                """\
    def _recorded(self, *given):
        kept = [each.clone() for each in given]
        for _ in range(3):
            self._computed(*kept)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = self._computed(*kept)
        return graph, kept, result

    def _computed(self, x):
        return torch.relu(self.linear(x))

    def forward(self, x):
        given = (x,)
        if not x.is_cuda:
            return self._computed(*given)
        key = tuple((each.shape, each.stride(), each.dtype) for each in given)
        if key not in self._graphs:
            self._graphs[key] = self._recorded(*given)
        graph, kept, result = self._graphs[key]
        for old, new in zip(kept, given):
            old.copy_(new)
        graph.replay()
        return result.clone()
""",
            ).replace("nn.Linear(8, 8)\n", "nn.Linear(8, 8)\n        self._graphs = {}\n"),
            setting=ON_CUDA,
        ),
        languages=PYTHON,
        answers=("many-kernels", "eager-overhead"),
        prior=1.5,
        refusals=(
            model("return torch.relu(self.norm(x))", init="self.norm = nn.BatchNorm1d(8)"),
            model("return x * x.sum().item()"),
        ),
    ),
)
