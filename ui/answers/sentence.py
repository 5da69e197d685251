"""The answer in one sentence, for people: of the kinds that have one of their own here; the core's for the others."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, FigureDifference
from planner.experiments.answers.comparison_text import best_and_rivals
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import said
from planner.language.values import percent
from ui.answers.sentence_of_space import grown, searched, varied
from ui.answers.texts import FigureName, Writing, share_text

translate = QCoreApplication.translate
_SLO = ("slo_attainment[", "slo_attainment_end_to_end[")


def sentence(answer: ExperimentAnswer, currency: str) -> str:
    """The answer."""
    say = _OF_KIND.get(answer.kind)
    return (say(answer, currency) if say is not None and answer.seeds else "") or said(answer.sentence)


def _compared(answer: ExperimentAnswer, currency: str) -> str:
    names = [one.name for one in answer.variants]
    if len(names) < 2:
        return ""
    every = [one for figure in answer.figures.values() for one in figure.differences]
    if every and all(one.verdict is DifferenceVerdict.SAME for one in every):
        return translate("Answers", "There is no difference: all runs are alike, figure by figure.")
    if len(names) > 2:
        parts = list(_best_ones(answer, currency))
    else:
        parts = [*_cost_part(answer, currency), *_slo_parts(answer, currency)]
    return "; ".join(parts) + "." if parts else ""


def _cost_part(answer: ExperimentAnswer, currency: str) -> Iterator[str]:
    figure = answer.figures.get("cost")
    if figure is None:
        return
    for one in figure.differences:
        write, before = Writing(FigureName("cost"), figure.unit, currency), figure.variants[one.a].mean
        if one.verdict is DifferenceVerdict.SAME:
            yield translate("Answers", "{b} costs the same as {a}").format(a=one.a, b=one.b)
        elif one.verdict is DifferenceVerdict.UNDECIDED:
            yield translate("Answers", "{b} and {a} cannot be told apart by cost").format(a=one.a, b=one.b)
        else:
            more = translate("Answers", "{b} costs {amount} more than {a}{share}")
            less = translate("Answers", "{b} costs {amount} less than {a}{share}")
            text = more if one.verdict is DifferenceVerdict.HIGHER else less
            share = f" ({share_text(one.estimate.mean / before)})" if before else ""
            yield text.format(a=one.a, b=one.b, amount=write.amount(one.estimate.mean), share=share)


def _slo_parts(answer: ExperimentAnswer, currency: str) -> Iterator[str]:
    for name, figure in answer.figures.items():
        if not name.startswith(_SLO):
            continue
        title = FigureName(name)
        for one in figure.differences:
            write = Writing(title, figure.unit, currency)
            yield _slo_part(one, title, write, figure.variants[one.a].mean, figure.variants[one.b].mean)


def _slo_part(one: FigureDifference, title: FigureName, write: Writing, a: float, b: float) -> str:
    if one.verdict is DifferenceVerdict.SAME:
        return translate("Answers", "the SLO of {workload} is met as often").format(workload=title.subject)
    if one.verdict is DifferenceVerdict.UNDECIDED:
        text = translate("Answers", "how often the SLO of {workload} is met cannot be told apart")
        return text.format(workload=title.subject)
    more = translate("Answers", "the SLO of {workload} is met {b} of the time instead of {a}")
    return more.format(workload=title.subject, a=write.value(a), b=write.value(b))


def _best_ones(answer: ExperimentAnswer, currency: str) -> Iterator[str]:
    """Of more than two plans: which is the cheapest, and which keeps each SLO most."""
    cost = answer.figures.get("cost")
    if cost is not None and cost.best:
        yield _best_one(cost, FigureName("cost"), currency, translate("Answers", "{plan} is the cheapest at {value}"))
    for name, figure in answer.figures.items():
        if name.startswith(_SLO) and figure.best:
            title = FigureName(name)
            text = translate("Answers", "the SLO of {workload} is met most with {plan}, {value} of the time")
            yield _best_one(figure, title, currency, text.replace("{workload}", title.subject))


def _best_one(figure: FigureAnswer, name: FigureName, currency: str, text: str) -> str:
    first, rivals = best_and_rivals(figure, lowest=name.name == "cost")
    value = Writing(name, figure.unit, currency).value(figure.variants[first].mean)
    found = text.replace("{plan}", first).replace("{value}", value)
    if rivals:
        found += translate("Answers", ", but cannot be told apart from {others}").format(others=", ".join(rivals))
    return found


def _replicated(answer: ExperimentAnswer, currency: str) -> str:
    parts = []
    for workload, slo in answer.slos.items():
        for share in slo.broken.values():
            if share.mean <= 0.0:
                text = translate(
                    "Answers", "The SLO of {workload} was met in all {n} runs: it breaks in at most {high}"
                )
            else:
                text = translate("Answers", "The SLO of {workload} breaks in {mean} of runs ({low} to {high})")
            ends = {"mean": percent(share.mean), "low": percent(share.low), "high": percent(share.high)}
            parts.append(text.format(workload=workload, n=share.n, **ends))
    figure = answer.figures.get("cost")
    for estimate in figure.variants.values() if figure is not None else ():
        assert figure is not None
        write = Writing(FigureName("cost"), figure.unit, currency)
        parts.append(translate("Answers", "a run costs {cost}").format(cost=write.estimate(estimate)))
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


_OF_KIND: Mapping[str, Callable[[ExperimentAnswer, str], str]] = MappingProxyType(
    {"compare": _compared, "replicate": _replicated, "search": searched, "vary": varied, "grow": grown}
)
