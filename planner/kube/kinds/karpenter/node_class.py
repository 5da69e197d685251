"""What node classes of all providers have in common: a name, and what it says of the size of a node."""

from planner.kube.draft.draft import Draft, given
from planner.kube.files.field import Field
from planner.kube.manifest import name_of

NODE_CLASSES = "karpenterNodeClasses"
"""List of a draft that the plan does not have."""


def add_node_class(
    manifest: Field, draft: Draft, kind: str, without_effect: frozenset[str], **says: str | int | None
) -> None:
    """Notes a node class with what it says; fields of its spec without an effect on capacity are passed over."""
    spec = manifest.at("spec")
    for name in spec.map():
        if name in without_effect:
            spec.at(name).raw()
    draft.add(NODE_CLASSES, manifest.source, given(name=name_of(manifest), kind=kind, **says))
