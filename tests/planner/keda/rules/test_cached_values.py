"""Triggers whose values the autoscaler gets from the last poll."""

import pytest

from planner.keda.rules.hpa_values import TargetState, answer_milli, cached_or_fresh, still_cached
from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scaled_object import FallbackSpec, ScaledObjectSpec, TriggerKind, TriggerSpec, metric_names


def an_object(fallback: FallbackSpec | None = None) -> ScaledObjectSpec:
    """Two triggers; the first one is cached."""
    triggers = [
        TriggerSpec(TriggerKind.EXTERNAL, "orders", "", 5.0, 0.0, cached=True),
        TriggerSpec(TriggerKind.EXTERNAL, "mails", "", 5.0, 0.0),
    ]
    return ScaledObjectSpec("web", triggers, fallback=fallback)


def answers(
    spec: ScaledObjectSpec, polled: list[float | None], *fresh: tuple[float | None, ...]
) -> list[list[int | None]]:
    """What the autoscaler gets of both triggers at one query after the other."""
    status, target, found = ObjectStatus(), TargetState(3, 3), []
    for values in fresh:
        round_of = []
        for name in metric_names(spec.triggers):
            known = cached_or_fresh(spec, polled, values)
            milli = answer_milli(spec, name, known, None, target, status)
            polled = still_cached(polled, known, milli)
            round_of.append(milli)
        found.append(round_of)
    return found


def test_a_cached_trigger_has_the_value_of_the_poll_and_the_other_a_fresh_one() -> None:
    assert answers(an_object(), [10.0, 10.0], (20.0, 20.0)) == [[10_000, 20_000]]


def test_before_the_first_poll_a_cached_trigger_is_read() -> None:
    assert answers(an_object(), [], (20.0, 20.0)) == [[20_000, 20_000]]


def test_the_failure_of_the_last_poll_is_cached_for_one_query() -> None:
    assert answers(an_object(), [None, 10.0], (20.0, 20.0), (20.0, 20.0)) == [[None, 20_000], [20_000, 20_000]]


def test_a_failure_of_another_trigger_empties_the_cache() -> None:
    assert answers(an_object(), [10.0, 10.0], (20.0, None), (20.0, 20.0)) == [[10_000, None], [20_000, 20_000]]


@pytest.mark.parametrize(("threshold", "expected"), [(0, [20_000, 20_000]), (1, [None, 30_000])])
def test_a_fallback_that_stands_in_keeps_the_failure_of_the_poll(threshold: int, expected: list[int | None]) -> None:
    """20 = a target of 5 times 4 replicas, although the trigger could be read again; both are 30 by then."""
    fallback = FallbackSpec(threshold, 4)
    [first, second] = answers(an_object(fallback), [None, 30.0], (30.0, 30.0), (30.0, 30.0))
    assert [first[0], second[0]] == expected
    assert [first[1], second[1]] == [30_000, 30_000]
