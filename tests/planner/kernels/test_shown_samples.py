"""Samples that become visible are the same with the kernel and without."""

import numpy as np
import pytest

from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.kernels import switch
from planner.units import US_PER_S

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")


def seen_by_autoscalers(places):
    """Columns and changes over samples of all pods or some, at one time or each at its own, with losses in between."""
    draws, samples, seen = np.random.default_rng(3), UsageSamples(2 * US_PER_S, 30 * US_PER_S), []
    for number in range(1, 120):
        now_us = number * 15 * US_PER_S
        pods = np.flatnonzero(draws.random(90) < (1.0 if number % 4 else 0.7))
        usage = draws.integers(0, 4, len(pods))
        taken = now_us - draws.integers(0, US_PER_S, len(pods)) if number % 3 else None
        window = 15 * US_PER_S if number % 2 else draws.integers(1, US_PER_S, len(pods))
        memory = draws.integers(0, 2, (1 + (number > 50) * (places - 1), len(pods))) if places else None
        samples.record(now_us, window, pods, usage, memory, taken_us=taken)
        if number % 11 == 0:
            samples.expire(now_us, np.arange(90))
        if number % 17 == 0:
            samples.set_answering(False)
            samples.set_answering(True)
        samples.advance(now_us + 2 * US_PER_S)
        changed = samples.take_changed().tolist()
        columns = samples.time_us, samples.window_us, samples.usage_milli, samples.memory_of(np.arange(90))
        seen.append((changed, *(column.tolist() for column in columns)))
    return seen


@needs_kernels
@pytest.mark.parametrize("places", [0, 1, 2])
def test_what_autoscalers_see_is_the_same(places, monkeypatch):
    found = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        found.append(seen_by_autoscalers(places))
    assert found[0] == found[1]
    assert any(0 < len(changed) < 90 for changed, *_ in found[0])
