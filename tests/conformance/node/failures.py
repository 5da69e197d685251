"""Vectors of zone states and of whole node failures."""

from collections.abc import Callable
from typing import Any

from planner.nodes.lifecycle.node_health import QUEUE_PERIOD_US, HealthSettings, NodeHealth, NodeReport, ReadyStatus
from planner.nodes.lifecycle.zones import ZoneState, zone_rates
from planner.plan.model.control_plane import NodeLifecycleSettings
from planner.units import US_PER_S

Json = dict[str, Any]
Outcome = tuple[bool, object]
LEASE_S = 10


def _settings(given: Json) -> HealthSettings:
    """Flags of the controller manager on the way of a plan."""
    times = ("nodeMonitorPeriod", "nodeMonitorGracePeriod")
    numbers = ("unhealthyZoneThreshold", "largeClusterSizeThreshold")
    plan = {name: f"{given[name + 'Seconds']}s" for name in times if name + "Seconds" in given}
    plan |= {name: given[name] for name in numbers if name in given}
    return HealthSettings.from_plan(NodeLifecycleSettings.model_validate(plan))


def _zone_disruption(case: Json) -> Outcome:
    given = case["input"]
    settings = _settings(given).zones
    states: dict[str, ZoneState] = {}
    rates: dict[str, float] = {}
    got = []
    for zones in given["passes"]:
        counts = {zone: (count["nodes"], count["notReady"]) for zone, count in zones.items()}
        result = zone_rates(states, counts, settings)
        states = result.states
        rates |= result.new_rates
        got.append(
            {
                "allTaintsRemoved": result.all_taints_removed,
                "probeTimesReset": result.probe_times_reset,
                "zones": {zone: {"state": str(states[zone]), "taintRateQps": rates[zone]} for zone in zones},
            }
        )
    return got == case["expect"]["passes"], got


class _Kubelets:
    """Nodes that renew their leases and go silent or not ready as the case says."""

    def __init__(self, given: Json) -> None:
        self.names = [f"{zone}-n{at}" for zone, count in given["zones"].items() for at in range(count)]
        self.zones = [name.rpartition("-")[0] for name in self.names]
        self.ready = [ReadyStatus.TRUE] * len(self.names)
        self._heartbeat_s = [0] * len(self.names)
        self._phases = [given["leasePhase"][name] for name in self.names]
        self._outages = [[out for out in given["outages"] if out["node"] == name] for name in self.names]

    def act(self, t: int) -> None:
        for node, outages in enumerate(self._outages):
            silent = any(o["mode"] == "silent" and o["from"] <= t < o.get("to", t + 1) for o in outages)
            for outage in outages:
                if outage["mode"] == "notReady" and outage["from"] == t and not silent:
                    self._post(node, ReadyStatus.FALSE, t)
                if outage.get("to") == t and not silent:
                    self._post(node, ReadyStatus.TRUE, t)
            if not silent and t % LEASE_S == self._phases[node]:
                self._heartbeat_s[node] = t

    def _post(self, node: int, ready: ReadyStatus, t: int) -> None:
        self.ready[node], self._heartbeat_s[node] = ready, t

    def reports(self) -> list[NodeReport]:
        return [
            NodeReport(node, self.zones[node], self.ready[node], self._heartbeat_s[node] * US_PER_S)
            for node in range(len(self.names))
        ]


def _node_failure_timeline(case: Json) -> Outcome:
    given = case["input"]
    config = given["config"]
    period_s = config["nodeMonitorPeriodSeconds"]
    health = NodeHealth(_settings(config))
    kubelets = _Kubelets(given)
    lists = ("unknownAt", "podsMarkedNotReadyAt", "noExecuteTaintAt", "taintRemovedAt")
    got: Json = {zone: {name: [] for name in lists} for zone in given["zones"]}

    def note(name: str, nodes: list[int], t: float) -> None:
        for node in nodes:
            got[kubelets.zones[node]][name].append(t)

    for t in range(given["until"] + 1):
        kubelets.act(t)
        if t % period_s == 0:
            look = health.look(t * US_PER_S, kubelets.reports())
            for node in look.became_unknown:
                kubelets.ready[node] = ReadyStatus.UNKNOWN
            note("unknownAt", look.became_unknown, t)
            note("podsMarkedNotReadyAt", look.pods_not_ready, t)
            swapped = [node for node, _ in look.tainted]
            note("noExecuteTaintAt", swapped, t)
            note("taintRemovedAt", sorted(swapped + look.untainted), t)
        for tick in range(US_PER_S // QUEUE_PERIOD_US):
            now_us = t * US_PER_S + tick * QUEUE_PERIOD_US
            done = health.work_queues(now_us, kubelets.ready.__getitem__)
            note("noExecuteTaintAt", [node for node, _ in done], now_us / US_PER_S)
    for node in range(len(kubelets.names)):
        zone = got[kubelets.zones[node]]
        zone["taintedAtEnd"] = zone.get("taintedAtEnd", 0) + (node in health.taints)
    return case["expect"]["zones"] == got, got


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "node_failure_timeline": _node_failure_timeline,
    "zone_disruption": _zone_disruption,
}
