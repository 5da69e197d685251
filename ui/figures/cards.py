"""The contents of each key figure card; one function per card.

A run in progress, or viewed at the cursor, shows the moment first and the extremes below; a finished
run shows what is left of it: the worst, the totals and the means.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from planner.units import US_PER_MS
from ui.figures.card import CardReadings, FigureCard, change_now, change_so_far, points_text, whole_percent
from ui.figures.cost_card import cost_card
from ui.figures.readings import Peak, Readings
from ui.wording.figures import clock_text, count_text, latency_text, percent_text, span_text

translate = QCoreApplication.translate


def slo_card(view: CardReadings) -> FigureCard:
    """Share of time in which the SLO was met."""
    found, slos = view.run.attainment, view.run.slos
    return FigureCard(
        _slo_title(view.run),
        percent_text(found[0] if found is not None else None),
        _slo_note(found, len(slos)),
        change_so_far(view, _share, points_text, more_is_better=True),
        translate(
            "KeyFigures",
            "Share of time in which latency and lost requests met the service level objective (SLO).",
        ),
        translate(
            "KeyFigures",
            "Time in which the percentile of latency was within its target and the share of lost requests within its "
            "limit ÷ time with load. With several objectives: the worst of them.",
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
        else translate("KeyFigures", "all {count} workloads").format(count=count)
    )


def _share(run: Readings) -> float | None:
    found = run.attainment
    return found[0] if found is not None else None


def _slo_title(run: Readings) -> str:
    targets = {(slo.percentile, slo.target) for slo in run.slos.values()}
    if len(targets) != 1:
        return translate("KeyFigures", "SLO met")
    [(percentile, target)] = targets
    return translate("KeyFigures", "SLO p{percentile} ≤ {limit}").format(
        percentile=percentile, limit=latency_text(target / US_PER_MS)
    )


def latency_card(view: CardReadings) -> FigureCard:
    """The slowest workload's p95."""
    now, peak = view.now.latency_ms, view.run.latency_peak
    help_text = translate(
        "KeyFigures", "95 % of requests were answered within this time; shown for the slowest workload."
    )
    formula = translate(
        "KeyFigures",
        "For each load step: the time within which 95 of 100 of its requests were answered, waiting and the latency "
        "floor included. Then the largest over all workloads; the peak is the largest over all steps.",
    )
    peak_text, peak_bound = view.run.latency_words(peak.value if peak else None)
    if view.is_summary:
        change = change_so_far(view, lambda run: _number(run.latency_peak), latency_text)
        note = _at(peak_bound, peak) if peak else ""
        return FigureCard(translate("KeyFigures", "p95 latency, peak"), peak_text, note, change, help_text, formula)
    value, bound = view.now.latency_words(now)
    note = translate("KeyFigures", "peak {value} · {time}").format(value=peak_text, time=_clock(peak)) if peak else ""
    change = change_now(view, lambda run: run.latency_ms, latency_text)
    title = translate("KeyFigures", "p95 at cursor") if view.has_cursor else translate("KeyFigures", "p95 latency")
    return FigureCard(title, value, bound or note, change, help_text, formula)


def _at(bound: str, peak: Peak) -> str:
    """When a latency was the longest, and at which bound it was then, where it was at one."""
    if bound:
        return translate("KeyFigures", "{bound} · {time}").format(bound=bound, time=_clock(peak))
    return translate("KeyFigures", "at {time}").format(time=_clock(peak))


