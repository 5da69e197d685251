"""One pass of the StatefulSet rule."""

import pytest

from planner.workloads.controllers.stateful import SetPod, SetRules, stateful_pass


def ready(ordinal: int, up_to_date: bool = False) -> SetPod:
    return SetPod(ordinal, up_to_date, ready_for_us=1)


def failed(ordinal: int, up_to_date: bool = False, terminating: bool = False) -> SetPod:
    return SetPod(ordinal, up_to_date, running=False, finished=True, terminating=terminating)


@pytest.mark.parametrize(
    ("rules", "pods", "delete"),
    [
        # The next pass replaces the others: an outdated pod that is going holds the update.
        (SetRules(3, parallel=True, partition=1), [ready(0), ready(1), failed(2)], [2, 2]),
        (SetRules(3, parallel=True, partition=1), [ready(0), ready(1), failed(2, terminating=True)], []),
        (SetRules(3, parallel=True, partition=1), [ready(0), failed(1), ready(2)], [1, 2]),
        (SetRules(3, parallel=True, partition=1), [ready(0), failed(1), ready(2, True)], [1, 1]),
        (SetRules(3, parallel=True, partition=1), [failed(0), ready(1, True), ready(2, True)], [0]),
        (SetRules(3, parallel=True, partition=1), [ready(0), ready(1), failed(2, True)], [2]),
        (SetRules(3, parallel=True, on_delete=True), [ready(0), ready(1), failed(2)], [2]),
        (SetRules(3, partition=1), [ready(0), ready(1), failed(2)], [2]),
    ],
)
def test_a_finished_outdated_pod_of_a_parallel_set_is_named_as_finished_and_as_outdated(
    rules: SetRules, pods: list[SetPod], delete: list[int]
) -> None:
    assert stateful_pass(rules, pods).delete == delete
