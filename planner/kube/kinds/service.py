"""Services: a plan has no use for them, since pods of a workload spread by the workload itself."""

from planner.kube.draft import Draft
from planner.kube.files.field import Field

KIND, GROUPS = "Service", ("",)
REASON = "requests reach a workload directly, and its own pods are what default spreading counts"


def read(manifest: Field, draft: Draft) -> None:
    """Told once, with the reason."""
    manifest.raw()
    draft.losses.add(KIND, "", REASON)
