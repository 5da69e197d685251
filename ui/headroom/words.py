"""Texts of a headroom search: the headline, the sentence below, the rows of its tables."""

from PySide6.QtCore import QCoreApplication, QLocale

from planner.api import LoadHeadroom, SloBreak, TriedLoad
from planner.experiments.kinds.stress.headroom_text import headroom_text, tried_text
from planner.experiments.kinds.stress.load_headroom import MAX_FACTOR
from planner.units import US_PER_S
from ui.headroom.search import HeadroomSearch, SearchState
from ui.widgets.plain_table import Cell, Cells, Column, Tone
from ui.wording.figures import NOTHING, clock_text, count_text, percent_text

translate = QCoreApplication.translate


def factor_text(factor: float) -> str:
    """3.52 ×."""
    return translate("Headroom", "{factor} ×").format(factor=f"{factor:.3g}")


def headline(search: HeadroomSearch) -> str:
    """The answer, or where the search is."""
    match search.state:
        case SearchState.IDLE:
            return translate("Headroom", "How much more load can the plan take?")
        case SearchState.GOING:
            return translate("Headroom", "Trying {factor} the load").format(factor=factor_text(search.now.factor))
        case SearchState.FAILED:
            return translate("Headroom", "The search failed")
    found = search.found
    assert found is not None
    if search.state is SearchState.CANCELLED and not found.tried:
        return translate("Headroom", "Cancelled before the first run finished")
    if found.broken_at is None:
        text = translate("Headroom", "At least {factor} the load")
    elif found.factor <= 0.0:
        return translate("Headroom", "Even a fraction of the load breaks an SLO")
    else:
        text = translate("Headroom", "{factor} the load")
    return text.format(factor=factor_text(found.factor))


def sentence(search: HeadroomSearch) -> str:
    """What the headline means."""
    match search.state:
        case SearchState.IDLE:
            return translate(
                "Headroom",
                "The plan is run repeatedly with all traffic multiplied by a factor, always with the "
                "same random draws, until the load at which the first SLO breaks is known to within 2 %.",
            )
        case SearchState.GOING:
            text = translate("Headroom", "Run {number}: {percent} % simulated.")
            return text.format(number=max(1, search.now.number), percent=int(100 * search.now.done))
        case SearchState.FAILED:
            return translate("Headroom", "See the message above for the cause and what to do.")
    assert search.found is not None
    return _outcome(search.found, cancelled=search.state is SearchState.CANCELLED)


def _outcome(found: LoadHeadroom, *, cancelled: bool) -> str:
    if not found.tried:
        return translate("Headroom", "No result yet.")
    if found.broken_at is None:
        more = found.factor < MAX_FACTOR
        text = (
            translate("Headroom", "Every SLO was met at every load tried before the search was cancelled.")
            if more
            else translate("Headroom", "Every SLO is still met; the search stops at this factor.")
        )
    else:
        text = translate("Headroom", "At {factor} the load, {what}.").format(
            factor=factor_text(found.broken_at), what=break_text(found.first_break, found.missed)
        )
    if cancelled:
        return translate("Headroom", "{text} Cancelled: the limit is not yet known to within 2 %.").format(text=text)
    return text


def break_text(first: SloBreak | None, missed: tuple[str, ...]) -> str:
    """The SLO of shop breaks first, at 00:13:15."""
    if first is None:
        return translate("Headroom", "the SLO of {workloads} breaks").format(workloads=", ".join(missed))
    if first.at_us is None:
        return translate("Headroom", "the SLO of {workload} breaks briefly").format(workload=first.workload)
    return translate("Headroom", "the SLO of {workload} breaks first, at {time}").format(
        workload=first.workload, time=clock_text(first.at_us / US_PER_S)
    )


def run_columns() -> tuple[Column, ...]:
    """Columns of the table of runs."""
    return (
        Column(translate("Headroom", "Load"), translate("Headroom", "Factor applied to all traffic"), is_number=True),
        Column(
            translate("Headroom", "SLOs"),
            translate("Headroom", "Whether every SLO was met throughout the run"),
            stretches=True,
        ),
        Column(
            translate("Headroom", "SLO met"),
            translate("Headroom", "Share of time; the worst if there are several SLOs"),
            is_number=True,
        ),
        Column(translate("Headroom", "p95, peak"), translate("Headroom", "For the slowest workload"), is_number=True),
        Column(
            translate("Headroom", "Nodes, peak"), translate("Headroom", "Maximum number of ready nodes"), is_number=True
        ),
    )


def run_row(one: TriedLoad) -> Cells:
    """A run in the table."""
    tone = Tone.GOOD if one.kept else Tone.BAD
    outcome = translate("Headroom", "✓ every SLO met") if one.kept else _broken(one)
    nodes = one.figures.get("nodes_peak")
    return (
        Cell(factor_text(one.factor)),
        Cell(outcome, tip=", ".join(one.missed), tone=tone),
        Cell(percent_text(one.attainment)),
        Cell(one.worst_p95_text),
        Cell(count_text(nodes.value) if nodes is not None else NOTHING),
    )


def _broken(one: TriedLoad) -> str:
    first = one.first_break
    if first is None or first.at_us is None:
        return translate("Headroom", "✗ {workloads}").format(workloads=", ".join(one.missed))
    more = len(one.missed) - 1
    text = translate("Headroom", "✗ {workload} at {time}")
    if more:
        text = translate("Headroom", "✗ {workload} at {time}, and {more} more")
    return text.format(workload=first.workload, time=clock_text(first.at_us / US_PER_S), more=more)


def room_columns() -> tuple[Column, ...]:
    """Columns of the table of pods."""
    return (
        Column(translate("Headroom", "Workload"), stretches=True),
        Column(
            translate("Headroom", "More pods"),
            translate("Headroom", "Pods that would have fit at that moment, counted for each workload on its own"),
            is_number=True,
        ),
    )


def room_rows(one: TriedLoad) -> list[Cells]:
    """Workloads with the pods that would have fitted."""
    return [
        (Cell(name.partition("[")[2].removesuffix("]")), Cell(QLocale().toString(round(pods)), tone=_room_tone(pods)))
        for name, pods in one.room.items()
        if name != "room_worst_at"
    ]


def _room_tone(pods: float) -> Tone:
    return Tone.BAD if pods < 1.0 else Tone.PLAIN


def room_title(one: TriedLoad | None) -> str:
    """When the room was smallest."""
    at_s = one.room.get("room_worst_at") if one is not None else None
    if at_s is None:
        return translate("Headroom", "Room for pods at the worst moment")
    return translate("Headroom", "Room for pods at the worst moment, {time}").format(time=clock_text(at_s))


def report_text(search: HeadroomSearch) -> str:
    """All of it as text."""
    assert search.found is not None
    name = search.plan.name if search.plan is not None else ""
    room = search.tried[0].room if search.tried else {}
    return "\n".join((name, headroom_text(search.found, room), tried_text(search.tried)))
