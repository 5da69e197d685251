"""NodeClaims of Karpenter: machines that are on their way, or whose nodes are not among the manifests.

Source: Karpenter 1.13, pkg/apis/v1/nodeclaim.go and nodeclaim_status.go.
"""

from planner.kube.draft.ages import created_at
from planner.kube.draft.draft import Draft, NodePart, given
from planner.kube.files.field import Field
from planner.kube.kinds.cluster.node import machine_amounts
from planner.kube.manifest import name_of

KIND, GROUPS = "NodeClaim", ("karpenter.sh",)
CLAIMS = "karpenterNodeClaims"
"""List of a draft that the plan does not have."""
_POOL = "karpenter.sh/nodepool"
_NOT_LAUNCHED = "not launched yet: a run launches machines for the pods that wait"
_GOING = "being deleted"


def read(manifest: Field, draft: Draft) -> None:
    """The machine, unless it does not exist yet or is about to go."""
    metadata, status = manifest.at("metadata"), manifest.at("status")
    labels, name = metadata.at("labels").labels(), name_of(manifest)
    manifest.at("spec").raw()
    is_going = metadata.at("deletionTimestamp").is_given
    if is_going or not status.at("capacity").map():
        status.raw()
        draft.losses.add(KIND, "", f"{name}: {_GOING if is_going else _NOT_LAUNCHED}")
        return
    node = NodePart(
        name=status.at("nodeName").text() or name,
        source=manifest.source,
        pool=labels.get(_POOL, ""),
        fields=machine_amounts(manifest, draft),
        labels=labels,
        images={},
        created=created_at(manifest.value),
    )
    status.raw()
    draft.add(CLAIMS, manifest.source, given(name=node.name, node=node))


def add_claimed_nodes(draft: Draft) -> None:
    """The nodes of claims that no Node stands for."""
    known = {node.name for node in draft.nodes}
    draft.nodes += [part["node"] for _, part in draft.lists.get(CLAIMS, []) if part["name"] not in known]
