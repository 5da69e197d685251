"""What follows a pass whose command could not be started."""

from itertools import pairwise

import pytest

from planner.karpenter.control.commands import CommandQueue
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool, run
from tests.planner.nodes.small_plan import a_workload

MS = 1000
FEWER_PODS = {"type": "setReplicas", "at": "2m", "workload": "web", "replicas": 1}
NEW_IMAGE = {"type": "nodeClassChange", "at": "2m", "nodeGroup": "general"}


@pytest.mark.parametrize(("event", "waits_ms"), [
    (FEWER_PODS, [15_005, 15_010, 15_020, 15_040]),
    (NEW_IMAGE, [5, 10, 20, 40]),
])  # fmt: skip
def test_a_failed_start_is_tried_again_soon_after_validation(event, waits_ms, monkeypatch):
    started = []

    def start(self, command):
        started.append(self._world.now_us)
        return False

    monkeypatch.setattr(CommandQueue, "start", start)
    run(karpenter_plan([pool()], workloads=[a_workload("web", 7)], events=[event]), 300)
    assert [after - before for before, after in pairwise(started)][:4] == [wait * MS for wait in waits_ms]


def test_a_start_that_succeeds_ends_the_growth_of_the_waits(monkeypatch):
    times, real = [], CommandQueue.start

    def start(self, command):
        times.append(self._world.now_us)
        return False if len(times) in (1, 2, 4) else real(self, command)

    monkeypatch.setattr(CommandQueue, "start", start)
    run(karpenter_plan([pool()], workloads=[a_workload("web", 15)], events=[NEW_IMAGE]), 400)
    waits = [after - before for before, after in pairwise(times)]
    assert waits[:2] == [5 * MS, 10 * MS] and waits[3] == 5 * MS
