"""EC2NodeClass of Karpenter's provider for AWS: what the size of a node depends on.

Source: karpenter-provider-aws 1.13, pkg/apis/v1/ec2nodeclass.go.
"""

from planner.kube.draft.draft import Draft, given
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_pool import NODE_CLASSES
from planner.kube.manifest import name_of

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
    for name in spec.map():
        if name in _WITHOUT_EFFECT:
            spec.at(name).raw()
    sizes = [size for device in spec.at("blockDeviceMappings").items() if (size := _size(device))]
    pods = spec.at("kubelet", "maxPods").whole()
    part = given(name=name_of(manifest), kind=KIND, pods=pods, disk=sizes[0] if sizes else None)
    draft.add(NODE_CLASSES, manifest.source, part)


def _size(device: Field) -> str | None:
    """Size of a disk; the first is taken as the boot disk."""
    size = device.at("ebs", "volumeSize").memory()
    device.raw()
    return size
