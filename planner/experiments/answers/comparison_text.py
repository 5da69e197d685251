"""The answer of a comparison in one sentence."""

from collections.abc import Iterator
from dataclasses import replace

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, FigureDifference
from planner.experiments.answers.figure_sense import lower_is_better
from planner.experiments.answers.numbers import amount, in_shown_unit, percent
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import Phrase, joined, phrase, phrase_count

_MOST_FIGURES = 4


def compared(answer: ExperimentAnswer) -> ExperimentAnswer:
    """The answer with its sentence."""
    return replace(answer, sentence=_sentence(answer))


def _sentence(answer: ExperimentAnswer) -> str:
    names, count = [one.name for one in answer.variants], len(answer.seeds)
    if not count:
        return phrase("No seed was finished with every plan, so there is nothing to compare yet.")
    if len(names) < 2:
        return phrase("There is only one plan ({plan}), so there is nothing to compare.", plan=names[0])
    found = [one for figure in answer.figures.values() for one in figure.differences]
    if all(one.verdict is DifferenceVerdict.SAME for one in found):
        return phrase("All runs are alike: every figure is the same in every one of {seeds}.", seeds=_seeds(count))
    if len(names) == 2:
        said = joined("; ", _differences(answer))
        return phrase("{b} against {a}, {seeds}: {said}.", a=names[0], b=names[1], seeds=_seeds(count), said=said)
    said = joined("; ", _best(answer))
    return phrase("{count} plans, {seeds}: {said}.", count=len(names), seeds=_seeds(count), said=said)


def _seeds(count: int) -> Phrase:
    return phrase_count("1 seed", "{count} seeds", count, count=count)


def _differences(answer: ExperimentAnswer) -> Iterator[str]:
    for name in answer.looked_at[:_MOST_FIGURES]:
        figure = answer.figures.get(name)
        for one in figure.differences if figure is not None else ():
            yield difference_text(name, one, answer.figures[name])


def difference_text(name: str, one: FigureDifference, figure: FigureAnswer) -> str:
    """For example "cost is $0.30 higher ($0.29 to $0.31, +12 %)"."""
    if one.verdict is DifferenceVerdict.SAME:
        return phrase("{name} is the same", name=name)
    estimate, unit = one.estimate, figure.unit
    if one.verdict is DifferenceVerdict.UNDECIDED and not estimate.has_interval:
        return phrase("{name} cannot be told apart", name=name)
    if one.verdict is DifferenceVerdict.UNDECIDED:
        low, high = in_shown_unit(estimate.low, unit), in_shown_unit(estimate.high, unit)
        return phrase("{name} cannot be told apart ({low} to {high})", name=name, low=low, high=high)
    sign = 1.0 if one.verdict is DifferenceVerdict.HIGHER else -1.0
    ends = sorted((sign * estimate.low, sign * estimate.high))
    of = figure.variants[one.a].mean
    share = f"{estimate.mean / abs(of):+.1%}".replace("%", " %") if of else ""
    low, high = (in_shown_unit(end, unit) for end in ends)
    inside: list[str] = [phrase("{low} to {high}", low=low, high=high)] if estimate.has_interval else []
    inside += [share] if share else []
    values = {"name": name, "amount": amount(sign * estimate.mean, unit)}
    more = phrase("{name} is {amount} higher", **values) if sign > 0.0 else phrase("{name} is {amount} lower", **values)
    return joined("", (more, " (", joined(", ", inside), ")")) if inside else more


def best_and_rivals(figure: FigureAnswer, *, lowest: bool) -> tuple[str, tuple[str, ...]]:
    """Of more than two plans the best one, and those that cannot be told from it, equal ones first.

    An interval that begins or ends at 0 says that the plan is not the best one.
    """
    sign = 1.0 if lowest else -1.0
    first = min(figure.variants, key=lambda plan: sign * figure.variants[plan].mean)
    others = {plan: one for plan, one in figure.best.items() if plan != first}
    equal = [plan for plan, one in others.items() if one.mean == one.low == one.high == 0.0]
    return first, (*equal, *(plan for plan, one in others.items() if one.low < 0.0 < one.high))


def _best(answer: ExperimentAnswer) -> Iterator[str]:
    """For each figure the best plan, and those that cannot be told from it."""
    for name in answer.looked_at[:_MOST_FIGURES]:
        figure, lowest = answer.figures.get(name), lower_is_better(name)
        if figure is None or not figure.best or lowest is None:
            continue
        first, rivals = best_and_rivals(figure, lowest=lowest)
        text = phrase("{name} is highest with {plan}", name=name, plan=first)
        if lowest:
            text = phrase("{name} is lowest with {plan}", name=name, plan=first)
        if rivals:
            others = phrase(", which cannot be told from {names}", names=", ".join(rivals))
            text = joined("", (text, others))
        yield text


def broken_text(workload: str, low: float, mean: float, high: float) -> str:
    """How often an SLO is broken."""
    return phrase(
        "the SLO of {workload} is broken in {mean} of runs ({low} to {high})",
        workload=workload,
        mean=percent(mean),
        low=percent(low),
        high=percent(high),
    )
