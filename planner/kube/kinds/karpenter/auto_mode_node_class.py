"""NodeClass of EKS Auto Mode: what the size of a node depends on.

Source: the reference of NodeClass in the user guide of Amazon EKS. How many pods a node has room for cannot be set.
"""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_class import add_node_class

KIND, GROUPS = "NodeClass", ("eks.amazonaws.com",)
_USUAL_DISK = "80Gi"
_WITHOUT_EFFECT = frozenset(
    """
    advancedNetworking advancedSecurity capacityReservationSelectorTerms certificateBundles instanceProfile
    networkPolicy networkPolicyEventLogs podSecurityGroupSelectorTerms podSubnetSelectorTerms role
    securityGroupSelectorTerms snatPolicy subnetSelectorTerms tags
    """.split()
)


def read(manifest: Field, draft: Draft) -> None:
    """Boot disk."""
    storage = manifest.at("spec", "ephemeralStorage")
    disk = storage.at("size").memory() or _USUAL_DISK
    storage.raw()
    add_node_class(manifest, draft, KIND, _WITHOUT_EFFECT, disk=disk)
