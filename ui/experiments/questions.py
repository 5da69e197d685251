"""The questions that users have, and the kind of experiment that answers each."""

from dataclasses import dataclass
from functools import cache
from typing import get_args

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from planner.plan.files.places import model_tag
from planner.plan.model.experiments.experiment import Experiment

_CONTEXT = "Questions of experiments"


@dataclass(frozen=True)
class Question:
    """A question in the user's words."""

    kind: str
    """The type of the experiment that answers it."""
    text: str
    about: str

    @property
    def shown(self) -> str:
        """The question in the reader's language."""
        return QCoreApplication.translate(_CONTEXT, self.text)

    @property
    def tip(self) -> str:
        """How it is answered."""
        return QCoreApplication.translate(_CONTEXT, self.about)


_ALL = (
    Question("compare", "Which is cheaper?", "Runs the plan and its variants with the same seeds and compares them."),
    Question("replicate", "How sure is this?", "Runs the plan with many seeds: how far its figures vary."),
    Question("search", "How much reserve?", "Looks for the cheapest plan that keeps the SLOs."),
    Question("stress", "What breaks first?", "Runs the plan under a list of faults and loads."),
    Question("grow", "When is it too small?", "Runs the plan under a load that grows month by month."),
    Question("rightsize", "What should pods request?", "Sizes pods by their use, and runs the plan with each size."),
    Question("vary", "What matters most?", "Runs the plan with many values of some of its numbers."),
)


@cache
def models() -> dict[str, type]:
    """The model of every kind of experiment, by its type."""
    union = get_args(Experiment)[0]
    found = get_args(union) or (union,)
    return {str(model_tag(model)): model for model in found}


def questions() -> tuple[Question, ...]:
    """Those that can be answered."""
    return tuple(question for question in _ALL if question.kind in models())


def question_of(kind: str) -> str:
    """The question that an experiment of this kind answers; the kind itself if it has none."""
    return next((question.shown for question in _ALL if question.kind == kind), kind)


def tip_of(kind: str) -> str:
    """How an experiment of this kind finds its answer; nothing of one that no question is about."""
    return next((question.tip for question in _ALL if question.kind == kind), "")


_FOR_TRANSLATORS = (
    QT_TRANSLATE_NOOP("Questions of experiments", "Which is cheaper?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "How sure is this?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "How much reserve?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "What breaks first?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "When is it too small?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "What should pods request?"),
    QT_TRANSLATE_NOOP("Questions of experiments", "What matters most?"),
    QT_TRANSLATE_NOOP(
        "Questions of experiments", "Runs the plan and its variants with the same seeds and compares them."
    ),
    QT_TRANSLATE_NOOP("Questions of experiments", "Runs the plan with many seeds: how far its figures vary."),
    QT_TRANSLATE_NOOP("Questions of experiments", "Looks for the cheapest plan that keeps the SLOs."),
    QT_TRANSLATE_NOOP("Questions of experiments", "Runs the plan under a list of faults and loads."),
    QT_TRANSLATE_NOOP("Questions of experiments", "Runs the plan under a load that grows month by month."),
    QT_TRANSLATE_NOOP("Questions of experiments", "Sizes pods by their use, and runs the plan with each size."),
    QT_TRANSLATE_NOOP("Questions of experiments", "Runs the plan with many values of some of its numbers."),
)
