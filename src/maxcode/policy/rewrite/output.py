"""Library and I/O: how a program writes."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.policy.rewrite.source import Source
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation


def _endl(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = [
        node
        for node in source.find("identifier", "qualified_identifier")
        if source.text(node) in ("endl", "std::endl")
        and node.parent is not None
        and node.parent.type == "binary_expression"
    ]
    if found:
        yield Rewrite(source.line(found[0]), tuple(source.replace(node, r"'\n'") for node in found))


TRANSFORMATIONS = (
    Transformation(
        name="newline-for-endl",
        family="library",
        summary="Writes '\\n' where endl would also flush.",
        find=_endl,
        example=Example(
            before="""
#include <iostream>
int main() {
    std::cout << 1 << std::endl;
    std::cout << 2 << std::endl;
}
""",
            after=r"""
#include <iostream>
int main() {
    std::cout << 1 << '\n';
    std::cout << 2 << '\n';
}
""",
        ),
        languages=CPP,
        answers=("endl", "slow-output"),
        refusals=('#include <iostream>\nint main() { std::cout << "endl\\n"; }\n',),
    ),
)
