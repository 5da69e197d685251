"""KWOKNodeClass of Karpenter's simulated provider: how long a node takes to register.

Source: Karpenter 1.13, kwok/apis/v1alpha1/kwoknodeclass.go. Its nodes report how many pods they take and what is
reserved.
"""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_class import add_node_class
from planner.kube.kinds.karpenter.node_pool import duration_of

KIND, GROUPS = "KWOKNodeClass", ("karpenter.kwok.sh",)
_IN_NODES = frozenset(("maxPods", "reservedResources"))


def read(manifest: Field, draft: Draft) -> None:
    """The delay of its pools' nodes."""
    delay = duration_of(manifest.at("spec", "nodeRegistrationDelay")) or "0s"
    add_node_class(manifest, draft, KIND, _IN_NODES, delay=delay)
