"""What a search for headroom found, as text."""

from collections.abc import Mapping, Sequence

from planner.experiments.execution.breaks import SloBreak
from planner.experiments.kinds.stress.load_headroom import MAX_FACTOR, LoadEdge, LoadHeadroom
from planner.experiments.kinds.stress.tried_load import TriedLoad
from planner.language.translation import tr
from planner.language.values import clock
from planner.units import US_PER_S, format_duration


def headroom_text(found: LoadHeadroom, room: Mapping[str, float]) -> str:
    """Load first, then pods at the worst moment."""
    lines = [_load(found)]
    at_s = room.get("room_worst_at")
    if at_s is not None:
        lines.append(tr("Room at the worst moment ({at}), for each workload separately:", at=clock(at_s)))
        for name, pods in room.items():
            if name != "room_worst_at":
                lines.append(
                    tr(
                        "  {workload}: {pods:.0f} more pods",
                        workload=name.partition("[")[2].removesuffix("]"),
                        pods=pods,
                    )
                )
    return "\n".join(lines)


def tried_text(tried: Sequence[TriedLoad]) -> str:
    """A line for each run, by rising load."""
    lines = [tr("Runs:")]
    for one in sorted(tried, key=lambda run: run.factor):
        outcome = (
            tr("every SLO is met")
            if one.kept
            else tr(
                "missed for {missed}{first_break}", missed=", ".join(one.missed), first_break=_when(one.first_break)
            )
        )
        lines.append(tr("  {factor:.4g} times the load: {outcome}", factor=one.factor, outcome=outcome))
    return "\n".join(lines)


def _load(found: LoadHeadroom) -> str:
    runs = tr("{count} runs", count=found.runs)
    if found.broken_at is None:
        most = tr("{factor:g} times the load", factor=found.factor) + (
            tr(" (more was not tried)") if found.factor >= MAX_FACTOR else ""
        )
        return tr("Load: every SLO is met at {most}; {runs}.", most=most, runs=runs)
    broken = tr(
        "{missed} at {factor:.3g} times{first_break}",
        missed=", ".join(found.missed), factor=found.broken_at, first_break=_when(found.first_break),
    )  # fmt: skip
    if found.factor <= 0.0 and not any(one.kept for one in found.tried):
        return tr("Load: an SLO is missed at every load tried, for {broken}; {runs}.", broken=broken, runs=runs)
    text = tr(
        "Load: every SLO is met up to {factor:.3g} times the load and missed for {broken}; {runs}.",
        factor=found.factor,
        broken=broken,
        runs=runs,
    )
    return "\n".join((text, *(_edge(edge) for edge in found.edges[1:])))


def _edge(edge: LoadEdge) -> str:
    between = tr("between {below:.3g} and {above:.3g} times the load", below=edge.below, above=edge.above)
    return (
        tr("  Missed again from {between}.", between=between)
        if edge.breaks
        else tr("  Met again from {between}.", between=between)
    )


def _when(first: SloBreak | None) -> str:
    if first is None or first.at_us is None:
        return ""
    if first.at_us < US_PER_S:
        return tr(" (first {workload}, from the start)", workload=first.workload)
    return tr(
        " (first {workload}, {time} into the run)",
        workload=first.workload,
        time=format_duration(first.at_us // US_PER_S * US_PER_S),
    )
