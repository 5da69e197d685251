"""Disks of nodes in runs: reclaim, evictions, limits of scratch space, the condition and its taint."""

from typing import Any

import pytest

from planner.nodes.kubelet.pressure import Pressure
from planner.nodes.kubelet.pressure_taints import PRESSURE_TAINTS
from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.record.details.nodes import LimitEviction, Reclaimed
from planner.record.text.explain import why
from planner.units import GIB, US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds


def logging(growth: str, kubelet: dict[str, Any] | None = None, limit: str | None = None, **parts: Any) -> Plan:
    """One node with a disk of 100 GiB, 10 GiB of which are the system's, and a pod that fills it."""
    resources: dict[str, Any] = {"requests": {"cpu": "1", "memory": "1Gi"}}
    if limit:
        resources["limits"] = {"ephemeralStorage": limit}
    chatty = a_workload(
        "chatty", 1, pod={"containers": [{"name": "main", **resources}]}, diskUse={"growthPerHour": growth},
    )  # fmt: skip
    kubelet = {"evictionPressureTransitionPeriod": "30s", **(kubelet or {})}
    group = a_group("pool", 1, kubelet=kubelet, ephemeralStorage="80Gi")
    plan = a_plan(nodeGroups=[group], workloads=[chatty], **parts)
    assert list(check_plan(plan)) == []
    return plan


def test_a_disk_that_fills_ends_in_an_eviction_at_the_threshold_of_the_image_disk() -> None:
    """One disk holds everything, so imagefs (15 %) is reached before nodefs (10 %)."""
    sim = run_of(logging("300Gi"))
    first = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)[0]
    reached_s = (90 - 15) / 300 * 3600
    assert reached_s < first.time_us / US_PER_S <= reached_s + 10
    assert (first.details.signal, first.details.is_hard) == ("imagefs.available", True)
    assert first.details.used == pytest.approx(75 * GIB, rel=0.02)
    assert first.details.available < first.details.threshold
    assert "low on resource: ephemeral-storage" in why(first)


def test_growth_below_the_threshold_evicts_no_pod() -> None:
    assert decisions_of(run_of(logging("140Gi")), Actor.KUBELET, Verdict.EVICTED) == []


def test_unused_images_and_dead_containers_go_before_a_pod() -> None:
    plan = logging("300Gi", {"unusedImages": "20Gi", "deadContainers": "10Gi"})
    sim = run_of(plan)
    (reclaimed,) = decisions_of(sim, Actor.KUBELET, Verdict.REMOVED)
    evicted = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)[0]
    filled_s = (90 - 30 - 15) / 300 * 3600
    assert filled_s < reclaimed.time_us / US_PER_S <= filled_s + 10
    assert reclaimed.details == Reclaimed(freed_bytes=30 * GIB)
    assert 900 < evicted.time_us / US_PER_S <= 910, "the eviction comes as late as without them"


def test_a_node_under_disk_pressure_carries_the_taint_until_it_is_over() -> None:
    plan = logging("300Gi")
    taint = PRESSURE_TAINTS[Pressure.DISK]
    during, after = run_of(plan, 930), run_of(plan, 1000)
    assert taint in during.cluster.node_taints(0)
    assert taint not in after.cluster.node_taints(0)
    begun = decisions_of(after, Actor.KUBELET, Verdict.PRESSURE)
    over = decisions_of(after, Actor.KUBELET, Verdict.PRESSURE_OVER)
    assert [one.details.conditions for one in (*begun, *over)] == [("DiskPressure",)] * 2
    assert int(after.cluster.workloads.ready[0]) == 1


def test_a_pod_above_the_limit_of_its_containers_goes_while_the_disk_has_room() -> None:
    sim = run_of(logging("60Gi", limit="5Gi"), 700)
    evicted = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert [300 < at <= 310 for at in seconds(evicted)[:1]] == [True]
    assert isinstance(evicted[0].details, LimitEviction)
    assert "above the limit of 5120Mi" in why(evicted[0])
    assert decisions_of(sim, Actor.KUBELET, Verdict.PRESSURE) == []
    assert len(evicted) == 2, "its successor starts from zero"


def test_a_soft_threshold_waits_for_its_grace_period() -> None:
    kubelet = {
        "evictionHard": {"memory.available": "100Mi"},
        "evictionSoft": {"nodefs.available": "50%"},
        "evictionSoftGracePeriod": {"nodefs.available": "90s"},
        "evictionMaxPodGracePeriod": "5s",
    }
    sim = run_of(logging("300Gi", kubelet))
    first = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)[0]
    assert (first.details.signal, first.details.is_hard) == ("nodefs.available", False)
    assert 480 + 90 < first.time_us / US_PER_S <= 480 + 90 + 20


def test_a_disk_that_is_full_from_the_start_is_refused() -> None:
    group = a_group("pool", 1, kubelet={"disk": "20Gi", "systemDisk": "15Gi", "unusedImages": "5Gi"})
    assert [one.where for one in check_plan(a_plan(nodeGroups=[group]))] == ["nodeGroups[0].kubelet.disk"]


def test_a_container_above_its_own_limit_takes_its_pod_away() -> None:
    """The first container writes everything, so the larger limit of the second one does not help."""
    writers = [{"name": "main", "limits": {"ephemeralStorage": "1Gi"}}]
    writers.append({"name": "agent", "limits": {"ephemeralStorage": "9Gi"}})
    chatty = a_workload("chatty", 1, pod={"containers": writers}, diskUse={"growthPerHour": "6Gi"})
    group = a_group("pool", 1, kubelet={}, ephemeralStorage="80Gi")
    first = decisions_of(run_of(a_plan(nodeGroups=[group], workloads=[chatty])), Actor.KUBELET, Verdict.EVICTED)[0]
    assert 600 < first.time_us / US_PER_S <= 620
    assert first.details.limit == GIB
