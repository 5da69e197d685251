"""The decisions of a run that is over. Most are placements, which nobody may ever read: rows until somebody does."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from planner.record.decisions import Decision

Row = tuple[Any, ...]
"""A plain tuple that stands for a decision,"""
MakeDecision = Callable[[Any], Decision]
"""and what turns it into one."""


def make_all(decisions: list[Decision], rows: list[int], makers: list[MakeDecision]) -> None:
    """Turn all rows among the decisions into what they stand for, and let go of the cluster that they know names from.

    `rows`: places that may hold one; `makers`: of each of these.
    """
    for at, make in zip(rows, makers, strict=True):
        if type(decisions[at]) is tuple:
            decisions[at] = make(decisions[at])
    rows.clear()
    makers.clear()


class DecisionLog(Sequence[Decision]):
    """Decisions, oldest first. All rows become decisions when one is read."""

    def __init__(
        self,
        decisions: list[Decision] | None = None,
        rows: list[int] | None = None,
        makers: list[MakeDecision] | None = None,
    ) -> None:
        """As of `make_all`; the lists are those of the record, so that what is read there is read here, too."""
        self._decisions: list[Decision] = [] if decisions is None else decisions
        self._rows: list[int] = [] if rows is None else rows
        self._makers: list[MakeDecision] = [] if makers is None else makers

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies to other processes carry decisions."""
        return DecisionLog, (self._made(),)

    @property
    def but_rows(self) -> Sequence[Decision]:
        """Those that are no rows. Rows are only of the scheduler: where it put pods, and whom it preempted for them."""
        return [one for one in self._decisions if type(one) is Decision]

    def _made(self) -> list[Decision]:
        make_all(self._decisions, self._rows, self._makers)
        return self._decisions

    @overload
    def __getitem__(self, at: int) -> Decision: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Decision, ...]: ...
    def __getitem__(self, at: int | slice) -> Decision | tuple[Decision, ...]:
        found = self._made()
        return tuple(found[at]) if isinstance(at, slice) else found[at]

    def __len__(self) -> int:
        return len(self._decisions)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and self[:] == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._made())
