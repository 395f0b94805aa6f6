"""The site's view of the repository: links from docs/ to files outside of it lead to pages made of those files.

On disk and on a forge such links work as they are (`../src/maxcode/core.py`). A site only has what is below docs/, so
every file that a page links to becomes a page of its own, code with line numbers, folders as lists.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).parents[2]
DOCS = "docs"
SOURCE = "source"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
LANGUAGES = {".py": "python", ".c": "c", ".h": "c", ".cpp": "cpp", ".toml": "toml", ".sh": "sh", ".md": "markdown"}


def on_files(files: Any, config: Any) -> Any:
    """Adds a page for each file outside of docs/ that some page leads to, and for those that they lead to."""
    waiting = [page for file in files.documentation_pages() for page in _outside(PurePosixPath(DOCS, file.src_uri))]
    seen: set[PurePosixPath] = set()
    while waiting:
        target = waiting.pop()
        if target in seen:
            continue
        seen.add(target)
        page = File.generated(config, _uri(target), content=_page(target), inclusion=InclusionLevel.NOT_IN_NAV)
        files.append(page)
        if target.suffix == ".md":
            waiting.extend(_outside(target))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of a page as the site has them."""
    here = PurePosixPath(page.file.src_uri)
    origin = _origin(here)

    def moved(found: re.Match[str]) -> str:
        target = _target(origin, found[1])
        if target is None:
            return found[0]
        return os.path.relpath(_uri(target), here.parent) + (found[2] or "")

    return LINK.sub(moved, markdown)


def _outside(page: PurePosixPath) -> Iterator[PurePosixPath]:
    for link, _ in LINK.findall((ROOT / page).read_text()):
        target = _target(page, link)
        if target is not None and target.parts[0] != DOCS:
            yield target


def _target(page: PurePosixPath, link: str) -> PurePosixPath | None:
    """What a link of a page in the repository leads to; None when that is no file of the repository."""
    path = PurePosixPath(os.path.normpath(page.parent / link))
    return path if path.parts[0] != ".." and (ROOT / path).exists() else None


def _uri(target: PurePosixPath) -> str:
    if target.parts[0] == DOCS:
        return str(target.relative_to(DOCS))
    folder = PurePosixPath(SOURCE, target)
    return str(folder if target.suffix == ".md" else folder.with_name(folder.name + ".md"))


def _origin(uri: PurePosixPath) -> PurePosixPath:
    """Where a page of the site lies in the repository."""
    if uri.parts[0] != SOURCE:
        return PurePosixPath(DOCS, uri)
    path = PurePosixPath(*uri.parts[1:])
    return path if (ROOT / path).exists() else path.with_suffix("")


def _page(target: PurePosixPath) -> str:
    path = ROOT / target
    if target.suffix == ".md":
        return path.read_text()
    if path.is_dir():
        names = sorted(
            each.name + "/" * each.is_dir() for each in path.iterdir() if not each.name.startswith((".", "__"))
        )
        return f"# {target}\n\n" + "".join(f"- `{name}`\n" for name in names)
    return f'# {target}\n\n````{LANGUAGES.get(target.suffix, "text")} linenums="1"\n{path.read_text()}\n````\n'
