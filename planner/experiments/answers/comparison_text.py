"""The answer of a comparison in one sentence."""

from collections.abc import Iterator
from dataclasses import replace

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, FigureDifference
from planner.experiments.answers.figure_sense import lower_is_better
from planner.experiments.answers.numbers import number, percent
from planner.experiments.statistics.paired import DifferenceVerdict

_MOST_FIGURES = 4
_PLAIN = ("", "ratio", "count")
"""Units that say nothing in a sentence."""


def compared(answer: ExperimentAnswer) -> ExperimentAnswer:
    """The answer with its sentence."""
    return replace(answer, sentence=_sentence(answer))


def _sentence(answer: ExperimentAnswer) -> str:
    names, count = [one.name for one in answer.variants], len(answer.seeds)
    if not count:
        return "No seed was finished with every plan, so there is nothing to compare yet."
    if len(names) < 2:
        return f"There is only one plan ({names[0]}), so there is nothing to compare."
    found = [one for figure in answer.figures.values() for one in figure.differences]
    if all(one.verdict is DifferenceVerdict.SAME for one in found):
        return f"All runs are alike: every figure is the same in every one of {_seeds(count)}."
    if len(names) == 2:
        return f"{names[1]} against {names[0]}, {_seeds(count)}: {'; '.join(_differences(answer))}."
    return f"{len(names)} plans, {_seeds(count)}: {'; '.join(_best(answer))}."


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"{count} seeds"


def _differences(answer: ExperimentAnswer) -> Iterator[str]:
    for name in answer.looked_at[:_MOST_FIGURES]:
        figure = answer.figures.get(name)
        for one in figure.differences if figure is not None else ():
            yield difference_text(name, one, answer.figures[name])


def difference_text(name: str, one: FigureDifference, figure: FigureAnswer) -> str:
    """For example "cost is 0.3 USD higher (0.29 to 0.31, +12 %)"."""
    if one.verdict is DifferenceVerdict.SAME:
        return f"{name} is the same"
    estimate = one.estimate
    if one.verdict is DifferenceVerdict.UNDECIDED:
        return f"{name} cannot be told apart ({number(estimate.low)} to {number(estimate.high)})"
    sign = 1.0 if one.verdict is DifferenceVerdict.HIGHER else -1.0
    ends = sorted((sign * estimate.low, sign * estimate.high))
    of = figure.variants[one.a].mean
    share = f", {estimate.mean / abs(of):+.1%}".replace("%", " %") if of else ""
    interval = "" if estimate.method == "constant" else f"{number(ends[0])} to {number(ends[1])}"
    inside = (interval + share).removeprefix(", ")
    unit = "" if figure.unit in _PLAIN else f" {figure.unit}"
    return f"{name} is {number(sign * estimate.mean)}{unit} {one.verdict}" + (f" ({inside})" if inside else "")


def _best(answer: ExperimentAnswer) -> Iterator[str]:
    """For each figure the best plan, and those that cannot be told from it."""
    for name in answer.looked_at[:_MOST_FIGURES]:
        figure, lowest = answer.figures.get(name), lower_is_better(name)
        if figure is None or not figure.best or lowest is None:
            continue
        sign = 1.0 if lowest else -1.0
        first = min(figure.variants, key=lambda plan: sign * figure.variants[plan].mean)
        rivals = [plan for plan, one in figure.best.items() if plan != first and one.low < 0.0 < one.high]
        equal = [plan for plan, one in figure.best.items() if plan != first and one.mean == one.low == one.high == 0.0]
        text = f"{name} is {'lowest' if lowest else 'highest'} with {first}"
        if rivals or equal:
            text += f", which cannot be told from {', '.join((*equal, *rivals))}"
        yield text


def broken_text(workload: str, low: float, mean: float, high: float) -> str:
    """How often an SLO is broken."""
    return f"the SLO of {workload} is broken in {percent(mean)} of runs ({percent(low)} to {percent(high)})"
