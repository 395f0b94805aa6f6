"""One page that needs nothing else.

What a candidate, a critic or a compiler wrote is in the page only as data: deflated and in base64, which no text can
break out of, and set as text by scripts that the content-security-policy names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

RUN_SCRIPTS = (
    *("data.js", "dom.js", "charts.js", "tree.js", "code.js", "node.js"),
    *("verdict.js", "timings.js", "roofline.js", "critiques.js", "main.js"),
)
STYLES = ("page.css", "parts.css", "charts.css")
COMPARE_SCRIPTS = ("data.js", "dom.js", "charts.js", "compare.js")


def page(title: str, body: str, scripts: tuple[str, ...], data: dict[str, Any], summary: dict[str, Any]) -> str:
    """The page as one HTML text. `summary` is also in it as plain JSON, for programs that read reports."""
    style, script = styles(), one_script(scripts)
    return "".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta name="referrer" content="no-referrer"><title>{html.escape(title)}</title>\n',
            f"<style>{style}</style></head>\n<body>\n<header><h1>{html.escape(title)}</h1></header>\n",
            "<noscript><p>This page draws itself: allow its script, which is all in this file.</p></noscript>\n",
            asset(body),
            f'<script type="application/json" id="summary">{safe_json(summary)}</script>\n',
            f'<script type="text/plain" id="data">{packed(data)}</script>\n',
            f"<script>{script}</script>\n</body></html>\n",
        )
    )


def policy(style: str, script: str) -> str:
    """Content security policy: this style and this script; no requests, no forms, no frames, no inline handlers."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def styles() -> str:
    """Styles of the page: light, or dark if the reader's system is set to dark."""
    dark = f"@media (prefers-color-scheme: dark) {{\n{asset('dark.css')}}}\n"
    return "".join([asset("light.css"), dark, *map(asset, STYLES)])


def one_script(names: tuple[str, ...]) -> str:
    """Modules as one script, each after those that it imports: what one exports, all others see."""
    text = "".join(map(asset, names))
    return '"use strict";\n' + re.sub(r"^(import [^;]*;\n|export )", "", text, flags=re.MULTILINE)


@cache
def asset(name: str) -> str:
    return files("maxcode.report").joinpath("page", name).read_text(encoding="utf-8")


def packed(data: dict[str, Any]) -> str:
    """JSON, deflated, in base64: inflated by the page."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def safe_json(value: Any) -> str:
    """JSON that is safe inside a script element: no text in it can end the element, open a comment or end a line."""
    text = json.dumps(value, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
