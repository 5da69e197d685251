"""What `kubectl get` prints of a kind of objects, at any time of a run."""

from collections.abc import Callable
from typing import NamedTuple

from planner.record.decisions import Decision

ValueAt = Callable[[str], float]
"""Value of a column of the time series at the time in question; nan if there is none."""


class ListedObject(NamedTuple):
    """The cells of one object."""

    cells: tuple[str, ...]
    decision: Decision | None
    """The latest decision that it took; None before the first."""


class ObjectList(NamedTuple):
    """The objects of one kind, in order of namespace and name, with which the cells begin; nodes have no namespace."""

    kind: str
    """As the command names it."""
    header: tuple[str, ...]
    rows: tuple[ListedObject, ...]


def status_word(status: bool | None) -> str:
    """How the API spells the status of a condition."""
    return "Unknown" if status is None else str(status)
