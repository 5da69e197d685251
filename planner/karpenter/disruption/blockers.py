"""Why a node is not disrupted, in the words of Karpenter's events.

Source: Karpenter 1.13, pkg/controllers/disruption (types.go, consolidation.go) and pkg/controllers/state/statenode.go.
"""

from enum import StrEnum
from typing import NamedTuple


class Blocker(StrEnum):
    """What keeps a node from being disrupted; {} is what the event names."""

    IN_COMMAND = "Candidate is already being disrupted"
    NOT_MANAGED = "Node isn't managed by karpenter"
    NO_NODE = "Nodeclaim does not have an associated node"
    NOT_INITIALIZED = "Node isn't initialized"
    GOING = "Node is deleting or marked for deletion"
    NOMINATED = "Node is nominated for a pending pod"
    KEPT = 'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'
    NO_POOL = "NodePool not found"
    POD_KEPT = 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod={})'
    PDB = "Pdb prevents pod evictions (PodDisruptionBudget=[{}])"
    SEVERAL_PDBS = "Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[{}])"
    UNKNOWN_TYPE = 'Instance Type "{}" not found'
    NO_OFFERING_LABELS = "Node does not have the labels of its capacity type and zone"
    CONSOLIDATION_OFF = 'NodePool "{}" has consolidation disabled'
    ONLY_WHEN_EMPTY = 'NodePool "{}" has non-empty consolidation disabled'
    RECENT_PODS = "Pods came or went within consolidateAfter"
    NOT_EMPTY = "Node has pods"
    BUFFER = "Node has buffer pods"
    NOT_DRIFTED = "Node has not drifted"
    BUDGET = "No allowed disruptions due to blocking budget"


PASSING = (Blocker.IN_COMMAND, Blocker.NO_NODE, Blocker.NOT_INITIALIZED, Blocker.GOING)
"""A node comes or goes, as other decisions say."""


class Hindrance(NamedTuple):
    """What keeps a node, with the pods, budgets, pool or type that the event names."""

    blocker: Blocker
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The event's message."""
        return self.blocker.format(" ".join(self.names))
