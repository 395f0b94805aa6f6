"""How long to sample: losers are dropped at once, winners are measured until they can be ranked."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import pytest

from maxcode.core import Measurement, Mode, Noise, Verdict
from maxcode.evaluate.measure.pairs import Pair, Timing
from maxcode.evaluate.measure.sampling import PLANS, measure, measure_noise
from maxcode.evaluate.measure.statistics import MIN_PAIRS

CALM = Noise(exclusive=0.02, duet=0.008, pairs=5)
LOUD = Noise(exclusive=0.12, duet=0.05, pairs=5)


@dataclass
class Simulated:
    """Pairs of a program that is `speedup` times as fast, with noise in log-time."""

    speedup: float
    noise: float
    start_first: float = 1.0
    """Factor on the CPU time of the program that is started first in a duet."""
    rng: random.Random = field(default_factory=lambda: random.Random(4))

    def _pair(self, noise: float) -> Pair:
        baseline, candidate = (0.1 * self.rng.lognormvariate(0, noise / 2**0.5) for _ in range(2))
        times = (baseline, candidate / self.speedup)
        return Timing(times[0], times[0], 10.0), Timing(times[1], times[1], 10.0)

    def exclusive(self, candidate_first: bool) -> Pair:
        del candidate_first
        return self._pair(self.noise)

    def duet(self, candidate_first: bool) -> Pair:
        baseline, candidate = self._pair(self.noise / 4)
        if candidate_first:
            return baseline, replace(candidate, cpu=candidate.cpu * self.start_first)
        return replace(baseline, cpu=baseline.cpu * self.start_first), candidate

    def again(self, number: int, candidate_first: bool) -> Pair:
        del number
        return self.exclusive(candidate_first)

    def close(self) -> None: ...


def measured(speedup: float, noise: Noise, mode: Mode = Mode.SEARCH) -> Measurement:
    return measure(Simulated(speedup, noise.exclusive), mode=mode, noise=noise, cpus=(0,))


def test_a_clear_winner_on_a_calm_machine_takes_few_pairs() -> None:
    found = measured(8.0, CALM)
    assert found.verdict is Verdict.FASTER
    assert len(found.samples) <= 5
    assert found.ci_high / found.ci_low < 1.5


def test_a_winner_on_a_loud_machine_is_measured_longer_so_that_it_can_be_ranked() -> None:
    found = measured(8.0, LOUD)
    assert found.verdict is Verdict.FASTER
    assert PLANS[Mode.SEARCH].first < len(found.samples) <= PLANS[Mode.SEARCH].patience
    assert {sample.method for sample in found.samples} == {"exclusive"}


def test_a_loser_on_a_loud_machine_is_let_go_as_soon_as_it_is_known() -> None:
    found = measured(0.1, LOUD)
    assert found.verdict is Verdict.SLOWER
    assert len(found.samples) <= PLANS[Mode.SEARCH].first


def test_near_ties_ask_the_duet() -> None:
    assert "duet" in {sample.method for sample in measured(1.01, CALM).samples}


@pytest.mark.parametrize("seed", range(5))
def test_which_program_of_a_duet_is_started_first_does_not_matter(seed: int) -> None:
    pairs = Simulated(1.0, CALM.exclusive, start_first=1.01, rng=random.Random(seed))
    assert measure(pairs, mode=Mode.SEARCH, noise=CALM, cpus=(0,)).verdict in (Verdict.TIE, Verdict.UNCLEAR)


def test_confirming_goes_on_until_the_interval_is_tight() -> None:
    found = measured(2.0, CALM, Mode.CONFIRM)
    assert found.ci_high / found.ci_low <= 1.05**2 or len(found.samples) == PLANS[Mode.CONFIRM].exclusive


def test_measuring_further_takes_exactly_as_many_pairs() -> None:
    for speedup in (0.1, 1.0, 8.0):
        found = measure(Simulated(speedup, 0.02), mode=Mode.SEARCH, noise=CALM, cpus=(0,), further=6)
        assert [sample.method for sample in found.samples] == ["exclusive"] * 6


def test_confirming_ends_when_its_time_is_up() -> None:
    found = measure(Simulated(2.0, 0.12), mode=Mode.CONFIRM, noise=LOUD, cpus=(0,), seconds=9.0, most_seconds=0.0)
    assert len(found.samples) == MIN_PAIRS


def test_a_winner_is_sampled_for_the_seconds_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def later() -> float:
        now[0] += 0.1
        return now[0]

    monkeypatch.setattr("maxcode.evaluate.measure.sampling.time.monotonic", later)
    pairs = Simulated(2.0, CALM.exclusive)
    found = measure(pairs, mode=Mode.CONFIRM, noise=CALM, cpus=(0,), seconds=8.0)
    assert now[0] > 8.0 or len(found.samples) == PLANS[Mode.CONFIRM].exclusive
    assert len(found.samples) > len(measured(2.0, CALM, Mode.CONFIRM).samples)


@dataclass
class DisturbedAtFirst(Simulated):
    """The machine is busy with something else for the first few pairs."""

    disturbed: int = 5

    def exclusive(self, candidate_first: bool) -> Pair:
        self.disturbed -= 1
        self.noise = 0.3 if self.disturbed >= 0 else 0.01
        return super().exclusive(candidate_first)


def test_noise_of_a_disturbed_moment_is_not_what_is_believed_for_a_day() -> None:
    assert measure_noise(DisturbedAtFirst(1.0, 0.01), cpus=(0,), threads=2).exclusive < 0.05


def test_noise_that_stays_is_found_as_it_is() -> None:
    found = measure_noise(Simulated(1.0, 0.3), cpus=(0,), threads=2)
    assert found.exclusive > 0.1
    assert found.pairs == 15


@dataclass
class SlowAtTimes(Simulated):
    """Pairs on numbered inputs; the candidate takes `slow` seconds, and sleeps `asleep`, on one in `every`."""

    every: int = 16
    slow: float = 0.0
    asleep: float = 0.0
    repeats: bool = True
    number: int = 0
    looked_again: int = 0

    def exclusive(self, candidate_first: bool) -> Pair:
        del candidate_first
        self.number += 1
        return self._numbered(self.number - 1)

    def again(self, number: int, candidate_first: bool) -> Pair:
        del candidate_first
        self.looked_again += 1
        return self._numbered(number if self.repeats else 0)

    def _numbered(self, number: int) -> Pair:
        baseline, candidate = self._pair(self.noise)
        if number % self.every < self.every - 1:
            return baseline, candidate
        cpu = candidate.cpu + self.slow
        return baseline, Timing(cpu, cpu + self.asleep, 10.0)


def confirmed(pairs: SlowAtTimes) -> Measurement:
    return measure(pairs, mode=Mode.CONFIRM, noise=CALM, cpus=(0,), seconds=1e9)


def test_a_program_that_is_rarely_slow_but_then_for_long_is_not_faster() -> None:
    found = confirmed(SlowAtTimes(3.0, 0.02, slow=2.0))
    assert found.verdict is not Verdict.FASTER
    assert found.speedup < 1


def test_what_does_not_repeat_on_the_same_input_was_the_machine() -> None:
    pairs = SlowAtTimes(1.5, 0.02, slow=0.05, every=30, repeats=False)
    assert confirmed(pairs).verdict is Verdict.FASTER
    assert pairs.looked_again == 2


def test_what_takes_many_times_as_much_cpu_time_by_chance_is_the_program() -> None:
    pairs = SlowAtTimes(3.0, 0.02, slow=2.0, every=30, repeats=False)
    assert confirmed(pairs).verdict is not Verdict.FASTER


def test_slow_again_and_again_on_one_side_only_is_the_program() -> None:
    assert confirmed(SlowAtTimes(3.0, 0.02, slow=2.0, every=10, repeats=False)).verdict is not Verdict.FASTER


def test_a_program_that_is_a_little_slow_on_some_inputs_is_faster_all_the_same() -> None:
    found = confirmed(SlowAtTimes(3.0, 0.02, slow=0.1))
    assert found.verdict is Verdict.FASTER
    assert found.speedup > 2.5


@pytest.mark.parametrize("every", [2, 3, 8])
def test_a_program_that_sleeps_at_times_is_timed_by_the_wall(every: int) -> None:
    found = confirmed(SlowAtTimes(3.0, 0.02, asleep=2.0, every=every))
    assert found.clock == "wall"
    assert found.verdict is not Verdict.FASTER


@dataclass
class Crowded(Simulated):
    """Both programs wait for a core in some pairs."""

    turn: int = 0

    def exclusive(self, candidate_first: bool) -> Pair:
        self.turn += 1
        pair = super().exclusive(candidate_first)
        baseline, candidate = (Timing(t.cpu, t.wall + (0.3 if self.turn % 4 == 0 else 0), 10.0) for t in pair)
        return baseline, candidate


def test_programs_that_both_wait_for_a_core_are_timed_by_the_processor() -> None:
    found = measure(Crowded(3.0, 0.02), mode=Mode.CONFIRM, noise=CALM, cpus=(0,), seconds=1e9)
    assert (found.clock, found.verdict) == ("cpu", Verdict.FASTER)


@dataclass
class InARow(Simulated):
    """Calls that take less time in a row than one at a time, by `together`; a call alone costs `cold` seconds more."""

    together: float = 1.0
    cold: float = 0.0

    def exclusive(self, candidate_first: bool) -> Pair:
        baseline, candidate = super().exclusive(candidate_first)
        alone = candidate.cpu + self.cold
        row = candidate.cpu / self.together
        least = Timing(max(alone - 2 * self.cold, row), max(alone - 2 * self.cold, row))
        return replace(baseline, alone=baseline), Timing(
            row, row, 10.0, alone=Timing(alone, alone), alone_at_least=least
        )


@pytest.mark.parametrize("mode", list(Mode))
def test_calls_that_are_worked_on_together_are_timed_one_at_a_time(mode: Mode) -> None:
    found = measure(InARow(1.0, 0.02, together=1.6), mode=mode, noise=CALM, cpus=(0,))
    assert found.verdict is not Verdict.FASTER
    assert found.speedup == pytest.approx(1.0, abs=0.03)
    assert found.note and "one at a time" in found.note


def test_calls_that_are_faster_in_a_row_than_cold_caches_explain_keep_what_they_gain_alone() -> None:
    found = measure(InARow(2.0, 0.02, together=1.5), mode=Mode.CONFIRM, noise=CALM, cpus=(0,))
    assert found.verdict is Verdict.FASTER
    assert found.speedup == pytest.approx(2.0, rel=0.05)


def test_cold_caches_change_nothing() -> None:
    found = measure(InARow(2.0, 0.02, cold=0.02), mode=Mode.CONFIRM, noise=CALM, cpus=(0,))
    assert found.note is None
    assert found.speedup == pytest.approx(2.0, rel=0.05)
