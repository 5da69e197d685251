"""What has to be applied to get from one plan to another, as text to read, copy and keep."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from planner.kube.changes.by_hand import autoscaler_flags, own_changes, pool_changes
from planner.kube.changes.object_changes import ObjectChange, object_changes
from planner.language.translation import tr
from planner.plan.model.plan import Plan


class ChangesText(NamedTuple):
    """Changes of objects, and all that has to be done, as text."""

    objects: tuple[ObjectChange, ...]
    text: str
    """Differences of objects, flags of the autoscaler, changes of node pools."""
    own: tuple[str, ...]
    """What changes in the plan only: nothing has to be done for it."""


def changes_text(base: Plan, plan: Plan) -> ChangesText:
    """What leads from a cluster that is as `base` says to one that is as `plan` says."""
    objects = tuple(object_changes(base, plan))
    return ChangesText(objects, "\n".join(_lines(base, plan, objects)), tuple(own_changes(base, plan)))


def _lines(base: Plan, plan: Plan, objects: tuple[ObjectChange, ...]) -> Iterator[str]:
    for change in objects:
        yield f"# {change.title}"
        yield change.diff()
    yield from _listed(tr("Flags of the Cluster Autoscaler"), autoscaler_flags(base, plan))
    yield from _listed(tr("Node pools, to be changed where they were made"), pool_changes(base, plan))
    if not objects:
        yield f"# {tr('no object changes')}"


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == 0:
            yield f"# {title}"
        yield line
