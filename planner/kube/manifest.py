"""What all manifests share: the identity of an object, and the outer structure that an export writes."""

from typing import Any

from planner.kube.draft.draft import ObjectKey, Part, given
from planner.kube.files.field import Field

DOMAIN = "headroom.dev"
"""Prefix of labels and annotations in which an export keeps what manifests have no place for."""

WORKLOAD_MARK = f"{DOMAIN}/workload"
"""Annotation of a pod without controller: the workload of the plan that it belongs to."""

START_NODES_MARK = f"{DOMAIN}/starts-on"
"""Annotation of a controller: the nodes of its pods at the start of a run, with how many are on each, as JSON."""


def name_of(manifest: Field) -> str:
    """metadata.name; objects made from generateName have one too once they exist."""
    return manifest.at("metadata", "name").required_text()


def namespace_of(manifest: Field) -> str:
    """metadata.namespace, "default" if it is missing."""
    return manifest.at("metadata", "namespace").text() or "default"


def key_of(manifest: Field, kind: str) -> ObjectKey:
    """Identity of a namespaced object."""
    return kind, namespace_of(manifest), name_of(manifest)


def owner_of(manifest: Field) -> ObjectKey | None:
    """The object that controls this one."""
    for reference in manifest.at("metadata", "ownerReferences").items():
        if reference.at("controller").flag():
            kind, name = reference.at("kind").required_text(), reference.at("name").required_text()
            return kind, namespace_of(manifest), name
    return None


def framed(api_version: str, kind: str, name: str, namespace: str = "", **body: Any) -> Part:
    """A manifest for an export."""
    metadata = given(name=name, namespace=namespace or None)
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}
