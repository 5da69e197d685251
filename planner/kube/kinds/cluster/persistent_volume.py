"""PersistentVolumes: on which nodes the volume of a claim can be attached."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.manifest import name_of
from planner.kube.pods.pod_terms import required_node_terms

KIND, GROUPS = "PersistentVolume", ("",)


def read(manifest: Field, draft: Draft) -> None:
    """Nodes that reach the volume; those of a volume without node affinity are all."""
    spec = manifest.at("spec")
    terms = required_node_terms(spec.at("nodeAffinity", "required"))
    draft.volume_nodes[name_of(manifest)] = terms
    claim = spec.at("claimRef")
    name = claim.at("name").text()
    if name:
        draft.claimed[claim.at("namespace").text() or "default", name] = name_of(manifest)
    spec.raw()
