"""AKSNodeClass of Karpenter's provider for Azure: what the size of a node depends on.

Source: karpenter-provider-azure, pkg/apis/v1beta1/aksnodeclass.go.
"""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_class import add_node_class

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
    gib = spec.at("osDiskSizeGB").whole()
    disk = None if gib is None else f"{gib}Gi"
    add_node_class(manifest, draft, KIND, _WITHOUT_EFFECT, pods=spec.at("maxPods").whole(), disk=disk)
