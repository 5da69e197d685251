"""AKSNodeClass of Karpenter's provider for Azure: what the size of a node depends on.

Source: karpenter-provider-azure, pkg/apis/v1beta1/aksnodeclass.go.
"""

from planner.kube.draft.draft import Draft, given
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_pool import NODE_CLASSES
from planner.kube.manifest import name_of

KIND, GROUPS = "AKSNodeClass", ("karpenter.azure.com",)
_WITHOUT_EFFECT = frozenset(
    """
    artifactStreaming encryptionAtHost fipsMode gpu imageFamily imageID linuxOSConfig localDNS security tags
    vnetSubnetID
    """.split()
)


def read(manifest: Field, draft: Draft) -> None:
    """Most pods and boot disk."""
    spec = manifest.at("spec")
    for name in spec.map():
        if name in _WITHOUT_EFFECT:
            spec.at(name).raw()
    gib = spec.at("osDiskSizeGB").whole()
    part = given(
        name=name_of(manifest), kind=KIND, pods=spec.at("maxPods").whole(), disk=None if gib is None else f"{gib}Gi"
    )
    draft.add(NODE_CLASSES, manifest.source, part)
