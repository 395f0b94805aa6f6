"""What is observed of a tree, block by block."""

from __future__ import annotations

from itertools import combinations

import pytest

from maxcode.core import Candidate, Critique, InputError, Status
from maxcode.search.observe.observation import BLOCKS, Block, Observation, observe
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.strategy import with_blocks
from maxcode.search.tree import Tree
from tests.search.fakes import TASK, add, grown, outcome

SUBSETS = [frozenset(each) for n in range(len(BLOCKS) + 1) for each in combinations(BLOCKS, n)]


def criticised() -> Tree:
    """0 - 1 (5x) - 2 (wrong) - 3 (2x), each with a critique."""
    tree = grown((0, 5.0, 1), (1, 0.0, 2), (2, 2.0, 3))
    for node in tree:
        tree.critiques[node.id] = Critique(text=f"critique of {node.id}")
    return tree


def seen(*blocks: Block) -> Observation:
    tree = criticised()
    return observe(tree, tree.nodes[3], frozenset(blocks))


def test_the_current_program_is_always_seen() -> None:
    current = seen().current
    assert (current.node, current.depth, current.reward, current.u) == (3, 3, 2.0, 5.0)
    assert current.correct
    assert "// speed 2.0" in "".join(current.files.values())


@pytest.mark.parametrize("blocks", SUBSETS, ids=lambda blocks: "+".join(sorted(blocks)) or "none")
def test_a_block_is_seen_exactly_when_it_is_on(blocks: frozenset[Block]) -> None:
    tree = criticised()
    found = observe(tree, tree.nodes[3], blocks)
    assert (found.best is not None) == ("best" in blocks)
    assert bool(found.trajectory) == ("trajectory" in blocks)
    attempts = [found.current, *found.trajectory, *([found.best] if found.best else [])]
    assert all((each.critique is not None) == ("critique" in blocks) for each in attempts)
    assert found.blocks == blocks


def test_the_trajectory_is_the_way_from_the_root_without_the_current_program() -> None:
    assert [(each.node, each.depth) for each in seen("trajectory").trajectory] == [(0, 0), (1, 1), (2, 2)]


def test_the_best_is_that_of_the_whole_tree() -> None:
    tree = grown((0, 5.0, 1), (0, 2.0, 1))
    best = observe(tree, tree.nodes[2], frozenset({"best"})).best
    assert best is not None
    assert best.node == 1


def test_critiques_belong_to_their_attempts() -> None:
    found = seen("critique", "trajectory", "best")
    assert found.best is not None
    attempts = [found.current, found.best, *found.trajectory]
    assert [each.critique.text if each.critique else None for each in attempts] == [
        f"critique of {each.node}" for each in attempts
    ]


def test_an_observation_survives_serialisation() -> None:
    found = seen(*BLOCKS)
    data = found.model_dump(mode="json") | {"task": found.task}
    assert Observation.model_validate(data) == found


@pytest.mark.parametrize("name", STRATEGIES)
def test_maxcode_adds_blocks_and_changes_no_selection(name: str) -> None:
    plain, more = strategy(name), strategy(f"{name}+maxcode")
    assert plain.blocks == frozenset()
    assert more.blocks == {"best", "trajectory", "critique", "attempts"}
    assert more.select is plain.select
    assert more.critique == "expanded"


def test_blocks_can_be_chosen_one_by_one() -> None:
    chosen = with_blocks(strategy("beam+maxcode"), "best, trajectory")
    assert chosen.blocks == {"best", "trajectory"}
    assert chosen.critique == "none"
    assert with_blocks(strategy("beam+maxcode"), "none").blocks == frozenset()
    assert with_blocks(strategy("beam"), "critique").critique == "expanded"


@pytest.mark.parametrize("name", ["nothing", "beam+nothing", ""])
def test_an_unknown_strategy_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match=r"--strategy .* is not known; use .*(flat|\+maxcode)"):
        strategy(name)


def test_an_unknown_block_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="--observe best,worst: 'worst' is not known; use any of: best"):
        with_blocks(strategy("beam"), "best,worst")


def test_the_original_is_always_seen_and_the_program_before() -> None:
    found = seen()
    assert found.original is not None
    assert (found.original.node, found.original.files) == (0, TASK.baseline_candidate.files)
    assert found.before is not None
    assert found.before.node == 2
    tree = grown()
    assert observe(tree, tree.root, frozenset()).before is None


def test_the_best_can_be_that_of_the_path() -> None:
    tree = grown((0, 5.0, 1), (0, 1.5, 1), (2, 1.2, 2))
    best = {which: observe(tree, tree.nodes[3], frozenset({"best"}), best=which).best for which in ("tree", "path")}
    assert {which: each.node for which, each in best.items() if each} == {"tree": 1, "path": 2}


def test_whose_best_and_whose_critiques_are_settings() -> None:
    usual = with_blocks(strategy("beam+maxcode"), "best,critique")
    assert (usual.best, usual.critique_of) == ("tree", "both")
    chosen = with_blocks(strategy("beam+maxcode"), "best=path,critique=attempts")
    assert (chosen.best, chosen.critique_of, chosen.blocks) == ("path", "attempts", {"best", "critique"})


@pytest.mark.parametrize("blocks", ["best=worst", "trajectory=path", "critique=path"])
def test_an_unknown_setting_of_a_block_is_named(blocks: str) -> None:
    with pytest.raises(InputError, match=f"'{blocks}' is not known; use any of: best.best=path"):
        with_blocks(strategy("beam"), blocks)


def test_other_attempts_are_those_beside_the_path_nearest_and_fastest_first() -> None:
    tree = grown((0, 3.0, 1), (0, 2.0, 1), (0, 4.0, 1), (2, 1.5, 2), (1, 9.0, 2), (4, 1.1, 3), (4, 1.2, 3))
    found = observe(tree, tree.nodes[4], frozenset({"attempts"})).tried
    assert [each.node for each in found] == [7, 6, 5, 3, 1]


def test_a_program_that_was_made_again_is_told_of_once() -> None:
    tree = grown((0, 2.0, 1))
    for parent in (0, 1):
        add(tree, tree.nodes[parent], 3.0, 2, text="// speed 3.0\nint main() {}\n")
    (found,) = observe(tree, tree.root, frozenset({"attempts"})).tried[:1]
    assert (found.node, found.again) == (2, (3,))


def test_what_a_model_said_of_its_program_is_seen_again() -> None:
    tree = grown()
    node = tree.nodes[0]
    answer = "I hoist the call.\n```cpp\nint main() {}\n```"
    made = tree.add(node, TASK.candidate("int main() {}\n"), outcome(), 1.0, step=1, answer=answer)
    assert observe(tree, made, frozenset()).current.rationale == "I hoist the call."
    assert [each.rationale for each in observe(tree, node, frozenset({"attempts"})).tried] == ["I hoist the call."]


def test_an_answer_without_a_program_is_seen_itself() -> None:
    tree = grown()
    empty = Candidate(files={}, origin="m")
    made = tree.add(tree.root, empty, outcome(Status.REJECTED), 0.0, step=1, answer="I would rather not.")
    assert observe(tree, made, frozenset()).current.answer == "I would rather not."
