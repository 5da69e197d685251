"""Conditions on a comparison, such as `cost>+5%`, that a check may fail on."""

import re
from dataclasses import dataclass
from functools import partial

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.answers.numbers import amount
from planner.language.phrases import said
from planner.language.translation import tr
from planner.plan.files.nearest import nearest

_CONDITION = re.compile(r"\s*([A-Za-z]\w*(?:\[[^\]]*\])?)\s*(>=|<=|>|<)\s*([+-]?)(\d+(?:\.\d+)?)\s*(%?)\s*\Z")


@dataclass(frozen=True)
class FailCondition:
    """What must not hold of the new plan.

    With a sign, the bound is a change from the old plan: `cost>+5%` of its mean, `nodes_peak>+2` in the unit of the
    figure. Without one it is the new plan's own mean: `slo_attainment[shop]<0.99`, or `<99%`.
    """

    text: str
    figure: str
    sign: str
    """">", "<", ">=" or "<="."""
    is_change: bool
    bound: float
    is_share: bool
    """A percentage: of the old mean for a change, else of 1."""

    def holds(self, answer: ExperimentAnswer) -> bool:
        """Whether it holds of the means of the first two variants. Raises PlanProblem if they do not have it."""
        old, new = (one.name for one in answer.variants[:2])
        figure = answer.figures.get(self.figure)
        if figure is None or new not in figure.variants:
            guess = nearest(self.figure, list(answer.figures))
            listed = tr("Choose one of {names}.", names=", ".join(list(answer.figures)[:20]))
            problem = tr("The runs have no figure {name!r}.", name=self.figure)
            raise PlanProblem(self.text, problem, tr("Did you mean {guess}?", guess=guess) if guess else listed)
        value = figure.variants[new].mean
        bound = self.bound / 100.0 if self.is_share else self.bound
        if self.is_change:
            before = figure.variants[old].mean if old in figure.variants else 0.0
            value, bound = value - before, bound * abs(before) if self.is_share else bound
        return {">": value > bound, "<": value < bound, ">=": value >= bound, "<=": value <= bound}[self.sign]

    def outcome(self, answer: ExperimentAnswer) -> str:
        """What was found, for people."""
        old, new = (one.name for one in answer.variants[:2])
        figure = answer.figures[self.figure]
        write = partial(amount, unit=figure.unit)
        before = write(figure.variants[old].mean) if old in figure.variants else "–"
        verdict = (
            tr("`{text}` holds", text=self.text) if self.holds(answer) else tr("`{text}` does not hold", text=self.text)
        )
        return f"{verdict}: {said(before)} → {said(write(figure.variants[new].mean))}"


def condition(text: str) -> FailCondition:
    """A condition from its text. Raises ValueError, written "problem; remedy"."""
    found = _CONDITION.match(text)
    if found is None:
        example = "cost>+5%, pending_pod_time>+10"
        raise ValueError(
            tr("{text!r} is not a condition; write for example {example} or cost<9", text=text, example=example)
        )
    figure, sign, change, bound, share = found.groups()
    return FailCondition(text.strip(), figure, sign, bool(change), float(f"{change}{bound}"), bool(share))
