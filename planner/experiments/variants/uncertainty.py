"""Uncertain inputs: numbers of the plan that each seed draws, the same for every variant."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from planner.engine.draws import Draws, key_of
from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.places import Place
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import UncertainNumber, parse_uncertain
from planner.plan.variants.application import LOAD, plan_data
from planner.plan.variants.reached import reached

_PURPOSE = "experiments/uncertain input"


@dataclass(frozen=True)
class UncertainInput:
    """A number that is drawn, in the unit in which the plan holds it."""

    path: str
    kind: str
    numbers: tuple[float, ...]
    place: Place | None
    """What is declared there; None for a factor on the load."""

    def drawn(self, seed: int) -> float:
        """The number of that seed; it depends on seed and path alone."""
        share = Draws(seed).of(_PURPOSE).uniform(key_of(self.path))
        return self._within_bounds(_QUANTILES[self.kind](self.numbers, share))

    def change(self, number: float) -> str:
        """The change that puts the number into a plan."""
        if self.place is not None and self.place.spelling is not None:
            return f"{self.path} = {self.place.spelling.format(round(number))}"
        whole = self.place is not None and _is_whole(self.place)
        return f"{self.path} = {round(number) if whole else number!r}"

    def _within_bounds(self, number: float) -> float:
        """What the plan does not allow becomes the nearest value that it does."""
        marks = () if self.place is None else self.place.metadata
        lowest = [mark.ge for mark in marks if getattr(mark, "ge", None) is not None]
        highest = [mark.le for mark in marks if getattr(mark, "le", None) is not None]
        return float(min(max(number, *lowest, -math.inf), *highest, math.inf))


def uncertain_inputs(plan: Plan) -> tuple[UncertainInput, ...]:
    """The uncertain inputs of a plan. Raises PlanProblem for an unknown path or a number that does not fit."""
    return tuple(_input(plan, parse_uncertain(text)) for text in plan.uncertain_inputs)


def _input(plan: Plan, given: UncertainNumber) -> UncertainInput:
    is_load = given.steps[0] == LOAD
    place = None if is_load else reached(plan_data(plan), given.steps).place
    numbers = tuple(_number(text, given, place, at) for at, text in enumerate(given.numbers))
    if given.kind in ("uniform", "interval") and numbers[0] >= numbers[1]:
        raise PlanProblem(given.path, tr("The first number is not below the second."), tr("Write the lower one first."))
    if given.kind == "lognormal" and numbers[0] <= 0.0:
        raise PlanProblem(given.path, tr("The median of a lognormal is above 0."), tr("Give a larger number."))
    return UncertainInput(given.path, given.kind, numbers, place)


def _number(text: str, given: UncertainNumber, place: Place | None, at: int) -> float:
    is_plain = given.kind == "lognormal" and at == 1  # the deviation of a logarithm has no unit
    spelling = None if place is None or is_plain else place.spelling
    try:
        number = float(text) if spelling is None else float(spelling.parse(text))
        if not math.isfinite(number):
            raise ValueError(text)
        return number
    except ValueError as error:
        example = "1.5" if spelling is None else spelling.example
        problem = tr("{value!r} is not a number that fits here.", value=text)
        raise PlanProblem(given.path, problem, tr("Write for example {example}.", example=example)) from error


def _is_whole(place: Place) -> bool:
    parts = (place.annotation, *get_args(place.annotation))
    return int in parts and float not in parts


def _normal(numbers: tuple[float, ...], share: float) -> float:
    return numbers[0] + numbers[1] * _deviate(share)


def _lognormal(numbers: tuple[float, ...], share: float) -> float:
    return numbers[0] * math.exp(numbers[1] * _deviate(share))


def _uniform(numbers: tuple[float, ...], share: float) -> float:
    return numbers[0] + (numbers[1] - numbers[0]) * share


def _interval(numbers: tuple[float, ...], share: float) -> float:
    """Both ends are the 5 % and 95 % quantiles: of a lognormal where both are above 0, else of a normal."""
    low, high = numbers
    reach = 2.0 * _deviate(0.95)
    if low > 0.0:
        return math.sqrt(low * high) * math.exp(math.log(high / low) / reach * _deviate(share))
    return 0.5 * (low + high) + (high - low) / reach * _deviate(share)


def _samples(numbers: tuple[float, ...], share: float) -> float:
    return numbers[int(share * len(numbers))]


def _deviate(share: float) -> float:
    from scipy import special  # late: loading it takes longer than a small run

    return float(special.ndtri(min(max(share, 2.0**-53), 1.0 - 2.0**-53)))


_QUANTILES: Mapping[str, Callable[[tuple[float, ...], float], float]] = MappingProxyType(
    {"normal": _normal, "lognormal": _lognormal, "uniform": _uniform, "interval": _interval, "samples": _samples}
)
