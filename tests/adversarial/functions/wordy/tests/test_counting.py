import pytest
from wordy.counting import common, merged, other

TEXTS = [
    "the cat sat on the mat, and the dog saw the cat; a bird saw a dog and a cat",
    "",
    "one two three two one two " * 20,
    "A b C c D d e e f g h a",
]


@pytest.mark.parametrize("n", [1, 2, 3, 9])
@pytest.mark.parametrize("text", TEXTS)
def test_common(text, n):
    found = common(text, n)
    assert len(found) <= n
    assert found == sorted(found, key=lambda pair: (-pair[0], pair[1]))


def test_values():
    assert common("b a b c") == [(2, "b"), (1, "c")]


def test_types():
    with pytest.raises(AttributeError):
        common(3)


@pytest.mark.parametrize("size", [0, 3, 40, 60])
def test_merged(size):
    rows = list(range(0, size, 2))
    assert merged(rows, list(range(size))) is rows
    assert sorted(rows) == list(range(size))


def test_negative():
    with pytest.raises(ValueError, match="please"):
        merged([1], [2, -1])


def test_other():
    assert other(1) == 2
