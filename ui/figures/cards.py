"""What each card of the key figures says; one function a card.

A run that goes on, or is looked at with the cursor, shows the moment first and the extremes below; a finished
run shows what is left of it: the worst, the totals and the means.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from planner.units import US_PER_MS
from ui.figures.change import Change, change_of
from ui.figures.readings import Peak, Readings
from ui.figures.wording import (
    NOTHING,
    clock_text,
    count_text,
    latency_text,
    money_text,
    percent_text,
    span_text,
)

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Card:
    """Texts of one card."""

    title: str
    value: str
    note: str = ""
    change: Change | None = None
    help: str = ""


@dataclass(frozen=True)
class View:
    """A run and its baseline as the cards read them."""

    now: Readings
    """At the cursor, or the newest."""
    run: Readings
    """As far as the run has come."""
    now_baseline: Readings | None
    """The baseline at the moment of `now`, and below at that of `run`."""
    baseline: Readings | None
    is_summary: bool
    """The run is over and there is no cursor: the worst, totals and means count."""
    has_cursor: bool = False


Number = Callable[[Readings], float | None]


def _change(view: View, of: Number, size: Callable[[float], str], *, more_is_better: bool = False) -> Change | None:
    """The difference as far as both runs have come."""
    return _compare(view.run, view.baseline, of, size, more_is_better=more_is_better)


def _change_now(view: View, of: Number, size: Callable[[float], str], *, more_is_better: bool = False) -> Change | None:
    """The difference at the moment shown."""
    return _compare(view.now, view.now_baseline, of, size, more_is_better=more_is_better)


def _compare(
    run: Readings, baseline: Readings | None, of: Number, size: Callable[[float], str], *, more_is_better: bool
) -> Change | None:
    value = of(run)
    before = of(baseline) if baseline is not None else None
    if value is None or before is None:
        return None
    return change_of(value, before, size(abs(value - before)), more_is_better=more_is_better)


def _points(ratio: float) -> str:
    points = 100.0 * ratio
    return translate("KeyFigures", "{points} pt").format(points=f"{points:.1f}" if points >= 0.1 else f"{points:.2g}")


def slo_card(view: View) -> Card:
    """Share of time in which the SLO was met."""
    found, slos = view.run.attainment(), view.run.slos
    return Card(
        _slo_title(view.run),
        percent_text(found[0] if found is not None else None),
        _slo_note(found, len(slos)),
        _change(view, _share, _points, more_is_better=True),
        translate(
            "KeyFigures",
            "Share of the time in which latency and lost requests kept to the service level objective (SLO).",
        ),
    )


def _slo_note(found: tuple[float, str] | None, count: int) -> str:
    if not count:
        return translate("KeyFigures", "none set")
    if found is None or count == 1:
        return translate("KeyFigures", "of the time")
    return (
        translate("KeyFigures", "worst: {workload}").format(workload=found[1])
        if found[0] < 1.0
        else translate("KeyFigures", "by all {count}").format(count=count)
    )


def _share(run: Readings) -> float | None:
    found = run.attainment()
    return found[0] if found is not None else None


def _slo_title(run: Readings) -> str:
    targets = {(slo.percentile, slo.target) for slo in run.slos.values()}
    if len(targets) != 1:
        return translate("KeyFigures", "SLO met")
    [(percentile, target)] = targets
    return translate("KeyFigures", "SLO p{percentile} ≤ {limit}").format(
        percentile=percentile, limit=latency_text(target / US_PER_MS)
    )


def latency_card(view: View) -> Card:
    """The slowest workload's p95."""
    now, peak = view.now.latency_ms(), view.run.latency_peak()
    help_text = translate(
        "KeyFigures", "95 of 100 requests were answered within this time; the slowest workload counts."
    )
    if view.is_summary:
        value, note = (
            _value(peak, latency_text),
            translate("KeyFigures", "at {time}").format(time=_clock(peak)) if peak else "",
        )
        change = _change(view, lambda run: _number(run.latency_peak()), latency_text)
        return Card(translate("KeyFigures", "p95 latency, peak"), value, note, change, help_text)
    note = (
        translate("KeyFigures", "peak {value} · {time}").format(value=latency_text(peak.value), time=_clock(peak))
        if peak
        else ""
    )
    change = _change_now(view, Readings.latency_ms, latency_text)
    return Card(
        translate("KeyFigures", "p95 at cursor") if view.has_cursor else translate("KeyFigures", "p95 latency"),
        latency_text(now),
        note,
        change,
        help_text,
    )