def pending_card(view: CardReadings) -> FigureCard:
    """Pods that wait for a node."""
    peak, waited_s = view.run.pending_peak, view.run.pending_s
    help_text = translate(
        "KeyFigures", "Pods without a node, including overprovisioning pause pods, and how long any were pending."
    )
    formula = translate(
        "KeyFigures",
        "Pods that exist and are bound to no node, counted at each moment; the time below is that with at least one.",
    )
    waited = (
        translate("KeyFigures", "for {time}").format(time=span_text(waited_s))
        if waited_s
        else translate("KeyFigures", "none so far")
    )
    if view.is_summary:
        change = change_so_far(view, lambda run: _number(run.pending_peak), count_text)
        waited = waited if waited_s else translate("KeyFigures", "no pod waited")
        return FigureCard(
            translate("KeyFigures", "Max pending pods"),
            _value(peak, count_text),
            waited if peak else "",
            change,
            help_text,
            formula,
        )
    note = waited if peak and not peak.value else ""
    if peak and waited_s:
        note = translate("KeyFigures", "max {count} {waited}").format(count=count_text(peak.value), waited=waited)
    change = change_now(view, Readings.pending, count_text)
    return FigureCard(
        translate("KeyFigures", "Pending at cursor") if view.has_cursor else translate("KeyFigures", "Pending pods"),
        count_text(view.now.pending()),
        note,
        change,
        help_text,
        formula,
    )


def pod_start_card(view: CardReadings) -> FigureCard:
    """Creation to Ready."""
    longest = view.run.figure("pod_start_max")
    return FigureCard(
        translate("KeyFigures", "Pod start p95"),
        span_text(_pod_start(view.run)),
        translate("KeyFigures", "longest {time}").format(time=span_text(longest))
        if longest is not None
        else _start_note(view),
        change_so_far(view, _pod_start, span_text),
        translate(
            "KeyFigures",
            "From a pod's creation until it is Ready; 95 % of pods were faster. Available once the run has ended.",
        ),
        translate(
            "KeyFigures",
            "Time of Ready − time of creation, of every pod that became Ready during the run; the 95th percentile.",
        ),
    )


def _start_note(view: CardReadings) -> str:
    return (
        translate("KeyFigures", "known at the end") if view.run.is_live else translate("KeyFigures", "no pods started")
    )


def _pod_start(run: Readings) -> float | None:
    return run.figure("pod_start_p95")


def nodes_card(view: CardReadings) -> FigureCard:
    """Ready nodes."""
    nodes, before = view.now.nodes(), view.run.nodes_before
    note = " → ".join(count_text(count) for count in (*before, nodes)) if nodes is not None and before else ""
    return FigureCard(
        translate("KeyFigures", "Nodes at cursor") if view.has_cursor else translate("KeyFigures", "Nodes"),
        count_text(nodes),
        note,
        change_now(view, Readings.nodes, count_text),
        translate("KeyFigures", "Ready nodes; below: at the start → maximum → now."),
        translate("KeyFigures", "Nodes whose condition Ready is true, counted at each moment, over all pools."),
    )


def cpu_card(view: CardReadings) -> FigureCard:
    """Requested and used CPU."""
    mean = view.is_summary
    share = Readings.mean_cpu_share if mean else Readings.cpu_share
    used = share(view.now, "used")
    title = translate("KeyFigures", "CPU at cursor") if view.has_cursor else translate("KeyFigures", "CPU requested")
    note = translate("KeyFigures", "mean; used {share}") if mean else translate("KeyFigures", "used {share}")

    def requested(run: Readings) -> float | None:
        return share(run, "requested")

    return FigureCard(
        title,
        whole_percent(requested(view.now)),
        note.format(share=whole_percent(used)) if used is not None else "",
        change_now(view, requested, points_text, more_is_better=True),
        translate(
            "KeyFigures",
            "CPU requested by pods and, below it, CPU used, as a share of the allocatable CPU of ready nodes.",
        ),
        translate(
            "KeyFigures",
            "Sum of the CPU requests of bound pods ÷ sum of the allocatable CPU of ready nodes; used: CPU that pods "
            "really use ÷ the same sum.",
        ),
    )


def _value(peak: Peak | None, text: Callable[[float | None], str]) -> str:
    return text(_number(peak))


def _number(peak: Peak | None) -> float | None:
    return peak.value if peak is not None else None


def _clock(peak: Peak) -> str:
    return clock_text(peak.time_s)


CARDS: tuple[Callable[[CardReadings], FigureCard], ...] = (
    slo_card,
    latency_card,
    pending_card,
    pod_start_card,
    nodes_card,
    cpu_card,
    cost_card,
)
"""All cards from left to right."""
