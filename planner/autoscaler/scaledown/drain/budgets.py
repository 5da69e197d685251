"""Disruption budgets as scale-down sees them: which ones cover a pod, and how many disruptions they still allow."""

from collections.abc import Iterable, Sequence
from typing import Protocol


class DisruptionBudgets(Protocol):
    """The budgets of the cluster by row."""

    def covering(self, pod: int) -> tuple[int, ...]:
        """Rows of the budgets that select a pod."""
        ...

    def allowed(self) -> Sequence[int]:
        """Disruptions that each budget allows now."""
        ...


class NoBudgets:
    """A cluster without disruption budgets."""

    def covering(self, pod: int) -> tuple[int, ...]:
        """None."""
        return ()

    def allowed(self) -> Sequence[int]:
        """None."""
        return ()


class BudgetTracker:
    """The budgets of one loop: what the nodes found removable would use up is gone for those that follow."""

    def __init__(self, budgets: DisruptionBudgets) -> None:
        self._budgets = budgets
        self.left: list[int] = []

    def restart(self) -> None:
        """A new loop: read the budgets afresh."""
        self.left = list(self._budgets.allowed())

    def covering(self, pod: int) -> tuple[int, ...]:
        """Rows of the budgets that select a pod."""
        return self._budgets.covering(pod) if self.left else ()

    def use(self, pods: Iterable[int]) -> None:
        """Pods of a removable node use up their budgets."""
        for pod in pods if self.left else ():
            for budget in self.covering(pod):
                self.left[budget] -= 1
