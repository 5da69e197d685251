"""AWSNodeTemplate, which EC2NodeClass replaced: what the size of a node depends on.

Source: karpenter-provider-aws 0.32, pkg/apis/v1alpha1/awsnodetemplate.go.
"""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.ec2_node_class import boot_disk
from planner.kube.kinds.karpenter.node_class import add_node_class

KIND, GROUPS = "AWSNodeTemplate", ("karpenter.k8s.aws",)
_WITHOUT_EFFECT = frozenset(
    """
    amiFamily amiSelector context detailedMonitoring instanceProfile launchTemplate metadataOptions
    securityGroupSelector subnetSelector tags userData
    """.split()
)


def read(manifest: Field, draft: Draft) -> None:
    """Boot disk."""
    add_node_class(manifest, draft, KIND, _WITHOUT_EFFECT, disk=boot_disk(manifest.at("spec")))
