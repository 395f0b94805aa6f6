"""Sections within a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode.search.observe.fitting import BETWEEN, Section, fitted, shortened, tokens, versions

TEXTS = st.text(alphabet="ab\n", max_size=300)
SECTIONS = st.lists(
    st.builds(lambda rank, text: Section(rank, (*versions(text), "")), st.integers(0, 9), TEXTS), max_size=8
)


@given(SECTIONS, st.integers(1, 400))
def test_sections_keep_to_the_budget(sections: list[Section], budget: int) -> None:
    assert tokens(BETWEEN.join(text for text in fitted(sections, budget) if text)) <= budget


@given(SECTIONS)
def test_with_enough_room_nothing_is_left_out(sections: list[Section]) -> None:
    assert fitted(sections, 10_000) == [section.versions[0] for section in sections]


def test_the_lowest_rank_gets_room_first() -> None:
    sections = [Section(2, ("a" * 100, "")), Section(1, ("b" * 100, ""))]
    assert fitted(sections, tokens("x" * 110)) == ["", "b" * 100]


def test_a_text_is_shortened_in_its_middle() -> None:
    text = "\n".join(f"line {i}" for i in range(100))
    lines = shortened(text, 0.25).splitlines()
    assert (lines[0], lines[-1]) == ("line 0", "line 99")
    assert sum("lines are left out here" in line for line in lines) == 1


@given(TEXTS)
def test_shorter_shares_never_give_longer_texts(text: str) -> None:
    lengths = [len(shortened(text, share)) - 50 for share in (1.0, 0.5, 0.2)]
    assert lengths[2] <= lengths[1] <= max(lengths[0], len(text))
