"""The public traces that can be imported. A new trace: its module, and a line here."""

from collections.abc import Callable, Sequence

import planner.kube.traces.openb as openb
from planner.errors import ImportProblem
from planner.kube.draft.left_out import Losses
from planner.kube.traces.tables import TraceTable, read_table
from planner.language.translation import tr
from planner.plan.model.plan import Plan

Knows = Callable[[Sequence[TraceTable]], bool]
Reads = Callable[[Sequence[TraceTable], str], tuple[Plan, Losses]]
_TRACES: tuple[tuple[Knows, Reads], ...] = ((openb.is_openb, openb.read_openb),)


def read_trace(paths: Sequence[str], title: str) -> tuple[Plan, Losses]:
    """The plan of the trace whose tables these are. Raises ImportProblem."""
    tables = [read_table(path) for path in paths]
    for knows, read in _TRACES:
        if knows(tables):
            return read(tables, title)
    heads = "; ".join(f"{table.path}: {', '.join(table.columns)[:80]}" for table in tables)
    raise ImportProblem(", ".join(paths)[:200], tr("This is not a known trace ({heads}).", heads=heads), openb.EXPECTED)
