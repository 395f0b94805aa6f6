"""The page as text: nothing in the data can be markup, and the policy admits nothing but our own script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib

from hypothesis import given
from hypothesis import strategies as st

from maxcode.report.html import COMPARE_SCRIPTS, RUN_SCRIPTS, STYLES, asset, packed, page, safe_json
from tests.report.recording import HOSTILE


def made(text: str) -> str:
    return page(text, "report.html", RUN_SCRIPTS, {"reason": text}, {"critique": text})


@given(st.text())
def test_json_in_a_script_element_reads_back_and_cannot_end_it(text: str) -> None:
    found = safe_json({"text": text})
    assert json.loads(found) == {"text": text}
    assert not re.search("[<>&\u2028\u2029]", found)


@given(st.text())
def test_packed_data_inflates_to_what_it_was(text: str) -> None:
    found = packed({"text": text})
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", found)
    assert json.loads(zlib.decompress(base64.b64decode(found))) == {"text": text}


def test_hostile_text_adds_no_markup() -> None:
    marks = ("<script", "</script>", "<img", "<!--")
    assert [made(HOSTILE).count(mark) for mark in marks] == [3, 3, 0, 0]


def test_lone_surrogates_are_packed() -> None:
    assert json.loads(zlib.decompress(base64.b64decode(packed({"text": "\udc80"})))) == {"text": "\udc80"}


def test_the_policy_names_the_script_and_the_style_by_their_hashes() -> None:
    text = made("a task")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    for content in (script, style):
        assert base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert not re.search(r"(src|href)=\"(?!#)", made("a task"))
    assert not any(re.search(r"@import|url\(", asset(name)) for name in STYLES)


def test_scripts_make_no_markup_from_text() -> None:
    for name in {*RUN_SCRIPTS, *COMPARE_SCRIPTS}:
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", asset(name))
