"""CronJobs: they are left out, because a plan has no schedule for Jobs."""

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field

KIND, GROUPS = "CronJob", ("batch",)
REASON = "a plan has no schedules; add a Job that starts when it matters"


def read(manifest: Field, draft: Draft) -> None:
    """Reported once, with the remedy."""
    manifest.raw()
    draft.losses.add(KIND, "", REASON)
