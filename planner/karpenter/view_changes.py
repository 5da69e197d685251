"""Which nodes differ between two views, found without a look at those that are the same."""

from collections.abc import Sequence
from itertools import compress, count
from operator import is_not

from planner.karpenter.cluster_view import NodeView


def changed_places(old: Sequence[NodeView | None], new: Sequence[NodeView]) -> list[int]:
    """Places at which two lists of equal length hold different objects; a node that changes gets a new one."""
    return list(compress(count(), map(is_not, old, new)))
