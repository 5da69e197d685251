"""How many pods of a controller may be disturbed at once.

Vertical Pod Autoscaler 1.8, updater/restriction/pods_restriction_factory.go.
"""

from dataclasses import dataclass


@dataclass
class Group:
    """The pods of one controller in one loop of the updater."""

    configured: int
    """Replicas that the controller should have."""
    running: int
    tolerance: int
    """So many of them may be missing."""
    below_minimum: bool = False
    """Too small for evictions; only resizes were let through."""
    evicted: int = 0
    resized: int = 0

    def is_disruptable(self) -> bool:
        """Whether one more pod may go: more run than must, or all run and none may ever be missing."""
        disturbed = self.evicted + self.resized
        if self.running - disturbed > self.configured - self.tolerance:
            return True
        return self.configured == self.running and self.tolerance == 0 and disturbed == 0


@dataclass(frozen=True)
class GroupRules:
    """Flags of the updater about groups."""

    min_replicas: int = 2
    tolerance: float = 0.5
    resizes_skip_budget: bool = False


def group_of(
    live: int, pending: int, configured: int | None, rules: GroupRules, min_replicas: int | None, resizes: bool
) -> Group | None:
    """The group of a controller with so many live pods; None if it is left alone.

    `configured` is None where it is unknown. `min_replicas`: of the VPA. `resizes`: the VPA resizes in place.
    """
    minimum = rules.min_replicas if min_replicas is None else min_replicas
    is_below = live < minimum
    if not configured or (is_below and not (resizes and rules.resizes_skip_budget)):
        return None
    return Group(configured, live - pending, int(configured * rules.tolerance), is_below)
