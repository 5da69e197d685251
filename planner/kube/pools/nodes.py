"""Node objects of the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.kube.pods.quantities import node_amounts
from planner.matching.taints import TaintEffect
from planner.plan.model.node_groups import Taint


@dataclass(frozen=True)
class KubeNode:
    """A node as placement needs it: milli-CPU, bytes, counts."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool
    allocatable: Mapping[str, int]
    images: Mapping[str, int]
    """Size in bytes of every image it holds, by each of the image's names."""


def read_node(node: Mapping[str, Any]) -> KubeNode:
    """A Node object in API JSON."""
    meta, spec, status = node["metadata"], node.get("spec") or {}, node.get("status") or {}
    return KubeNode(
        name=meta["name"],
        labels=dict(meta.get("labels") or {}),
        taints=tuple(
            Taint(key=taint["key"], value=taint.get("value") or "", effect=TaintEffect(taint["effect"]))
            for taint in spec.get("taints") or ()
        ),
        unschedulable=bool(spec.get("unschedulable")),
        allocatable=node_amounts(status.get("allocatable")),
        images={
            name: image.get("sizeBytes") or 0
            for image in status.get("images") or ()
            for name in image.get("names") or ()
        },
    )
