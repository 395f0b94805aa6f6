"""Changed lines stand as deep as the brackets around them, and no other line moves."""

from __future__ import annotations

from maxcode.optimize.indent import indented_by_depth

BEFORE = """\
int main() {
  int total = 0;
  for (int i = 0; i < 9; i++)
    total += twice(i);
  cout << total << endl;
  if (total > 5) return 1;
}
"""
INLINED = """\
int main() {
  int total = 0;
  for (int i = 0; i < 9; i++)
    total += [&]() -> int {
int x = i;
    if (x > 3)
  return x;
// what else
    return 2 * x;
}();
  cout << total << endl;
  if (total > 5) return 1;
}
"""
TIDY = """\
int main() {
  int total = 0;
  for (int i = 0; i < 9; i++)
    total += [&]() -> int {
      int x = i;
      if (x > 3)
        return x;
// what else
      return 2 * x;
    }();
  cout << total << endl;
  if (total > 5) return 1;
}
"""


def test_inserted_bodies_go_in_by_the_unit_of_the_original() -> None:
    assert indented_by_depth(BEFORE, INLINED) == TIDY


def test_tabs_stay_tabs() -> None:
    assert indented_by_depth(BEFORE.replace("  ", "\t"), INLINED.replace("  ", "\t")) == TIDY.replace("  ", "\t")


def test_lines_that_are_deep_enough_stay_where_they_are() -> None:
    kept = BEFORE.replace("    total += twice(i);\n", "    {\n        total += 1;\n      total += 2;\n    }\n")
    assert indented_by_depth(BEFORE, kept) == kept


def test_lines_of_the_original_never_move() -> None:
    odd = BEFORE.replace("  cout", "cout")
    assert indented_by_depth(odd, odd.replace("total > 5", "total > 6")) == odd.replace("total > 5", "total > 6")


def test_raw_strings_are_left_alone() -> None:
    text = BEFORE.replace("endl", 'R"(\n{\na)"')
    assert indented_by_depth(BEFORE, text) == text
