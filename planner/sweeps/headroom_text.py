"""What a search for headroom found, as text."""

from collections.abc import Mapping

from planner.sweeps.load_headroom import MAX_FACTOR, LoadHeadroom


def headroom_text(found: LoadHeadroom, room: Mapping[str, float]) -> str:
    """Load first, then pods at the worst moment."""
    lines = [_load(found)]
    at_s = room.get("room_worst_at")
    if at_s is not None:
        lines.append(f"Room at the worst moment ({at_s:g} s), each workload on its own:")
        for name, pods in room.items():
            if name != "room_worst_at":
                lines.append(f"  {name.partition('[')[2].removesuffix(']')}: {pods:.0f} more pods")
    return "\n".join(lines)


def _load(found: LoadHeadroom) -> str:
    runs = f"{found.runs} runs"
    if found.broken_at is None:
        most = f"{found.factor:g} times the load" + (" (more was not tried)" if found.factor >= MAX_FACTOR else "")
        return f"Load: every SLO holds at {most}; {runs}."
    broken = f"{', '.join(found.missed)} at {found.broken_at:.3g} times"
    return f"Load: every SLO holds up to {found.factor:.3g} times the load and breaks for {broken}; {runs}."
