"""PersistentVolumeClaims: the volume that each is bound to."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of

KIND, GROUPS = "PersistentVolumeClaim", ("",)


def read(manifest: Field, draft: Draft) -> None:
    """Name of the volume; a claim that waits for its first pod has none."""
    spec = manifest.at("spec")
    volume = spec.at("volumeName").text()
    if volume:
        draft.claimed[namespace_of(manifest), name_of(manifest)] = volume
    spec.raw()
