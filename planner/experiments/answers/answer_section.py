"""The answer of an experiment as a section of a report for people."""

import re
from collections.abc import Callable, Iterator, Sequence

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer
from planner.experiments.answers.band_plots import band_plots
from planner.experiments.answers.figure_sense import lower_is_better
from planner.experiments.answers.numbers import beyond_bound, percent
from planner.experiments.answers.parted import parted_decision
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import said
from planner.language.translation import tr
from planner.record.result import Figure
from planner.reports.content import wording
from planner.reports.content.report import ReportSection, ReportTable
from planner.reports.content.titles import TITLES, title_of

_MOST_ROWS = 60
_MOST_CHANGES = 20
_MOST_NOTES = 10
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def answer_section(name: str, answer: ExperimentAnswer, sentence: str = "") -> ReportSection:
    """Sentence, notes, figures with intervals and first parting decision. `sentence` stands in for the answer's own."""
    tables = (*_plans(answer), *_of_kind(answer), *_figures(answer), *_slos(answer), *_parting(answer))
    lines = (sentence or _with_titles(answer), *_basis(answer), *map(said, answer.notes[:_MOST_NOTES]))
    title = tr("Experiment: {name}", name=wording.one_line(name))
    return ReportSection(title, lines, tuple(_bounded(one) for one in tables), band_plots(name, answer))


def _with_titles(answer: ExperimentAnswer) -> str:
    """The answer's sentence with figures as a report calls them; constraints stay as they were written."""
    names = sorted((name for name in answer.figures if not name.isalpha()), key=len, reverse=True)
    if not names:
        return said(answer.sentence)
    known = "|".join(re.escape(name) for name in names)
    return re.sub(rf"(?<![\w.\[])({known})(?![\w\[<>])", lambda found: title_of(found[1]), said(answer.sentence))


def _basis(answer: ExperimentAnswer) -> Iterator[str]:
    if not answer.seeds:
        return
    first, last, count, sure = answer.seeds[0], answer.seeds[-1], len(answer.seeds), percent(answer.confidence)
    if count == 1:
        yield tr("It rests on seed {first}; intervals have a confidence of {sure}.", first=first, sure=sure)
    else:
        yield tr(
            "It rests on {count} seeds ({first} to {last}); intervals have a confidence of {sure}.",
            count=count, first=first, last=last, sure=sure,
        )  # fmt: skip
    if answer.stopped:
        yield tr("It was stopped early.")


def _bounded(table: ReportTable) -> ReportTable:
    more = len(table.rows) - _MOST_ROWS
    if more <= 0:
        return table
    rest = tr("{more} more rows are in the answer itself: headroom experiment PLAN NAME.", more=more)
    note = f"{table.note} {rest}".strip()
    return ReportTable(table.title, table.header, table.aligns, table.rows[:_MOST_ROWS], note)


def _plans(answer: ExperimentAnswer) -> Iterator[ReportTable]:
    """How the plans differ; kinds with a table of their own name their plans by what differs."""
    first, *others = answer.variants or (None,)
    if first is None or not others or answer.table:
        return
    rows = [(first.name, tr("what the others are compared with"))]
    for plan in others:
        more = len(plan.changes) - _MOST_CHANGES
        changes = [*plan.changes[:_MOST_CHANGES], *([tr("and {more} more", more=more)] if more > 0 else [])]
        rows.append((plan.name, wording.one_line("; ".join(changes)) or tr("no change")))
    yield ReportTable(tr("Plans"), (tr("Plan"), tr("Changes")), "ll", tuple(rows))


def _of_kind(answer: ExperimentAnswer) -> Iterator[ReportTable]:
    if len(answer.table) > 1:
        header, *rows = answer.table
        columns = [_column(answer, name, [row[at] for row in rows]) for at, name in enumerate(header)]
        titles = tuple(title_of(name) if name in answer.figures else said(name) for name in header)
        aligns = "".join("r" if all(_is_number(cell) for cell in column) else "l" for column in columns)
        yield ReportTable(tr("What came out"), titles, aligns, tuple(zip(*columns, strict=True)))
    for one in answer.tables:
        rows = [tuple(map(said, row)) for row in one.rows]
        yield ReportTable(said(one.title), rows[0], "l" * len(rows[0]), tuple(rows[1:]))


def _column(answer: ExperimentAnswer, name: str, cells: Sequence[str]) -> list[str]:
    """Plain numbers of a figure get its unit."""
    figure = answer.figures.get(name)
    if figure is None:
        return [said(cell) for cell in cells]
    return [_value(float(cell), figure.unit) if _PLAIN_NUMBER.fullmatch(cell) else said(cell) for cell in cells]


def _is_number(cell: str) -> bool:
    return cell.lstrip("−-$€£¥₩")[:1].isdigit() or cell in ("", wording.NOTHING)


