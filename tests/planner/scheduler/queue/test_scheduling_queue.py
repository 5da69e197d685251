import itertools

import pytest
from hypothesis import given, strategies

from planner.plan.model.scheduler import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.backoff import backoff_end_us, backoff_is_over, first_flush_us
from planner.scheduler.queue.queued_pod import QueuePlace
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.scheduler.queue.wake_facts import waiting_pod
from planner.units import US_PER_S
from tests.planner.scheduler.builders import a_cluster, a_template

PROFILE = SchedulerProfile()


def waiting():
    return waiting_pod(a_template(a_cluster()), (PluginName.NODE_RESOURCES_FIT,), PROFILE)


def next_of(queue):
    """The pod that is tried next, if there is one."""
    queued = queue.pop()
    return None if queued is None else queued.pod


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (50, 10)])
def test_the_backoff_doubles_up_to_ten_seconds(attempts, seconds):
    assert backoff_end_us(0, attempts, US_PER_S, 10 * US_PER_S) == seconds * US_PER_S


def test_the_end_of_the_backoff_is_cut_to_a_whole_second_and_must_be_past():
    assert backoff_end_us(1_700_000, 1, US_PER_S, 10 * US_PER_S) == 2 * US_PER_S
    assert not backoff_is_over(2_999_999, 2 * US_PER_S)
    assert backoff_is_over(3 * US_PER_S, 2 * US_PER_S)


def test_higher_priority_first_then_order_of_entry():
    queue = SchedulingQueue(PROFILE)
    for pod, priority in enumerate([0, 10, 0, 10]):
        queue.add(pod, priority, 0)
    assert [next_of(queue) for _ in range(5)] == [1, 3, 0, 2, None]


@given(strategies.lists(strategies.one_of(strategies.none(), strategies.integers(-2, 2))))
def test_pods_that_come_between_attempts_are_tried_in_the_same_order(script):
    queue, waits, pods = SchedulingQueue(PROFILE), [], itertools.count()
    for priority in [*script, *[None] * len(script)]:
        if priority is None:
            assert next_of(queue) == (waits.pop(0)[1] if waits else None)
        else:
            pod = next(pods)
            queue.add(pod, priority, 0)
            waits = sorted([*waits, (-priority, pod)])


def test_a_refused_pod_waits_until_a_change_helps_and_an_idle_scheduler_does_not_wait_for_the_backoff():
    queue = SchedulingQueue(PROFILE)
    queue.add(0, 0, 0)
    queue.pop()
    queue.refused(0, 0, waiting())
    assert next_of(queue) is None
    queue.wake(500_000, lambda _: True)
    assert queue.place(0) == QueuePlace.BACKOFF
    assert next_of(queue) == 0


def test_a_pod_that_failed_with_an_error_waits_for_its_backoff():
    queue = SchedulingQueue(PROFILE)
    queue.add(0, 0, 0)
    queue.pop()
    queue.failed(0, 0)
    assert next_of(queue) is None
    assert queue.next_timer_us(0) == 2 * US_PER_S
    queue.flush(US_PER_S)
    assert next_of(queue) is None
    queue.flush(2 * US_PER_S)
    assert next_of(queue) == 0


def test_the_unschedulable_pool_is_flushed_after_more_than_five_minutes_on_half_minutes():
    assert first_flush_us(0) == 330 * US_PER_S
    assert first_flush_us(29 * US_PER_S) == 330 * US_PER_S
    queue = SchedulingQueue(PROFILE)
    queue.add(0, 0, 0)
    queue.pop()
    queue.refused(0, 0, waiting())
    assert queue.next_timer_us(0) == 330 * US_PER_S
    queue.flush(300 * US_PER_S)
    assert queue.place(0) == QueuePlace.UNSCHEDULABLE
    queue.flush(330 * US_PER_S)
    assert queue.place(0) == QueuePlace.ACTIVE
