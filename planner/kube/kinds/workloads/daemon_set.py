"""DaemonSets."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.pods.controllers import controller_manifest, read_controller, workloads_of
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import WorkloadKind

KIND, GROUPS = "DaemonSet", ("apps", "extensions")


def read(manifest: Field, draft: Draft) -> None:
    """A DaemonSet becomes a workload; nodes decide how many pods it has."""
    manifest.at("spec", "selector").raw()
    read_controller(manifest, KIND, draft, WorkloadKind.DAEMON_SET, None)


def write(plan: Plan) -> Iterator[Part]:
    """All DaemonSets of the plan."""
    for workload in workloads_of(plan, WorkloadKind.DAEMON_SET):
        yield controller_manifest(workload, "apps/v1")
