"""Rules about nodes on plain data, one case a line."""

from collections.abc import Sequence

import pytest

from planner.nodes.drain.drain import DaemonOwner, DrainCandidate, DrainFlags, DrainVerdict, drain_list, drain_verdict
from planner.nodes.drain.shutdown import periods_by_priority, shutdown_groups
from planner.nodes.kubelet.container_restarts import RestartBackoff, next_restart
from planner.nodes.kubelet.ephemeral import ContainerStorage, LimitExceeded, PodStorage, limit_exceeded
from planner.nodes.kubelet.kubelet_admission import admits
from planner.nodes.kubelet.pressure import Pressure
from planner.nodes.kubelet.qos import Claims, QosClass, qos_class
from planner.nodes.kubelet.ranking import DiskLayout, PodUse, RankedPod, StorageUse, rank, victims_of
from planner.nodes.lifecycle.taint_queue import TokenBucket
from planner.nodes.lifecycle.zones import ZoneSettings, ZoneState, zone_state
from planner.plan.derived.reservation_presets import preset_reservation
from planner.plan.model.kubelet import ReservationPreset
from planner.plan.values.thresholds import Signal
from planner.units import GIB, MIB, US_PER_S

BOTH = {"cpu": 1000, "memory": GIB}


@pytest.mark.parametrize(
    ("containers", "level", "expected"),
    [
        pytest.param([Claims()], None, QosClass.BEST_EFFORT, id="nothing asked for"),
        pytest.param([Claims(BOTH, BOTH)], None, QosClass.GUARANTEED, id="requests equal limits"),
        pytest.param([Claims(BOTH, BOTH), Claims()], None, QosClass.BURSTABLE, id="one container without limits"),
        pytest.param([Claims({"cpu": 1000})], None, QosClass.BURSTABLE, id="a request alone"),
        pytest.param([Claims({"cpu": 0})], None, QosClass.BEST_EFFORT, id="zero is nothing"),
        pytest.param([Claims(BOTH, BOTH)], Claims(), QosClass.BEST_EFFORT, id="an empty pod level hides containers"),
        pytest.param([Claims()], Claims(BOTH, BOTH), QosClass.GUARANTEED, id="the pod level decides"),
    ],
)
def test_quality_of_service(containers: list[Claims], level: Claims | None, expected: QosClass) -> None:
    assert qos_class(containers, level) is expected


def pod(key: str, used: int, request: int, priority: int = 0, **parts: bool) -> RankedPod:
    return RankedPod(key, PodUse(memory=used), priority, request, **parts)


@pytest.mark.parametrize(
    ("pods", "order"),
    [
        pytest.param([pod("low", 1, 2), pod("over", 3, 2, 100)], ["over", "low"], id="over the request goes first"),
        pytest.param([pod("high", 3, 2, 9), pod("low", 3, 2, 1)], ["low", "high"], id="then the lower priority"),
        pytest.param([pod("a", 30, 20), pod("b", 19, 1)], ["b", "a"], id="then the larger excess in bytes"),
        pytest.param([pod("at", 2, 2), pod("over", 3, 2)], ["over", "at"], id="exactly at the request is not over"),
        pytest.param([pod("seen", 9, 1), RankedPod("unseen", None)], ["unseen", "seen"], id="no statistics first"),
    ],
)
def test_who_is_evicted_first(pods: list[RankedPod], order: list[str]) -> None:
    assert [group[0].key for group in rank(Signal.MEMORY, pods, DiskLayout())] == order


def test_critical_pods_are_passed_over() -> None:
    groups = rank(Signal.MEMORY, [pod("system", 9, 1, critical=True), pod("web", 1, 1)], DiskLayout())
    assert [victim.key for victim in victims_of(groups)] == ["web"]


def test_layers_count_for_the_disk_they_lie_on() -> None:
    layered = RankedPod("layered", PodUse(disk=StorageUse(layers=10)))
    logging = RankedPod("logging", PodUse(disk=StorageUse(logs=5)))
    apart = DiskLayout(dedicated_image_fs=True)
    assert rank(Signal.NODEFS, [layered, logging], apart)[0][0].key == "logging"
    assert rank(Signal.NODEFS, [layered, logging], DiskLayout())[0][0].key == "layered"


def test_restart_waits_double_and_are_forgiven_after_ten_minutes() -> None:
    state, now_us, waits = None, 0, []
    for run_s in (5, 5, 5, 5, 601, 5):
        exit_us = now_us + run_s * US_PER_S
        state = next_restart(state, exit_us, 300 * US_PER_S)
        waits.append((state.decided_us - exit_us) // US_PER_S)
        now_us = state.decided_us
    assert waits == [0, 10, 20, 40, 0, 10]


def test_a_short_longest_wait_also_shortens_the_first_one() -> None:
    assert next_restart(None, 0, US_PER_S) == RestartBackoff(US_PER_S, 0)


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        pytest.param(PodStorage(5, (), [(3, 2)]), LimitExceeded.EMPTY_DIR, id="emptyDir"),
        pytest.param(PodStorage(5, (), pod_limit=4), LimitExceeded.POD, id="the whole pod"),
        pytest.param(PodStorage(5, (), pod_limit=5), None, id="equal is not above"),
        pytest.param(PodStorage(5, [ContainerStorage(2, 1, 2)]), LimitExceeded.CONTAINER, id="one container"),
        pytest.param(PodStorage(5, (), [(3, 2)], critical=True), None, id="critical pods are spared"),
    ],
)
def test_ephemeral_limits(storage: PodStorage, expected: LimitExceeded | None) -> None:
    assert limit_exceeded(storage, dedicated_image_fs=False) is expected


