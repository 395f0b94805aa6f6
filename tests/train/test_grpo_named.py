"""Named actions: the menu, the grammar, episodes, and probabilities under the grammar."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import InputError
from maxcode.train.base import tiny_model
from maxcode.train.grpo.config import Actions, preset
from maxcode.train.grpo.episode import Episode, EpisodePlayer
from maxcode.train.grpo.grammar import grammar
from maxcode.train.grpo.menu import STOP, menu
from maxcode.train.grpo.rollout import allowed_tensor, chat_tokens, write_programs
from maxcode.train.grpo.scoring import NONE, choice_log_probabilities, completion_choices, completion_tokens
from maxcode.train.grpo.tasks import named_task, named_tasks
from maxcode.train.masks import EVERYTHING, Mask, violations
from maxcode.train.problem import MaskedTask
from maxcode.train.techniques import Technique

pytestmark = pytest.mark.usefixtures("one_thread")
torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("transformers", reason="needs the extra `train`")

SPEC = "hpc:dgemm:m=24,n=24,k=24"
NAMES = st.lists(st.text("ab-(4", min_size=1, max_size=6), min_size=1, max_size=6, unique=True)


@pytest.fixture(scope="module")
def problem() -> MaskedTask:
    return MaskedTask(task=named_task(SPEC), mask=EVERYTHING)


@pytest.fixture(scope="module")
def model() -> tuple[Any, Any]:
    return tiny_model()


def baseline(problem: MaskedTask) -> str:
    return problem.task.baseline_candidate.files[problem.task.main_file]


def played(model: tuple[Any, Any], problem: MaskedTask, n: int = 6, seed: int = 0) -> tuple[list[int], list[Episode]]:
    player = EpisodePlayer(*model, turns=2)
    prompt = chat_tokens(model[1], [{"role": "user", "content": "faster"}])
    return prompt, player.play(prompt, baseline(problem), lambda text: menu(problem, text), n, seed)


@given(NAMES, st.randoms())
def test_every_way_through_a_grammar_spells_one_of_its_names(names: list[str], chance: Any) -> None:
    rules = grammar(names, lambda text: list(text.encode()))
    begun: tuple[int, ...] = ()
    while allowed := rules.allowed(begun):
        begun += (chance.choice(allowed),)
        begun += rules.forced(begun)
    assert rules.name(begun) in names


@given(NAMES)
def test_every_name_can_be_spelled(names: list[str]) -> None:
    rules = grammar(names, lambda text: list(text.encode()))
    assert sorted(rules.sequences.values()) == sorted(names)
    for tokens in rules.sequences:
        assert all(tokens[i] in rules.allowed(tokens[:i]) for i in range(len(tokens)))
        assert rules.allowed(tokens) == []


def test_nothing_on_a_menu_breaks_its_mask(problem: MaskedTask) -> None:
    plain = MaskedTask(task=problem.task, mask=Mask(name="cache", permitted=frozenset({Technique.CACHE_BLOCKING})))
    offered = menu(plain, baseline(plain))
    assert STOP in offered and "tile" in offered and "register-block" not in offered
    assert all(not violations(program, plain.mask, "dgemm") for program in offered.values())
    assert "register-block" in menu(problem, baseline(problem))


def test_variants_are_offered_by_their_settings(problem: MaskedTask) -> None:
    offered = menu(problem, baseline(problem), variants=3)
    assert {"several-sums(lanes=8)", "several-sums(lanes=16)", "several-sums(lanes=4)"} <= set(offered)


def test_a_model_that_knows_nothing_names_only_what_is_on_the_menu(model: tuple[Any, Any], problem: MaskedTask) -> None:
    for episode in played(model, problem)[1]:
        program = baseline(problem)
        assert episode.ended and episode.names
        for name in episode.names:
            program = menu(problem, program)[name]
        assert program == episode.program


def test_the_same_seed_plays_the_same_episodes(model: tuple[Any, Any], problem: MaskedTask) -> None:
    assert [each.names for each in played(model, problem)[1]] == [each.names for each in played(model, problem)[1]]


def test_replaying_an_episode_gives_its_tokens_and_choices(model: tuple[Any, Any], problem: MaskedTask) -> None:
    player = EpisodePlayer(None, model[1], turns=2)
    for episode in played(model, problem)[1]:
        replayed = player.replay(baseline(problem), lambda text: menu(problem, text), episode.names)
        assert (replayed.tokens, replayed.choices) == (episode.tokens, episode.choices)
    with pytest.raises(InputError, match="not on the menu"):
        player.replay(baseline(problem), lambda text: menu(problem, text), ["no-such-step"])


def _scored(model: tuple[Any, Any], prompts: list[list[int]], episodes: list[Episode]) -> Any:
    """Log-probabilities of the choices, in the batched way of training."""
    wide, long = max(map(len, prompts)), max(len(each.tokens) for each in episodes)
    rows = [
        [0] * (wide - len(p)) + p + e.tokens + [0] * (long - len(e.tokens))
        for p, e in zip(prompts, episodes, strict=True)
    ]
    mask = [
        [0] * (wide - len(p)) + [1] * (len(p) + len(e.tokens)) + [0] * (long - len(e.tokens))
        for p, e in zip(prompts, episodes, strict=True)
    ]
    allowed = allowed_tensor([each.choices for each in episodes], long, "cpu")
    return completion_choices(model[0], torch.tensor(rows), torch.tensor(mask), long, allowed, 1.0)


def test_probabilities_of_all_first_names_sum_to_one(model: tuple[Any, Any], problem: MaskedTask) -> None:
    player = EpisodePlayer(None, model[1], turns=1)
    prompt = chat_tokens(model[1], [{"role": "user", "content": "faster"}])
    look = lambda text: menu(problem, text)  # noqa: E731
    every = [player.replay(baseline(problem), look, [name]) for name in look(baseline(problem))]
    with torch.no_grad():
        found, _ = _scored(model, [prompt] * len(every), every)
    assert found.sum(-1).exp().sum().item() == pytest.approx(1.0, abs=1e-4)


def test_prompts_that_are_read_once_give_the_probabilities_of_reading_everything(
    model: tuple[Any, Any], problem: MaskedTask
) -> None:
    """Against the plain way: one row at a time, the whole text, no cache."""
    network, tokenizer = model
    (prompt, episodes), other = played(model, problem, n=3), chat_tokens(tokenizer, [{"role": "user", "content": "x"}])
    prompts = [prompt, other, prompt]
    with torch.no_grad():
        found, _ = _scored(model, prompts, episodes)
        for row, (each, episode) in enumerate(zip(prompts, episodes, strict=True)):
            logits = network(input_ids=torch.tensor([each + episode.tokens])).logits[0]
            for place, among in episode.choices.items():
                expected = logits[len(each) + place - 1][among].log_softmax(-1)[among.index(episode.tokens[place])]
                assert found[row, place].item() == pytest.approx(expected.item(), abs=1e-4)


def test_probabilities_of_whole_texts_are_those_of_reading_everything(model: tuple[Any, Any]) -> None:
    network, tokenizer = model
    short, long = (chat_tokens(tokenizer, [{"role": "user", "content": text}]) for text in ("a", "a longer one"))
    prompts, answers = [long, short, long], [[5, 6, 7, 8], [9, 3, 4, 1], [1, 2, 3, 4]]
    wide = len(long)
    ids = torch.tensor([[0] * (wide - len(p)) + p + a for p, a in zip(prompts, answers, strict=True)])
    mask = torch.tensor([[0] * (wide - len(p)) + [1] * (len(p) + 4) for p in prompts])
    with torch.no_grad():
        found, entropy = completion_tokens(network, ids, mask, 4, 0.7)
        for row, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
            logits = network(input_ids=torch.tensor([prompt + answer])).logits[0, len(prompt) - 1 : -1]
            expected = (logits / 0.7).log_softmax(-1)
            assert torch.allclose(found[row], expected[torch.arange(4), torch.tensor(answer)], atol=1e-4)
            assert torch.allclose(entropy[row], -(expected.exp() * expected).sum(-1), atol=1e-4)


def test_probabilities_of_all_tokens_are_not_kept_for_the_gradients() -> None:
    network, tokenizer = tiny_model()
    ids = torch.tensor([[*chat_tokens(tokenizer, [{"role": "user", "content": "a"}]), 5, 6, 7, 8]] * 3)
    kept: list[int] = []

    def keep(each: Any) -> Any:
        kept.append(each.numel())
        return each

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda each: each):
        found, entropy = completion_tokens(network, ids, torch.ones_like(ids), 4, 1.0)
    assert found.requires_grad and entropy.requires_grad
    assert kept and 4 * len(tokenizer) not in kept


def test_answers_are_drawn_from_the_probabilities_that_they_are_trained_by() -> None:
    """Base models come with settings for chatting, which bend the probabilities: those must not matter."""

    def written(**bent: Any) -> list[list[int]]:
        model, tokenizer = tiny_model()
        model.generation_config.update(**bent)
        prompts = [[{"role": "user", "content": "faster"}]] * 2
        config = preset("tiny", Actions.PROGRAMS, max_tokens=24)
        return write_programs(model, tokenizer, config, prompts, 3, lambda *_: None).completion_ids

    assert written(repetition_penalty=1.8, top_k=3, top_p=0.5, min_p=0.2, no_repeat_ngram_size=1) == written()


def test_choices_are_as_precise_in_training_as_in_sampling() -> None:
    output = torch.nn.Linear(64, 16, bias=False)
    hidden, allowed = torch.randn(3, 64), torch.tensor([[0, 1, 2], [3, 4, NONE], [5, 6, 7]])
    sampled = choice_log_probabilities(output, hidden, allowed, 1.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(choice_log_probabilities(output, hidden, allowed, 1.0), sampled)


def test_gradients_reach_the_prompt(problem: MaskedTask) -> None:
    network, tokenizer = tiny_model()
    prompt, episodes = played((network, tokenizer), problem, n=2)
    found, _ = _scored((network, tokenizer), [prompt] * 2, episodes)
    found.sum().backward()
    rows = network.get_input_embeddings().weight.grad
    only_in_prompt = next(token for token in prompt if all(token not in each.tokens for each in episodes))
    assert rows[only_in_prompt].abs().sum() > 0


def test_tasks_by_name() -> None:
    assert len(named_tasks(["hpc:dgemm"])) == 5
    assert list(named_tasks(["hpc:gemv:held-out"])) == ["hpc:gemv:m=2048,n=384"]
    with pytest.raises(InputError, match="kept back"):
        named_tasks(["hpc:trsm"])
    with pytest.raises(InputError, match="'m' is not a size"):
        named_tasks(["hpc:gemv:m"])
    with pytest.raises(InputError, match="no kernel 'nothing'"):
        named_tasks(["hpc:nothing"])
