"""Provisioning faults of the cloud: no machines, slow ones, and new nodes that fail in one of several ways."""

from planner.nodes.cloud.cloud_trouble import Trouble
from planner.plan.model.events.on_pools import FailureKind, ProvisioningFailure, SlowProvisioning, StockOut
from planner.simulation.plan_events.scene import Effects, Scene


def stock_out(scene: Scene, event: StockOut) -> list[str]:
    """The pool, all its zones together, gets so many machines more and no others."""
    _disturb(scene, event.node_group, Trouble(available=event.available), event.duration)
    return []


def slow_provisioning(scene: Scene, event: SlowProvisioning) -> list[str]:
    """New nodes are late, and some never register."""
    failures = {FailureKind.NEVER_REGISTERS: event.failure_ratio}
    _disturb(scene, event.node_group, Trouble(factor=event.factor, failures=failures), event.duration)
    return []


def provisioning_failure(scene: Scene, event: ProvisioningFailure) -> list[str]:
    """A share of the new nodes fails."""
    _disturb(scene, event.node_group, Trouble(failures={event.kind: event.ratio}), event.duration)
    return []


def _disturb(scene: Scene, pool: str, trouble: Trouble, duration_us: int) -> None:
    """Several troubles of a pool act together."""
    cloud, rows = scene.reach.cloud, scene.groups(pool)
    for row in rows:
        cloud.disturb(row, trouble)

    def end() -> None:
        for row in rows:
            cloud.calm(row, trouble)

    scene.later(duration_us, end)


EFFECTS: Effects = {
    StockOut: stock_out,
    SlowProvisioning: slow_provisioning,
    ProvisioningFailure: provisioning_failure,
}
