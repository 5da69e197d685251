"""How the things of one answer are called: figures with their units, numbers of the plan as the screen names them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import ExperimentAnswer
from planner.language.phrases import said
from planner.language.values import percent
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, Step, parse_path
from planner.plan.values.constraint_text import parse_constraint
from planner.plan.variants.application import LOAD, plan_data
from planner.plan.variants.machines import MACHINE
from ui.answers.words.texts import FigureName, Writing
from ui.editor.values.where import path_of, words_at

translate = QCoreApplication.translate
_LISTED = re.compile(r"^[^·]+ · (?=.+ · )")


@dataclass(frozen=True)
class AnswerWords:
    """Of an answer about a plan."""

    answer: ExperimentAnswer
    plan: Plan

    @property
    def currency(self) -> str:
        """Of the plan."""
        return self.plan.costs.currency

    def write(self, figure: str) -> Writing:
        """How values of a figure are written."""
        found = self.answer.figures.get(figure)
        unit = found.unit if found is not None else ""
        return Writing(FigureName(figure), unit, self.currency, self.answer.latencies)

    def shown(self, text: str) -> str:
        """A text of the core in the reader's language, with paths, figures and constraints as the screen calls them."""
        found = said(text)
        words = self._words
        return self._spelled.sub(lambda spelled: words[spelled[0]], found) if words else found

    def constraint(self, text: str) -> str:
        """SLO met, share of time · shop ≥ 99 % in 95 % of runs."""
        bound = parse_constraint(text)
        write, sign = self.write(bound.figure), "≥" if bound.at_least else "≤"
        words = translate("Answers", "{figure} {sign} {bound} in {share} of runs")
        value, share = write.value(bound.bound), percent(bound.share)
        return words.format(figure=write.name.shown, sign=sign, bound=value, share=share)

    def path(self, path: str) -> str:
        """general · Maximum size for nodeGroups[general].maxSize."""
        return self._words.get(path) or path_words(path, self.plan)

    @cached_property
    def _words(self) -> dict[str, str]:
        """By what the core writes: constraints, then paths, the longest first."""
        more: dict[str, Any] = dict(self.answer.more)
        found = {text: self.constraint(text) for text in more.get("subjectTo") or ()}
        paths = [str(one["path"]) for one in more.get("parameters") or ()]
        if self.answer.kind == "search" and self.answer.variants:
            paths += [change.partition(" = ")[0] for change in self.answer.variants[0].changes]
        paths += [str(one["path"]) for rows in (more.get("influence") or {}).values() for one in rows]
        for path in sorted(dict.fromkeys(paths), key=len, reverse=True):
            found[path] = path_words(path, self.plan)
        return found

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        """What the core writes, as a word of its own."""
        return re.compile(rf"(?<![\w.\[])(?:{'|'.join(map(re.escape, self._words))})(?![\w.\[])", re.ASCII)


def path_words(path: str, plan: Plan) -> str:
    """What the screen calls a number of the plan; an item of a list by its name alone."""
    steps = parse_path(path)
    subject = steps[1].key if len(steps) > 1 and isinstance(steps[1], Item) else ""
    if steps[0] == LOAD:
        of_all, of_one = translate("Answers", "load"), translate("Answers", "load of {workload}")
        return of_one.format(workload=subject) if subject else of_all
    if steps[0] == MACHINE:
        return translate("Answers", "machine of {pool}").format(pool=subject)
    words = words_at(path_of(_with_positions(steps, plan)), plan)
    return _LISTED.sub("", words) if subject else words


def _with_positions(steps: tuple[Step, ...], plan: Plan) -> str:
    """The path with items of lists by their position, as messages have it."""
    where, value = "", cast("Any", plan_data(plan))
    for step in steps:
        if not isinstance(step, Item):
            where, value = f"{where}.{step}".lstrip("."), _inside(value, step)
        elif isinstance(value, list):
            names = [str(one.get("name")) if isinstance(one, dict) else "" for one in value]
            row = names.index(step.key) if step.key in names else int(step.key) if step.key.isdigit() else 0
            where, value = f"{where}[{row}]", value[row] if row < len(value) else None
        else:
            where, value = f'{where}["{step.key}"]', _inside(value, step.key)
    return where


def _inside(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None
