"""New arguments like those that were seen: of the same types, in the same ranges, words made of the same letters."""

import random
import re
import types
from typing import Any

FEW = 6
"""Number of different words up to which an argument is taken for a choice among them."""
IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), types.FunctionType, type)


class Ideas:
    """Values that were seen at each place of the arguments."""

    def __init__(self, calls: list[Any], rng: random.Random) -> None:
        self._calls, self._rng = calls, rng
        self._seen: dict[Any, list[Any]] = {}
        for args, kwargs in calls:
            for place, value in [*enumerate(args), *kwargs.items()]:
                self._note(place, value, 0)

    def varied(self, call: Any) -> Any:
        """Arguments like those of a call, some of them changed or taken from another call."""
        args, kwargs = call
        memo: dict[int, Any] = {}
        places = [*range(len(args)), *kwargs]
        chosen = set(self._rng.sample(places, self._rng.randint(1, len(places)))) if places else set()
        new = [self._new(each, place, memo) if place in chosen else each for place, each in enumerate(args)]
        return tuple(new), {
            name: self._new(each, name, memo) if name in chosen else each for name, each in kwargs.items()
        }

    def _note(self, place: Any, value: Any, depth: int) -> None:
        if type(value) in IMMUTABLE:
            known = self._seen.setdefault((place, type(value)), [])
            if len(known) < 500 and value not in known:
                known.append(value)
        elif type(value) in (list, tuple, set, frozenset) and depth < 4:
            for each in list(value)[:200]:
                self._note((place, "in"), each, depth + 1)
        elif type(value) is dict and depth < 4:
            for key, each in list(value.items())[:200]:
                self._note((place, "key"), key, depth + 1)
                self._note((place, "value"), each, depth + 1)

    def _new(self, value: Any, place: Any, memo: dict[int, Any]) -> Any:
        if id(value) in memo:
            return memo[id(value)]
        kind = type(value)
        if kind in IMMUTABLE:
            return self._leaf(value, place)
        made = self._container(value, kind, place, memo)
        memo[id(value)] = made
        return made

    def _container(self, value: Any, kind: type, place: Any, memo: dict[int, Any]) -> Any:
        if kind is tuple:
            return tuple(self._new(each, (place, "in"), memo) if self._rng.random() < 0.7 else each for each in value)
        if kind is list:
            return self._list(value, place, memo)
        if kind in (set, frozenset):
            return kind(self._new(each, (place, "in"), memo) for each in value)
        if kind is dict:
            return {
                (self._new(key, (place, "key"), memo) if self._rng.random() < 0.3 else key): (
                    self._new(each, (place, "value"), memo)
                )
                for key, each in value.items()
            }
        if kind is range:
            return range(value.start, max(value.start, value.stop + self._rng.randint(-3, 9)), value.step)
        if kind is bytearray:
            return bytearray(self._bytes(bytes(value)))
        others = [each for each in self._at(place) if type(each) is kind]
        return self._rng.choice(others) if others else value

    def _at(self, place: Any) -> list[Any]:
        """What other calls have at a place; nothing for what lies within an argument."""
        if isinstance(place, int):
            return [args[place] for args, _ in self._calls if place < len(args)]
        return [kwargs[place] for _, kwargs in self._calls if isinstance(place, str) and place in kwargs]

    def _list(self, value: list[Any], place: Any, memo: dict[int, Any]) -> list[Any]:
        made = [self._new(each, (place, "in"), memo) if self._rng.random() < 0.7 else each for each in value]
        action = self._rng.random()
        if made and action < 0.2:
            del made[self._rng.randrange(len(made))]
        elif made and action < 0.4:
            made.insert(self._rng.randrange(len(made) + 1), self._new(self._rng.choice(value), (place, "in"), memo))
        elif action < 0.5:
            self._rng.shuffle(made)
        return made

    def _leaf(self, value: Any, place: Any) -> Any:
        seen, kind = self._seen.get((place, type(value)), [value]), type(value)
        if kind is bool:
            return self._rng.random() < 0.5
        if kind is int:
            return self._int(value, seen)
        if kind is float:
            return self._float(value)
        if kind is str:
            return self._text(value, seen)
        if kind is bytes:
            return self._bytes(value)
        return value

    def _int(self, value: int, seen: list[int]) -> int:
        low, high = min(seen), max(seen)
        way = self._rng.random()
        if way < 0.3:
            return self._rng.choice(seen)
        if way < 0.6 and high - low > 2:
            return self._rng.randint(low, high)
        if way < 0.8:
            near = value + self._rng.randint(-3, 3)
        else:
            size = max(abs(value), 1)
            near = self._rng.randint(size // 2, size * 2) * (-1 if value < 0 else 1)
        return near if low < 0 else max(near, min(low, 1))

    def _float(self, value: float) -> float:
        if value != value or value in (float("inf"), float("-inf")):
            return value
        way = self._rng.random()
        if way < 0.2:
            return float(round(value))
        return value * self._rng.uniform(0.5, 2) if value else self._rng.uniform(0, 1)

    def _text(self, value: str, seen: list[str]) -> str:
        if len(seen) <= FEW and max(map(len, seen)) < 20 and self._rng.random() < 0.5:
            return self._rng.choice(seen)
        if self._rng.random() < 0.15:
            return self._rng.choice(seen)
        share = self._rng.choice((0.05, 0.2, 0.5))
        made = "".join(self._letter(each) if self._rng.random() < share else each for each in value)
        words = re.split(r"(\s+)", made)
        if len(words) > 2 and self._rng.random() < 0.3:
            at, to = self._rng.randrange(0, len(words), 2), self._rng.randrange(0, len(words), 2)
            words[at], words[to] = words[to], words[at]
        return "".join(words)

    def _letter(self, letter: str) -> str:
        if "a" <= letter <= "z":
            return self._rng.choice("abcdefghijklmnopqrstuvwxyz")
        if "A" <= letter <= "Z":
            return self._rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return self._rng.choice("0123456789") if "0" <= letter <= "9" else letter

    def _bytes(self, value: bytes) -> bytes:
        return bytes(
            ord(self._letter(chr(each))) if each < 128 and self._rng.random() < 0.2 else each for each in value
        )
