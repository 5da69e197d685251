"""What a search for headroom found, as text."""

from collections.abc import Mapping, Sequence

from planner.experiments.execution.breaks import SloBreak
from planner.experiments.kinds.stress.load_headroom import MAX_FACTOR, LoadEdge, LoadHeadroom
from planner.experiments.kinds.stress.tried_load import TriedLoad
from planner.units import US_PER_S, format_duration


def headroom_text(found: LoadHeadroom, room: Mapping[str, float]) -> str:
    """Load first, then pods at the worst moment."""
    lines = [_load(found)]
    at_s = room.get("room_worst_at")
    if at_s is not None:
        lines.append(f"Room at the worst moment ({at_s:g} s), for each workload separately:")
        for name, pods in room.items():
            if name != "room_worst_at":
                lines.append(f"  {name.partition('[')[2].removesuffix(']')}: {pods:.0f} more pods")
    return "\n".join(lines)


def tried_text(tried: Sequence[TriedLoad]) -> str:
    """A line for each run, by rising load."""
    lines = ["Runs:"]
    for one in sorted(tried, key=lambda run: run.factor):
        outcome = "every SLO is met" if one.kept else f"missed for {', '.join(one.missed)}{_when(one.first_break)}"
        lines.append(f"  {one.factor:.4g} times the load: {outcome}")
    return "\n".join(lines)


def _load(found: LoadHeadroom) -> str:
    runs = f"{found.runs} runs"
    if found.broken_at is None:
        most = f"{found.factor:g} times the load" + (" (more was not tried)" if found.factor >= MAX_FACTOR else "")
        return f"Load: every SLO is met at {most}; {runs}."
    broken = f"{', '.join(found.missed)} at {found.broken_at:.3g} times{_when(found.first_break)}"
    if found.factor <= 0.0 and not any(one.kept for one in found.tried):
        return f"Load: an SLO is missed at every load tried, for {broken}; {runs}."
    text = f"Load: every SLO is met up to {found.factor:.3g} times the load and missed for {broken}; {runs}."
    return "\n".join((text, *(_edge(edge) for edge in found.edges[1:])))


def _edge(edge: LoadEdge) -> str:
    between = f"between {edge.below:.3g} and {edge.above:.3g} times the load"
    return f"  Missed again from {between}." if edge.breaks else f"  Met again from {between}."


def _when(first: SloBreak | None) -> str:
    if first is None or first.at_us is None:
        return ""
    return f" (first {first.workload}, {format_duration(first.at_us // US_PER_S * US_PER_S)} into the run)"