def _figures(answer: ExperimentAnswer) -> Iterator[ReportTable]:
    """Figures that matter to people who look at plans; beside a table of its kind, only those of a single plan."""
    plans = [plan.name for plan in answer.variants]
    if answer.table and len(plans) != 1:
        return
    every = dict.fromkeys((*answer.looked_at, *answer.figures))
    names = [name for name in every if name in answer.figures and _is_shown(answer, name)]
    if len(plans) == 1:
        rows = tuple((title_of(name), *_means(answer, name, plans)) for name in names)
        yield ReportTable(tr("Figures"), (tr("Figure"), tr("Mean (interval)")), "lr", rows)
    elif len(plans) == 2:
        header = (tr("Figure"), *plans, tr("Difference"), "")
        wide = (_across(answer, name, plans) for name in names)
        yield ReportTable(tr("Figures"), header, "lrrrl", tuple(wide), tr("Means with their intervals."))
    elif names:
        header = (tr("Figure"), tr("Plan"), tr("Mean"), tr("Difference"), "")
        down = (row for name in names for row in _down(answer, name, plans))
        note = tr("Means and differences with their intervals.")
        yield ReportTable(tr("Figures"), header, "llrrl", tuple(down), note)


def _is_shown(answer: ExperimentAnswer, name: str) -> bool:
    """Of more than two plans only what the question is about; of others what people know and what happened at all."""
    if name in answer.looked_at:
        return True
    happened = any(one.mean != 0.0 for one in answer.figures[name].variants.values())
    return len(answer.variants) < 3 and happened and name.partition("[")[0] in TITLES


def _means(answer: ExperimentAnswer, name: str, plans: Sequence[str]) -> list[str]:
    figure = answer.figures[name]
    found = (figure.variants.get(plan) for plan in plans)
    return [wording.NOTHING if one is None else _mean(answer, name, one) for one in found]


def _mean(answer: ExperimentAnswer, name: str, estimate: MeanEstimate) -> str:
    unit = answer.figures[name].unit
    beyond = said(beyond_bound(name, estimate.mean, unit, answer.latencies))
    return beyond or _interval(estimate, unit, _value)


def _across(answer: ExperimentAnswer, name: str, plans: Sequence[str]) -> tuple[str, ...]:
    return (title_of(name), *_means(answer, name, plans), *_difference(name, answer.figures[name], plans[1]))


def _down(answer: ExperimentAnswer, name: str, plans: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for plan, mean in zip(plans, _means(answer, name, plans), strict=True):
        yield title_of(name), plan, mean, *_difference(name, answer.figures[name], plan)


def _difference(name: str, figure: FigureAnswer, plan: str) -> tuple[str, str]:
    """Of a plan from the first one, and what it means."""
    one = next((one for one in figure.differences if one.b == plan), None)
    if one is None:
        return "", ""
    if one.verdict is DifferenceVerdict.SAME:
        return tr("same"), ""
    return _interval(one.estimate, figure.unit, _change), _sense(name, one.verdict)


def _sense(name: str, verdict: DifferenceVerdict) -> str:
    if verdict is DifferenceVerdict.UNDECIDED:
        return tr("cannot be told apart")
    lower, is_less = lower_is_better(name), verdict is DifferenceVerdict.LOWER
    if lower is None:
        return tr("lower") if is_less else tr("higher")
    return tr("better") if is_less == lower else tr("worse")


def _interval(estimate: MeanEstimate, unit: str, write: Callable[[float, str], str]) -> str:
    mean, low, high = (write(value, unit) for value in (estimate.mean, estimate.low, estimate.high))
    return mean if not estimate.has_interval or mean == low == high else _with_ends(mean, low, high)


def _with_ends(mean: str, low: str, high: str) -> str:
    return tr("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def _value(value: float, unit: str) -> str:
    if value < 0.0:
        return f"−{_value(-value, unit)}"
    return wording.number(value) if unit == "count" and value < 100 else wording.figure_value(Figure(value, unit))


def _change(value: float, unit: str) -> str:
    sign = "+" if value > 0.0 else "−" if value < 0.0 else ""
    points = tr("{number} pts", number=wording.number(100.0 * abs(value)))
    return sign + (points if unit == "ratio" else _value(abs(value), unit))


def _slos(answer: ExperimentAnswer) -> Iterator[ReportTable]:
    rows = tuple(
        (workload, plan, _with_ends(percent(share.mean), percent(share.low), percent(share.high)),
         str(slo.worst_seed.get(plan, wording.NOTHING)))
        for workload, slo in answer.slos.items()
        for plan, share in slo.broken.items()
    )  # fmt: skip
    if rows:
        header = (tr("Workload"), tr("Plan"), tr("Share"), tr("Worst seed"))
        note = tr("The worst seed runs as any other: headroom simulate --seed.")
        yield ReportTable(tr("Runs that break the SLO"), header, "llrr", rows, note)


def _parting(answer: ExperimentAnswer) -> Iterator[ReportTable]:
    """The first decision at which the runs of the first two plans part, from both sides."""
    parting = answer.first_parting
    if parting is None:
        return
    rows = []
    for side, plan in zip("ab", answer.variants, strict=False):
        if parting[side] is None:
            rows.append((said(plan.name), wording.NOTHING, wording.NOTHING, tr("no more decisions"), ""))
        else:
            one = parted_decision(parting[side])
            what = f"{one.subject}: {one.what}"
            rows.append((said(plan.name), wording.clock(one.time_s), one.actor, what, one.why))
    title = tr("First decision at which the runs part (seed {seed})", seed=parting["seed"])
    header = (tr("Plan"), tr("Time"), tr("By"), tr("Decision"), tr("Why"))
    yield ReportTable(title, header, "lrlll", tuple(rows))
