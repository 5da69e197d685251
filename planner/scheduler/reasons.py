"""The messages with which the scheduler's plugins refuse a node, as in Kubernetes 1.36."""

from enum import IntEnum, StrEnum

from planner.state.resources import VOLUMES_OF


class Reason(StrEnum):
    """Why a node is refused. For extended resources see `insufficient`."""

    UNSCHEDULABLE = "node(s) were unschedulable"
    NODE_NAME = "node(s) didn't match the requested node name"
    UNTOLERATED_TAINT = "node(s) had untolerated taint(s)"
    ADDED_AFFINITY = "node(s) didn't match scheduler-enforced node affinity"
    NODE_AFFINITY = "node(s) didn't match Pod's node affinity/selector"
    NODE_AFFINITY_SHORTCUT = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
    NODE_PORTS = "node(s) didn't have free ports for the requested pod ports"
    TOO_MANY_PODS = "Too many pods"
    INSUFFICIENT_CPU = "Insufficient cpu"
    INSUFFICIENT_MEMORY = "Insufficient memory"
    INSUFFICIENT_EPHEMERAL = "Insufficient ephemeral-storage"
    VOLUME_COUNT = "node(s) exceed max volume count"
    VOLUME_AFFINITY = "node(s) didn't match PersistentVolume's node affinity"
    SPREAD_MISSING_LABEL = "node(s) didn't match pod topology spread constraints (missing required label)"
    SPREAD = "node(s) didn't match pod topology spread constraints"
    POD_AFFINITY = "node(s) didn't match pod affinity rules"
    POD_ANTI_AFFINITY = "node(s) didn't match pod anti-affinity rules"
    EXISTING_ANTI_AFFINITY = "node(s) didn't satisfy existing pods anti-affinity rules"


class Strength(IntEnum):
    """How a node is refused; only an UNSCHEDULABLE one is a candidate for preemption."""

    OK = 0
    UNSCHEDULABLE = 1
    UNRESOLVABLE = 2


def insufficient(resource: str) -> str:
    """The text for a shortage of one resource, or of attachable volumes."""
    if resource.startswith(VOLUMES_OF):
        return Reason.VOLUME_COUNT.value
    return Reason.TOO_MANY_PODS.value if resource == "pods" else f"Insufficient {resource}"
