"""Hidden states and choices of a causal model, with a prompt read once for all the answers that share it.

A group of answers has one prompt, most of its tokens: reading it once instead of once per answer makes training a
small model several times faster. Gradients flow through what was kept of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NONE = -1
"""Padding of rows of allowed tokens."""


def backbone(model: Any) -> Any:
    """The layers without the output head; adapters sit inside them."""
    return _causal(model).base_model


def head(model: Any) -> Any:
    return _causal(model).get_output_embeddings()


def _causal(model: Any) -> Any:
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def read_prompts(model: Any, ids: Any, mask: Any) -> Any:
    """Key-value cache of prompts that are padded on the left."""
    return advance(model, None, ids, mask)[1]


def advance(model: Any, cache: Any, ids: Any, mask: Any) -> tuple[Any, Any]:
    """Hidden states of the tokens, and the cache with them. `mask` covers all that was read so far and the tokens.

    Padding may lie anywhere: a token's position is the number of tokens before it.
    """
    positions = (mask.cumsum(-1) - 1).clamp(min=0)[:, -ids.size(1) :]
    found = backbone(model)(
        input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True
    )
    return found.last_hidden_state, found.past_key_values


def choice_log_probabilities(output: Any, hidden: Any, allowed: Any, temperature: float) -> Any:
    """Log-probabilities of each row's allowed tokens among each other; -inf where a row has fewer than the longest.

    It multiplies and sums instead of a matrix product, which autocast would do in bf16, and only in training.
    """
    import torch

    weights = output.weight[allowed.clamp(min=0)]
    logits = (weights.float() * hidden.float().unsqueeze(1)).sum(-1)
    if getattr(output, "bias", None) is not None:
        logits = logits + output.bias[allowed.clamp(min=0)]
    logits = (logits / temperature).masked_fill(allowed == NONE, -torch.inf)
    return logits.log_softmax(-1)


def as_rows(allowed: Sequence[Sequence[int]], device: Any) -> Any:
    """Lists of tokens as one tensor."""
    import torch

    width = max(map(len, allowed))
    return torch.tensor([[*row, *[NONE] * (width - len(row))] for row in allowed], device=device)


def completion_hidden(model: Any, ids: Any, mask: Any, length: int) -> Any:
    """Hidden states from which the last `length` tokens of each row are predicted; each prompt is read once."""
    import torch

    prompts, prompt_mask = padded_on_the_right(ids[:, : -length - 1], mask[:, : -length - 1])
    unique, row_of = torch.unique(prompts, dim=0, return_inverse=True)
    first = torch.stack([(row_of == each).nonzero()[0, 0] for each in range(len(unique))])
    cache = advance(model, None, prompts[first], prompt_mask[first])[1]
    cache.batch_select_indices(row_of)
    seen = torch.cat([prompt_mask, mask[:, -length - 1 : -1]], dim=1)
    return advance(model, cache, ids[:, -length - 1 : -1], seen)[0]


def padded_on_the_right(ids: Any, mask: Any) -> tuple[Any, Any]:
    """The same rows with their padding after them instead of before.

    A token of padding that comes first has nothing to attend to, and what comes of a softmax over nothing is up to each
    of torch's kernels.
    """
    order = mask.sort(dim=1, descending=True, stable=True).indices
    return ids.gather(1, order), mask.gather(1, order)


def completion_choices(
    model: Any, ids: Any, mask: Any, length: int, allowed: Any, temperature: float
) -> tuple[Any, Any]:
    """Log-probability under the grammar and entropy of the choice, for the last `length` tokens of each row.

    `allowed` is (rows, length, widest choice); places without a choice are all `NONE` and have 0 for both.
    """
    import torch

    hidden = completion_hidden(model, ids, mask, length)
    rows, places = (allowed[..., 0] != NONE).nonzero(as_tuple=True)
    found = choice_log_probabilities(head(model), hidden[rows, places], allowed[rows, places], temperature)
    chosen = (allowed[rows, places] == ids[:, -length:][rows, places].unsqueeze(-1)).int().argmax(-1)
    taken = found.gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
    entropy = -(found.exp() * found.clamp(min=torch.finfo(found.dtype).min)).nan_to_num().sum(-1)
    blank = hidden.new_zeros(allowed.shape[:2], dtype=found.dtype)
    return blank.index_put((rows, places), taken), blank.index_put((rows, places), entropy)


def completion_tokens(model: Any, ids: Any, mask: Any, length: int, temperature: float) -> tuple[Any, Any]:
    """Log-probability among all tokens and entropy, for the last `length` tokens of each row.

    Row by row, and once more for the gradients: the probabilities of all tokens of all rows would be the largest
    thing in memory.
    """
    import torch
    from torch.utils.checkpoint import checkpoint

    hidden = completion_hidden(model, ids, mask, length)
    output, wanted = head(model), ids[:, -length:]

    def scored(states: Any, tokens: Any) -> tuple[Any, Any]:
        found = (output(states).float() / temperature).log_softmax(-1)
        return found.gather(-1, tokens.unsqueeze(-1)).squeeze(-1), -(found.exp() * found).sum(-1)

    rows = [
        checkpoint(scored, *row, use_reentrant=False, preserve_rng_state=False)
        for row in zip(hidden, wanted, strict=True)
    ]
    taken, entropies = zip(*rows, strict=True)
    return torch.stack(taken), torch.stack(entropies)
