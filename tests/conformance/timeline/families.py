"""Whole recorded runs of the real scheduler, HPA controller and Cluster Autoscaler: a plan plays them again.

A case passes only if all five levels agree exactly: states, events, pods, HPA syncs, autoscaler loops.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from planner.record.decisions import Decision
from planner.record.text.explain import why
from planner.units import US_PER_S
from tests.conformance.timeline.plan import plan_of
from tests.conformance.timeline.run import Row, Timeline, play

Json = Mapping[str, Any]
Outcome = tuple[bool, object]
LEVELS = ("states", "events", "pods", "hpaSyncs", "caLoops")
MARK_S = 10
MOST_SHOWN = 12
BEFORE_S = 15
"""Decisions are shown from so long before the first difference."""


def _timeline(case: Json) -> Outcome:
    timeline = play(plan_of(case["input"]))
    found = {level: differences(level, timeline, case["expect"]) for level in LEVELS}
    if case["input"]["simulation"].get("caLoopMode") != "frequent":
        found["caLoops"] = []  # recorded in that mode only
    if not any(found.values()):
        return True, "equal"
    return False, report(case, timeline, found)


def differences(level: str, got: Timeline, expect: Json) -> list[tuple[int, str]]:
    """Seconds with what differs in them, of one level, in order."""
    match level:
        case "states":
            return _state_differences(got.states, expect["states"])
        case "events":
            return _by_second(got.events, expect["events"], key=lambda event: event[0])
        case "pods":
            return _pod_differences(got.pods, expect["pods"])
        case "hpaSyncs":
            return _by_second(got.hpa_syncs, expect["hpaSyncs"], key=lambda sync: sync[0])
        case _:
            return _by_second([[t] for t in got.ca_loops], [[t] for t in expect["caLoops"]], key=lambda row: row[0])


def _state_differences(got: Sequence[Json], expect: Sequence[Json]) -> list[tuple[int, str]]:
    ours, theirs = {row["t"]: row for row in got}, {row["t"]: row for row in expect}
    found = []
    for t in sorted(ours.keys() | theirs.keys()):
        one, other = _state_at(got, ours, t), _state_at(expect, theirs, t)
        parts = [
            f"{name} expected {other[kind].get(name)} got {one[kind].get(name)}"
            for kind in ("workloads", "groups")
            for name in sorted(one[kind].keys() | other[kind].keys())
            if one[kind].get(name) != other[kind].get(name)
        ]
        if parts or (t in ours) != (t in theirs):
            found.append((t, "; ".join(parts) or "a row too many or too few"))
    return found


def _state_at(rows: Sequence[Json], by_time: Mapping[int, Json], t: int) -> Json:
    if t in by_time:
        return by_time[t]
    earlier = [row for row in rows if row["t"] < t]
    return earlier[-1] if earlier else {"workloads": {}, "groups": {}}


def _by_second(got: Iterable[Row], expect: Iterable[Row], key: Callable[[Row], int]) -> list[tuple[int, str]]:
    ours, theirs = _multisets(got, key), _multisets(expect, key)
    found = []
    for t in sorted(ours.keys() | theirs.keys()):
        missing = theirs.get(t, Counter()) - ours.get(t, Counter())
        extra = ours.get(t, Counter()) - theirs.get(t, Counter())
        if missing or extra:
            found.append((t, f"missing {sorted(missing.elements())} extra {sorted(extra.elements())}"))
    return found


def _multisets(rows: Iterable[Row], key: Callable[[Row], int]) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    for row in rows:
        found.setdefault(key(row), Counter())[json.dumps(row)] += 1
    return found


def _pod_differences(got: Sequence[Row], expect: Sequence[Row]) -> list[tuple[int, str]]:
    """The second is that of the first time that differs."""
    found = [
        (_first_different_second(ours, theirs), f"expected {theirs} got {ours}")
        for ours, theirs in zip(got, expect, strict=False)
        if ours != theirs
    ]
    if len(got) != len(expect):
        longer = max(got, expect, key=len)
        found.append((longer[min(len(got), len(expect))][1], f"expected {len(expect)} pods, got {len(got)}"))
    return sorted(found)


def _first_different_second(ours: Row, theirs: Row) -> int:
    times = [
        value
        for one, other in zip(ours, theirs, strict=True)
        if one != other
        for value in (one, other)
        if isinstance(value, int)
    ]
    return min(times, default=ours[1] or 0)


def report(case: Json, got: Timeline, found: Mapping[str, Sequence[tuple[int, str]]]) -> str:
    """Where the run parts from the recording, what was decided there, and how much is equal nevertheless."""
    first = min(t for level in found.values() for t, _ in level)
    lines = [f"{case['id']}: parts from the recording at second {first}; equal marks {equal_marks(got, case):.1%}"]
    for level, parts in found.items():
        state = f"{len(parts)} seconds or rows differ, the first at {parts[0][0]}: {parts[0][1]}" if parts else "equal"
        lines.append(f"  {level}: {state}")
    lines.append(f"decisions of seconds {first - BEFORE_S} to {first}:")
    lines.extend(f"  {text}" for text in _decisions_until(got.decisions, first))
    return "\n".join(lines)


def _decisions_until(decisions: Iterable[Decision], t: int) -> list[str]:
    near = [each for each in decisions if t - BEFORE_S <= each.time_us // US_PER_S <= t]
    return [
        f"{each.time_us / US_PER_S:g} {each.actor} {each.subject}: {each.verdict} {why(each)}"
        for each in near[-MOST_SHOWN:]
    ]


def equal_marks(got: Timeline, case: Json) -> float:
    """Share of ten-second marks at which the states agree."""
    duration = case["input"]["simulation"]["durationSeconds"]
    marks = range(0, duration + 1, MARK_S)
    ours, theirs = _at_marks(got.states, marks), _at_marks(case["expect"]["states"], marks)
    return sum(one == other for one, other in zip(ours, theirs, strict=True)) / len(marks)


def _at_marks(rows: Sequence[Json], marks: Sequence[int]) -> list[object]:
    found: list[object] = []
    at = -1
    for t in marks:
        while at + 1 < len(rows) and rows[at + 1]["t"] <= t:
            at += 1
        found.append((rows[at]["workloads"], rows[at]["groups"]) if at >= 0 else None)
    return found


_NAMES = """
anti-affinity behavior daemonset dedicated-pool fallback flash-crowd hpa-ca-up hpa-step load-fall mixed
overprovisioning pdb-drain pools preempt-batch tolerance-flap zone-spread
"""
FAMILIES: Mapping[str, Callable[[Json], Outcome]] = dict.fromkeys(_NAMES.split(), _timeline)
