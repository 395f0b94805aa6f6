"""What a language model is asked about a state: (text, u) in, one token out."""

from __future__ import annotations

from maxcode.core import InputError
from maxcode.search.observe.fitting import CHARACTERS_PER_TOKEN
from maxcode.value.state import State

RAN = "How fast will the best of the next programs made from this one be?"
NOT_RUN = "It has not been run yet. How fast will it be?"


def question(state: State) -> str:
    """The end of the prompt, which is never cut."""
    asked = NOT_RUN if state.masked else RAN
    return (
        f"\n## Question\nBest speedup on the path so far: {state.u:.2f}; depth {state.depth}. {asked} "
        "0: wrong or no faster than the original; 1 to 4: from a little faster to the fastest.\nClass="
    )


def body(state: State) -> str:
    """The part that may be cut, from its beginning."""
    if not state.text:
        raise InputError(
            f"a state of {state.task} has no text, and this model reads text; make the data without --no-text."
        )
    return state.text


def prompt_within(state: State, max_tokens: int) -> str:
    """Prompt of about `max_tokens` tokens, by an estimate: only the endpoint knows the exact count."""
    asked = question(state)
    room = max(int(max_tokens * CHARACTERS_PER_TOKEN) - len(asked), 0)
    return body(state)[-room:] + asked if room else asked
