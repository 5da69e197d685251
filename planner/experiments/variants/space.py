"""A space of plans: parameters with their values, and the plans at its points."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from planner.engine.loop import never
from planner.errors import PlanProblem, PlanProblems, problem_and_remedy
from planner.experiments.variants.runnable_plan import RunnablePlan, RunnablePlans, runnable_plan
from planner.language.translation import tr
from planner.plan.files.places import Place
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import value_of
from planner.plan.values.range_text import ValueRange, parse_range
from planner.plan.variants.application import LOAD, plan_data, with_changes
from planner.plan.variants.machines import MACHINE, machines_named, pool_at
from planner.plan.variants.reached import reached
from planner.units import parse_count

Floats = NDArray[np.float64]
_LEVELS = 5
"""Of a range without a step, on a grid."""
MOST_LEVELS = 100_000
_STEPS = 1_000
"""Of a range without a step, at least: what a sample of it tells apart."""


@dataclass(frozen=True)
class Parameter:
    """A number or choice of the plan, and the values it takes."""

    path: str
    levels: tuple[str, ...]
    """As the file writes them, in order; of a range without a step those of a grid."""
    low: float = math.nan
    """In the unit in which the plan holds it; not a number for choices."""
    high: float = math.nan
    place: Place | None = None
    """What is declared there; None for a factor on the load."""
    continuous: bool = False
    """Whether values between the levels count too."""

    def at(self, share: float) -> str:
        """The value at a share of the range from 0 to 1."""
        if not self.continuous:
            return self.levels[min(int(share * len(self.levels)), len(self.levels) - 1)]
        value = self.low + share * (self.high - self.low)
        return _written(_rounded(value, self.low, self.high, self.place), self.place)


Point = tuple[str, ...]
"""A value of each parameter."""


@dataclass(frozen=True)
class ParameterSpace:
    """All combinations of the values of some parameters."""

    parameters: tuple[Parameter, ...]

    @property
    def size(self) -> int:
        """Number of points of the grid."""
        return math.prod(len(parameter.levels) for parameter in self.parameters)

    def grid(self) -> Iterator[Point]:
        """All combinations of levels; the last parameter changes fastest."""
        return itertools.product(*(parameter.levels for parameter in self.parameters))

    def at(self, shares: Sequence[float]) -> Point:
        """The point at shares of the ranges."""
        return tuple(parameter.at(float(share)) for parameter, share in zip(self.parameters, shares, strict=True))

    def points(self, shares: Floats) -> tuple[Point, ...]:
        """The points at rows of shares, each once, in the order of the rows."""
        return tuple(dict.fromkeys(self.at(row) for row in shares))

    def changes(self, point: Point) -> tuple[str, ...]:
        """The changes that lead from the plan to a point."""
        return tuple(f"{parameter.path} = {value}" for parameter, value in zip(self.parameters, point, strict=True))


def space_of(plan: Plan, texts: Iterable[str]) -> ParameterSpace:
    """The space of ranges written as text. Raises PlanProblem for what does not fit, or without any range."""
    parameters = tuple(_parameter(plan, _parsed(text)) for text in texts)
    if not parameters:
        remedy = tr("Give a range, such as --over 'nodeGroups[general].maxSize=10..40:5'.")
        raise PlanProblem("over", tr("The space has no parameters."), remedy)
    paths = [parameter.path for parameter in parameters]
    for path in paths:
        if paths.count(path) > 1:
            raise PlanProblem(path, tr("The parameter is given twice."), tr("Put all its values into one range."))
    return ParameterSpace(parameters)


def plans_at(
    plan: Plan, space: ParameterSpace, points: Iterable[Point], cancelled: Callable[[], bool] = never
) -> tuple[tuple[Point, ...], RunnablePlans]:
    """The plans at points, and the points that they belong to; those that the plan refuses are listed apart.

    Ends early when `cancelled()` turns true. Raises PlanProblems if the plan refuses all of them.
    """
    ready, refused, kept = list[RunnablePlan](), list[PlanProblem](), list[Point]()
    for point in points:
        if cancelled():
            break
        name = ", ".join(space.changes(point))
        try:
            changed = with_changes(plan, space.changes(point))
            uncertain = [text for text in plan.uncertain_inputs if text.partition("~")[0].strip() not in _paths(space)]
            ready.append(runnable_plan(changed.model_copy(update={"uncertain_inputs": tuple(uncertain)}), name))
            kept.append(point)
        except PlanProblems as error:
            refused.extend(
                PlanProblem(f"{name}: {problem.where}", problem.problem, problem.remedy) for problem in error.problems
            )
    if refused and not ready:
        raise PlanProblems(refused[:20], max(0, len(refused) - 20))
    return tuple(kept), RunnablePlans(tuple(ready), tuple(refused))


def _paths(space: ParameterSpace) -> tuple[str, ...]:
    return tuple(parameter.path for parameter in space.parameters)


def _parsed(text: str) -> ValueRange:
    try:
        return parse_range(text)
    except ValueError as error:
        problem, remedy = problem_and_remedy(str(error))
        raise PlanProblem("over", f"{problem}.", f"{remedy[:1].upper()}{remedy[1:]}.") from error


def _parameter(plan: Plan, given: ValueRange) -> Parameter:
    if given.steps[0] == MACHINE:
        return _machines(plan, given)
    place = None if given.steps[0] == LOAD else reached(plan_data(plan), given.steps).place
    if given.choices:
        return Parameter(given.path, given.choices, place=place)
    low, high = (_number(given.path, text, place) for text in (given.low, given.high))
    if low >= high:
        problem = tr("The range {low}..{high} is empty.", low=given.low, high=given.high)
        raise PlanProblem(given.path, problem, tr("Write the lower value first."))
    if not given.step:
        shares = np.linspace(low, high, _LEVELS)
        rounded = (_rounded(float(value), low, high, place) for value in shares)
        levels = tuple(dict.fromkeys(_written(value, place) for value in rounded))
        return Parameter(given.path, levels, low, high, place, continuous=True)
    step = _number(given.path, given.step, place)
    if step <= 0.0:
        raise PlanProblem(given.path, tr("The step {step} is not above 0.", step=given.step), tr("Give a larger step."))
    if (high - low) / step > MOST_LEVELS:
        problem = tr("The range has more than {most} values.", most=f"{MOST_LEVELS:,}")
        raise PlanProblem(given.path, problem, tr("Give a larger step."))
    count = math.floor((high - low) / step * (1.0 + 1e-12)) + 1
    return Parameter(given.path, tuple(_written(low + at * step, place) for at in range(count)), low, high, place)


def _machines(plan: Plan, given: ValueRange) -> Parameter:
    pool_at(plan, given.steps)
    if not given.choices:
        remedy = tr("List machines: {path} = m5.large, m5.xlarge, or {path} = m5.*.", path=given.path)
        raise PlanProblem(given.path, tr("Machines have no order to count through."), remedy)
    return Parameter(given.path, machines_named(given.choices))


def _number(path: str, text: str, place: Place | None) -> float:
    spelling = None if place is None else place.spelling
    try:
        if spelling is None:
            value = value_of(text)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(text)
            return float(value)
        return float(spelling.parse(text))
    except ValueError as error:
        example = "10..40:5" if spelling is None else f"{spelling.example}..{spelling.example}"
        remedy = tr("Write numbers, such as {example}, or list the values with commas.", example=example)
        raise PlanProblem(path, tr("{text!r} is not a number that fits here.", text=text), remedy) from error


def _rounded(value: float, low: float, high: float, place: Place | None) -> float:
    """A quantity or duration in steps of about a thousandth of its range, so that it is short to read: 4m54.2s."""
    if place is None or place.spelling is None:
        return value
    base = 2 if place.spelling.parse is parse_count else 10  # bytes have binary units
    step = base ** max(0, math.floor(math.log((high - low) / _STEPS, base)))
    return float(min(max(round(value / step) * step, low), high))


def _written(number: float, place: Place | None) -> str:
    """As the file writes it."""
    if place is not None and place.spelling is not None:
        return place.spelling.format(round(number))
    if place is not None and int in (kinds := (place.annotation, *get_args(place.annotation))) and float not in kinds:
        return str(round(number))
    return f"{number:.6g}"
