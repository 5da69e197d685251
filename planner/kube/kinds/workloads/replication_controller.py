"""ReplicationControllers: the same to autoscaler and scheduler as a ReplicaSet that no Deployment owns."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.kinds.workloads.replica_set import read_replica_set

KIND, GROUPS = "ReplicationController", ("",)


def read(manifest: Field, draft: Draft) -> None:
    """One that a DeploymentConfig owns stands for it, since that kind is not part of Kubernetes."""
    read_replica_set(manifest, KIND, draft)
