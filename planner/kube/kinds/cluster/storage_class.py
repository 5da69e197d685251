"""StorageClasses: the CSI driver of the volumes that claims of a class get."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.manifest import name_of

KIND, GROUPS = "StorageClass", ("storage.k8s.io",)
_DEFAULT = "storageclass.kubernetes.io/is-default-class"


def read(manifest: Field, draft: Draft) -> None:
    """The driver by the name of the class; the default class has the name "" as well."""
    provisioner = manifest.at("provisioner").required_text()
    for name in ("parameters", "reclaimPolicy", "volumeBindingMode", "allowVolumeExpansion", "mountOptions"):
        manifest.at(name).raw()
    draft.provisioners[name_of(manifest)] = provisioner
    if manifest.at("metadata", "annotations").labels().get(_DEFAULT) == "true":
        draft.provisioners[""] = provisioner
