"""The cloud reclaims spot nodes, with notice: each after an exponentially distributed time, by the rate of its pool.

A node's time follows from the seed, its pool and its number there, and scales with the rate.
"""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.plan.model.events.on_nodes import SpotReclaim
from planner.plan.model.plan import Plan
from planner.plan.model.pricing import Market
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import PlanEventEffect
from planner.simulation.plan_events.node_faults import is_reclaimable, spot_reclaim
from planner.simulation.plan_events.scene import Reach, Scene
from planner.units import US_PER_H, US_PER_MIN

_LOOK_US = US_PER_MIN


@dataclass(frozen=True, slots=True)
class SpotLook:
    """The moment of a minute at which the cloud may take nodes of a group back; the group's row."""

    group: int


class SpotMarket:
    """Warns, drains and takes nodes of spot pools; each pool requests replacements."""

    def __init__(self, plan: Plan, reach: Reach, draws: Draws, decide: Callable[[Decision], None]) -> None:
        """`plan` has one node group for every group row."""
        self._scene = Scene(reach, draws)
        self._draws = draws.of("cloud/spot life")
        self._decide = decide
        self._groups = plan.node_groups
        self._warned: dict[int, None] = {}
        self._ends: dict[int, int] = {}

    def start(self) -> None:
        """The first look at every spot pool that loses nodes."""
        for row, group in enumerate(self._groups):
            if group.pricing.market is Market.SPOT and group.pricing.reclaims_per_hour > 0.0:
                self._scene.reach.events.push(_LOOK_US, Phase.PLAN_ACTIONS, SpotLook(row))

    def on_look(self, look: SpotLook) -> None:
        """Running nodes whose time has come are warned."""
        group, scene = self._groups[look.group], self._scene
        now_us = scene.reach.events.now_us
        nodes = scene.cluster.nodes
        taken = [
            node
            for node in scene.cluster.group_nodes[look.group]
            if nodes.exists[node]
            and not nodes.silent[node]
            and node not in self._warned
            and is_reclaimable(scene, node)
            and self._ends_us(node, group.pricing.reclaims_per_hour) <= now_us
        ]
        if taken:
            self._warned.update(dict.fromkeys(taken))
            names = tuple(scene.names(taken))
            notice_us = group.pricing.reclaim_notice
            pool = next(name for name, rows in scene.reach.pool_rows.items() if look.group in rows)
            spot_reclaim(scene, SpotReclaim(type="spotReclaim", node_group=pool, nodes=names, notice=notice_us))
            details = PlanEventEffect("spotReclaim", on=tuple(names))
            self._decide(Decision(now_us, Actor.PLAN_EVENT, Verdict.HAPPENED, group.name, details=details))
        scene.reach.events.push(now_us + _LOOK_US, Phase.PLAN_ACTIONS, look)

    def _ends_us(self, node: int, reclaims_per_hour: float) -> int:
        """When the cloud wants a node back."""
        ends_us = self._ends.get(node)
        if ends_us is None:
            nodes = self._scene.cluster.nodes
            life_us = self._draws.exponential(nodes.draw_key.item(node)) * US_PER_H / reclaims_per_hour
            ends_us = self._ends[node] = max(0, nodes.registered_us.item(node)) + round(life_us)
        return ends_us
