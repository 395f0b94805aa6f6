"""Episodes of named actions: the model picks names off the menu until it stops, and what it got to is the answer.

An episode is one text: the prompt with the program and its menu, the first name, what came up since, the next name...
Only the choices among several tokens are the model's; all other tokens are given, and train nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from maxcode.core import InputError
from maxcode.train.grpo import scoring
from maxcode.train.grpo.grammar import END, Grammar, grammar
from maxcode.train.grpo.menu import STOP, Menu
from maxcode.train.grpo.prompts import after_step

Look = Callable[[str], Menu]
"""Makes the menu of a program."""


@dataclass
class Episode:
    """One sequence of choices, under way or ended."""

    program: str
    menu: Menu
    names: tuple[str, ...] = ()
    tokens: list[int] = field(default_factory=list)
    choices: dict[int, list[int]] = field(default_factory=dict)
    """Places of the tokens that were chosen, each with the tokens allowed there."""
    ended: bool = False
    _begun: tuple[int, ...] = ()
    _grammar: Grammar | None = None


class EpisodePlayer:
    """Plays episodes with a model. Temperature 0 takes the likeliest name each time."""

    def __init__(self, model: Any, tokenizer: Any, *, turns: int, temperature: float = 1.0) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.turns, self.temperature = turns, temperature

    def play(self, prompt: Sequence[int], program: str, look: Look, n: int, seed: int) -> list[Episode]:
        """n episodes that begin with the same prompt and program."""
        import torch

        generator = torch.Generator().manual_seed(seed)
        episodes = [Episode(program, look(program)) for _ in range(n)]
        for each in episodes:
            self._open_turn(each)
        device = next(self.model.parameters()).device
        training = self.model.training
        self.model.eval()
        with torch.no_grad():
            self._run(torch.tensor([list(prompt)], device=device), episodes, look, generator)
        self.model.train(training)
        return episodes

    def replay(self, program: str, look: Look, names: Sequence[str]) -> Episode:
        """The episode of known choices, as the model would have played it. InputError where a name is not offered."""
        episode = Episode(program, look(program))
        self._open_turn(episode)
        for name in names:
            if episode.ended or name not in episode.menu:
                raise InputError(f"'{name}' is not on the menu after: {', '.join(episode.names) or 'nothing'}.")
            wanted = tuple(self._encode(name + END))
            while len(episode._begun) < len(wanted):
                self._take(episode, wanted[len(episode._begun)])
                self._force(episode)
            self._go_on(episode, look)
        return episode

    def _run(self, prompt: Any, episodes: list[Episode], look: Look, generator: Any) -> None:
        import torch

        live = [each for each in episodes if not each.ended]
        if not live:
            return
        cache = scoring.read_prompts(self.model, prompt[:, :-1], torch.ones_like(prompt[:, :-1]))
        cache.batch_repeat_interleave(len(live))
        mask = torch.ones_like(prompt[:, :-1]).repeat(len(live), 1)
        last = int(prompt[0, -1])
        fresh = [[last, *each.tokens] for each in live]
        while live:
            ids, block_mask = _padded(fresh, prompt.device)
            mask = torch.cat([mask, block_mask], dim=1)
            hidden, cache = scoring.advance(self.model, cache, ids, mask)
            ends = block_mask.sum(-1) - 1
            self._choose(live, hidden[torch.arange(len(live)), ends], generator)
            read = [len(each.tokens) for each in live]
            for each in live:
                self._go_on(each, look)
            kept = [row for row, each in enumerate(live) if not each.ended]
            fresh = [live[row].tokens[read[row] - 1 :] for row in kept]
            live = [live[row] for row in kept]
            chosen = torch.tensor(kept, device=prompt.device, dtype=torch.long)
            mask = mask[chosen]
            if live:
                cache.batch_select_indices(chosen)

    def _choose(self, live: list[Episode], hidden: Any, generator: Any) -> None:
        """Chooses one token for each episode among those that its grammar allows."""
        import torch

        allowed = [_grammar(each).allowed(each._begun) for each in live]
        rows = scoring.as_rows(allowed, hidden.device)
        found = scoring.choice_log_probabilities(scoring.head(self.model), hidden, rows, self.temperature or 1.0)
        odds = found.exp().cpu()
        picked = torch.multinomial(odds, 1, generator=generator) if self.temperature else odds.argmax(-1, keepdim=True)
        for each, among, place in zip(live, allowed, picked.squeeze(-1).tolist(), strict=True):
            self._take(each, among[place])

    def _take(self, episode: Episode, token: int) -> None:
        episode.choices[len(episode.tokens)] = _grammar(episode).allowed(episode._begun)
        episode.tokens.append(token)
        episode._begun += (token,)

    def _go_on(self, episode: Episode, look: Look) -> None:
        """Adds the tokens that follow without a choice, and applies the transformation once its name is complete."""
        self._force(episode)
        name = _grammar(episode).name(episode._begun)
        if name is None:
            return
        before = episode.menu
        episode.names += (name,)
        episode.program = before[name]
        if name == STOP or len(episode.names) == self.turns:
            self._end(episode)
            return
        episode.menu = look(episode.program)
        episode.tokens += self._encode(after_step(before, episode.menu))
        self._open_turn(episode)

    def _open_turn(self, episode: Episode) -> None:
        if len(episode.menu) == 1:
            self._end(episode)
            return
        episode._grammar, episode._begun = grammar(episode.menu, self._encode), ()
        self._force(episode)

    def _force(self, episode: Episode) -> None:
        ahead = _grammar(episode).forced(episode._begun)
        episode._begun += ahead
        episode.tokens += ahead

    def _end(self, episode: Episode) -> None:
        episode.ended = True
        episode.tokens.append(self.tokenizer.eos_token_id)

    def _encode(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False))


def _grammar(episode: Episode) -> Grammar:
    assert episode._grammar is not None, "no turn is open"
    return episode._grammar


def _padded(rows: Sequence[Sequence[int]], device: Any) -> tuple[Any, Any]:
    """Rows of different lengths as one block with padding on the right, and its mask."""
    import torch

    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=device)
    return ids, mask
