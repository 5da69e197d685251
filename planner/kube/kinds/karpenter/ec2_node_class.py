"""EC2NodeClass of Karpenter's provider for AWS: what the size of a node depends on.

Source: karpenter-provider-aws 1.13, pkg/apis/v1/ec2nodeclass.go.
"""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_class import add_node_class

KIND, GROUPS = "EC2NodeClass", ("karpenter.k8s.aws",)
_WITHOUT_EFFECT = frozenset(
    """
    amiFamily amiSelectorTerms associatePublicIPAddress capacityReservationSelectorTerms connectionTracking context
    cpuOptions detailedMonitoring instanceProfile instanceStorePolicy ipPrefixCount metadataOptions networkInterfaces
    placementGroupSelector role securityGroupSelectorTerms subnetSelectorTerms tags userData
    """.split()
)


def read(manifest: Field, draft: Draft) -> None:
    """Most pods and boot disk."""
    spec = manifest.at("spec")
    pods = spec.at("kubelet", "maxPods").whole()
    add_node_class(manifest, draft, KIND, _WITHOUT_EFFECT, pods=pods, disk=boot_disk(spec))


def boot_disk(spec: Field) -> str | None:
    """Size of the first disk, which is taken as the boot disk."""
    sizes = [size for device in spec.at("blockDeviceMappings").items() if (size := _size(device))]
    return sizes[0] if sizes else None


def _size(device: Field) -> str | None:
    size = device.at("ebs", "volumeSize").memory()
    device.raw()
    return size
