"""CSINodes: how many volumes of each CSI driver a node can attach."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of
from planner.kube.pods.start_nodes import nodes_at_start
from planner.plan.model.plan import Plan

KIND, GROUPS = "CSINode", ("storage.k8s.io",)


def read(manifest: Field, draft: Draft) -> None:
    """Drivers without a count have no limit."""
    limits: dict[str, int] = {}
    for driver in manifest.at("spec", "drivers").items():
        name, count = driver.at("name").required_text(), driver.at("allocatable", "count").whole()
        for left in ("nodeID", "topologyKeys"):
            driver.at(left).raw()
        if count is not None:
            limits[name] = count
    draft.volume_limits[name_of(manifest)] = limits


def write(plan: Plan) -> Iterator[Part]:
    """One for every node at the start whose pool has limits."""
    for group in plan.node_groups:
        drivers = [{"name": name, "allocatable": {"count": count}} for name, count in group.volume_limits.items()]
        for node in nodes_at_start(plan, (group.name,)) if drivers else ():
            yield framed(
                "storage.k8s.io/v1", KIND, node, spec={"drivers": [{**one, "nodeID": node} for one in drivers]}
            )
