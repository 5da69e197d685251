"""Conditions that queries of the autoscaler write back from the copy beside the scalers."""

from dataclasses import replace

from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scale_loop import UNKNOWN, KedaCondition, LoopStatus

READY, ACTIVE = KedaCondition(True, "ScaledObjectReady"), KedaCondition(True, "ScalerActive")
POLLED = LoopStatus(READY, ACTIVE, last_active_us=0)


def query(status: ObjectStatus, is_failing: bool, threshold: int | None = 1) -> None:
    status.query_began()
    status.count("queue", is_failing, threshold)
    exceeded = threshold is not None and status.failures["queue"] > threshold
    status.query_ended(is_failing and not exceeded)


def test_the_first_fallback_condition_brings_ready_and_active_back_to_unknown() -> None:
    status = ObjectStatus()
    status.poll_ended(POLLED, has_error=False)
    query(status, is_failing=False)
    assert status.fallback == KedaCondition(False, "NoFallbackFound")
    assert status.loop == LoopStatus(UNKNOWN, UNKNOWN, last_active_us=0)


def test_without_a_fallback_queries_write_nothing() -> None:
    status = ObjectStatus()
    status.poll_ended(POLLED, has_error=False)
    query(status, is_failing=False, threshold=None)
    assert (status.loop, status.fallback) == (POLLED, UNKNOWN)


def test_a_copy_that_a_poll_built_is_as_fresh_as_the_object() -> None:
    status = ObjectStatus()
    query(status, is_failing=True)
    status.poll_ended(POLLED, has_error=False)
    for is_failing in (True, True, False):
        query(status, is_failing)
        assert status.loop == POLLED
    assert status.fallback == KedaCondition(True, "FallbackExists")


def test_a_copy_that_a_query_built_is_as_old_as_the_last_write() -> None:
    status = ObjectStatus()
    query(status, is_failing=True)
    query(status, is_failing=True)
    later = replace(POLLED, active=KedaCondition(False, "ScalerNotActive"))
    status.poll_ended(later, has_error=False)
    query(status, is_failing=False)
    assert status.fallback == KedaCondition(True, "FallbackExists")
    assert status.loop == replace(later, ready=UNKNOWN, active=UNKNOWN)
