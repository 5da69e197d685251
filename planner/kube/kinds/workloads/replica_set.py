"""ReplicaSets: those of a Deployment belong to it, others become separate workloads."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.manifest import key_of, owner_of
from planner.kube.pods.controllers import read_controller
from planner.plan.model.workloads import WorkloadKind

KIND, GROUPS = "ReplicaSet", ("apps", "extensions")


def read(manifest: Field, draft: Draft) -> None:
    """The importer drops it again if its owner is among the manifests."""
    read_replica_set(manifest, KIND, draft)


def read_replica_set(manifest: Field, kind: str, draft: Draft) -> None:
    """A workload of its own; old revisions without pods are noted only."""
    spec = manifest.at("spec")
    spec.at("selector").raw()
    owner = owner_of(manifest)
    replicas = spec.at("replicas").whole()
    if owner is not None and replicas == 0:
        draft.controllers[key_of(manifest, kind)] = owner  # an old revision, kept for a rollback
        manifest.raw()
        return
    read_controller(manifest, kind, draft, WorkloadKind.DEPLOYMENT, replicas)