@pytest.mark.parametrize(
    ("conditions", "qos", "admitted"),
    [
        ((), QosClass.BEST_EFFORT, True),
        ((Pressure.MEMORY,), QosClass.BURSTABLE, True),
        ((Pressure.MEMORY,), QosClass.BEST_EFFORT, False),
        ((Pressure.DISK,), QosClass.GUARANTEED, False),
        ((Pressure.MEMORY, Pressure.PID), QosClass.GUARANTEED, False),
    ],
)
def test_admission_under_pressure(conditions: Sequence[str], qos: QosClass, admitted: bool) -> None:
    assert admits(conditions, qos, False, ()) is admitted
    assert admits(conditions, qos, True, ())


@pytest.mark.parametrize(
    ("nodes", "down", "state"),
    [
        (10, 0, ZoneState.NORMAL),
        (4, 2, ZoneState.NORMAL),
        (10, 6, ZoneState.PARTIAL),
        (10, 5, ZoneState.NORMAL),
        (2, 2, ZoneState.FULL),
        (20, 11, ZoneState.PARTIAL),
    ],
)
def test_states_of_a_zone(nodes: int, down: int, state: ZoneState) -> None:
    assert zone_state(nodes, down, ZoneSettings()) is state


def test_a_token_bucket_says_when_its_next_token_comes() -> None:
    for rate in (0.1, 0.01, 0.37):
        bucket = TokenBucket(rate)
        assert bucket.take(0)
        due_us = bucket.full_us(0)
        assert due_us is not None
        assert not bucket.take(due_us - 100_000)
        assert bucket.take(due_us + 1)
    assert TokenBucket(0).full_us(0) is None


@pytest.mark.parametrize(
    ("of", "flags", "expected"),
    [
        (DrainCandidate("p"), DrainFlags(), DrainVerdict.EVICT),
        (DrainCandidate("p", DaemonOwner.EXISTS), DrainFlags(), DrainVerdict.LEAVE),
        (DrainCandidate("p", DaemonOwner.EXISTS), DrainFlags(ignore_daemon_sets=False), DrainVerdict.DAEMON_SET),
        (DrainCandidate("p", DaemonOwner.GONE), DrainFlags(), DrainVerdict.DAEMON_SET_GONE),
        (DrainCandidate("p", mirror=True), DrainFlags(), DrainVerdict.LEAVE),
        (DrainCandidate("p", owned=False), DrainFlags(), DrainVerdict.UNMANAGED),
        (DrainCandidate("p", owned=False, finished=True), DrainFlags(), DrainVerdict.EVICT),
        (DrainCandidate("p", has_empty_dir=True), DrainFlags(delete_empty_dir_data=False), DrainVerdict.EMPTY_DIR),
        (DrainCandidate("p", deleting_for_us=2), DrainFlags(skip_deleting_after_us=1), DrainVerdict.LEAVE),
    ],
)
def test_what_a_drain_does_with_a_pod(of: DrainCandidate, flags: DrainFlags, expected: DrainVerdict) -> None:
    assert drain_verdict(of, flags) is expected


def test_one_blocking_pod_stops_a_drain_before_its_first_eviction() -> None:
    listed = drain_list([DrainCandidate("fine"), DrainCandidate("bare", owned=False)], DrainFlags())
    assert (listed.blocking, listed.evicted) == ((("bare", DrainVerdict.UNMANAGED),), ())


def test_groups_of_a_graceful_shutdown() -> None:
    pods = [("web", 0, 30), ("batch", -5, 5), ("dns", 2_000_000_000, 60)]
    groups = shutdown_groups(periods_by_priority(30, 10), pods)
    assert [(group.period_us, dict(group.graces_us)) for group in groups] == [
        (20, {"web": 20, "batch": 5}),
        (10, {"dns": 10}),
    ]
    assert periods_by_priority(10, 30) == periods_by_priority(0, 0) == ()


def test_periods_of_one_priority_stop_one_after_the_other() -> None:
    """Source: Kubernetes 1.36, pkg/kubelet/nodeshutdown/nodeshutdown_manager.go: groupByPriority."""
    pods = [("below", 50, 99), ("same", 100, 99), ("above", 150, 99)]
    groups = shutdown_groups([(100, 30), (0, 5), (100, 10)], pods)
    assert [(group.period_us, dict(group.graces_us)) for group in groups] == [
        (5, {"below": 5}),
        (30, {"same": 30}),
        (10, {"above": 10}),
    ]


@pytest.mark.parametrize(
    ("preset", "cpu", "memory"),
    [
        pytest.param(ReservationPreset.NONE, 0, 0, id="none"),
        pytest.param(ReservationPreset.GKE, 80, 2662 * MIB + 419_430, id="a GKE node of 4 cores and 16 GiB"),
        pytest.param(ReservationPreset.EKS, 80, (11 * 58 + 255) * MIB, id="an EKS node with 58 pods"),
        pytest.param(ReservationPreset.AKS, 140, 1210 * MIB, id="an AKS node with 58 pods"),
    ],
)
def test_reservations_of_managed_services(preset: ReservationPreset, cpu: int, memory: int) -> None:
    kept = preset_reservation(preset, 4000, 16 * GIB, 58)
    assert kept["cpu"] == cpu
    assert abs(kept["memory"] - memory) <= MIB