def pending_card(view: View) -> Card:
    """Pods that wait for a node."""
    peak, waited_s = view.run.pending_peak(), view.run.pending_s()
    help_text = translate(
        "KeyFigures", "Pods without a node, spare pods of overprovisioning among them; and how long there were any."
    )
    waited = (
        translate("KeyFigures", "for {time}").format(time=span_text(waited_s))
        if waited_s
        else translate("KeyFigures", "none so far")
    )
    if view.is_summary:
        change = _change(view, lambda run: _number(run.pending_peak()), count_text)
        waited = waited if waited_s else translate("KeyFigures", "no pod waited")
        return Card(
            translate("KeyFigures", "Max pending pods"),
            _value(peak, count_text),
            waited if peak else "",
            change,
            help_text,
        )
    note = (
        translate("KeyFigures", "max {count} {waited}").format(count=count_text(peak.value), waited=waited)
        if peak
        else ""
    )
    note = waited if peak and not peak.value else note
    change = _change_now(view, Readings.pending, count_text)
    return Card(
        translate("KeyFigures", "Pending at cursor") if view.has_cursor else translate("KeyFigures", "Pending pods"),
        count_text(view.now.pending()),
        note,
        change,
        help_text,
    )


def pod_start_card(view: View) -> Card:
    """Creation to Ready."""
    longest = view.run.figure("pod_start_max")
    return Card(
        translate("KeyFigures", "Pod start p95"),
        span_text(_pod_start(view.run)),
        translate("KeyFigures", "longest {time}").format(time=span_text(longest))
        if longest is not None
        else _start_note(view),
        _change(view, _pod_start, span_text),
        translate(
            "KeyFigures",
            "From a pod's creation until it is Ready: 95 of 100 pods were faster. Known when the run is over.",
        ),
    )


def _start_note(view: View) -> str:
    return (
        translate("KeyFigures", "known at the end")
        if view.run.is_live
        else translate("KeyFigures", "no pod was started")
    )


def _pod_start(run: Readings) -> float | None:
    return run.figure("pod_start_p95")


def nodes_card(view: View) -> Card:
    """Ready nodes."""
    nodes, whole = view.now.nodes(), view.run.nodes()
    note = " → ".join(count_text(count) for count in (*whole[:2], nodes[2])) if nodes and whole else ""
    return Card(
        translate("KeyFigures", "Nodes at cursor") if view.has_cursor else translate("KeyFigures", "Nodes"),
        count_text(nodes[2] if nodes else None),
        note,
        _change_now(view, _nodes_now, count_text),
        translate("KeyFigures", "Ready nodes; below: at the start → the most → now."),
    )


def _nodes_now(run: Readings) -> float | None:
    nodes = run.nodes()
    return nodes[2] if nodes else None


def cpu_card(view: View) -> Card:
    """Requested and used CPU."""
    mean = view.is_summary
    used = view.now.cpu_share("used", mean=mean)
    title = translate("KeyFigures", "CPU at cursor") if view.has_cursor else translate("KeyFigures", "CPU requested")
    note = translate("KeyFigures", "mean; used {share}") if mean else translate("KeyFigures", "used {share}")

    def requested(run: Readings) -> float | None:
        return run.cpu_share("requested", mean=mean)

    return Card(
        title,
        _whole_percent(requested(view.now)),
        note.format(share=_whole_percent(used)) if used is not None else "",
        _change_now(view, requested, _points, more_is_better=True),
        translate(
            "KeyFigures", "CPU that pods request, and below what they use, of all that the ready nodes can give out."
        ),
    )


def _whole_percent(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{100.0 * ratio:.0f} %"


def cost_card(view: View) -> Card:
    """What the nodes cost."""
    rate, total = view.now.cost_rate(), view.run.cost()
    rate_text = translate("KeyFigures", "{money} /h").format(money=money_text(rate)) if rate is not None else NOTHING
    change = _change(view, Readings.cost, money_text)
    help_text = translate(
        "KeyFigures", "List prices of the nodes from request to removal; the difference is that of the total."
    )
    if view.is_summary:
        note = translate("KeyFigures", "{rate} at end").format(rate=rate_text) if rate is not None else ""
        return Card(translate("KeyFigures", "Cost, total"), money_text(total), note, change, help_text)
    note = translate("KeyFigures", "{money} in total").format(money=money_text(total)) if total is not None else ""
    return Card(
        translate("KeyFigures", "Cost at cursor") if view.has_cursor else translate("KeyFigures", "Cost"),
        rate_text,
        note,
        change,
        help_text,
    )


def _value(peak: Peak | None, text: Callable[[float | None], str]) -> str:
    return text(_number(peak))


def _number(peak: Peak | None) -> float | None:
    return peak.value if peak is not None else None


def _clock(peak: Peak) -> str:
    return clock_text(peak.time_s)


CARDS: tuple[Callable[[View], Card], ...] = (
    slo_card,
    latency_card,
    pending_card,
    pod_start_card,
    nodes_card,
    cpu_card,
    cost_card,
)
"""All cards from left to right."""
