"""The answer in one sentence, for people: of the kinds that have one of their own here; the core's for the others."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import FigureAnswer, FigureDifference
from planner.experiments.answers.comparison_text import best_and_rivals
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import said
from planner.language.values import percent
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.sentence_of_space import depends_on_input, grown, searched, varied
from ui.answers.words.texts import FigureName, Writing, share_text

translate = QCoreApplication.translate
_SLO = ("slo_attainment[", "slo_attainment_end_to_end[")


def sentence(words: AnswerWords) -> str:
    """The answer."""
    answer = words.answer
    say = _OF_KIND.get(answer.kind)
    return (say(words) if say is not None and answer.seeds else "") or words.shown(answer.sentence)


def _compared(words: AnswerWords) -> str:
    answer = words.answer
    names = [one.name for one in answer.variants]
    if len(names) < 2:
        return ""
    every = [one for figure in answer.figures.values() for one in figure.differences]
    if every and all(one.verdict is DifferenceVerdict.SAME for one in every):
        return translate("Answers", "There is no difference: all runs are alike, figure by figure.")
    if len(names) > 2:
        parts = list(_best_ones(words))
    else:
        parts = [*_cost_part(words), *_slo_parts(words)]
    return "; ".join(parts) + "." if parts else ""


def _cost_part(words: AnswerWords) -> Iterator[str]:
    figure = words.answer.figures.get("cost")
    if figure is None:
        return
    for one in figure.differences:
        write, before = words.write("cost"), figure.variants[one.a].mean
        if one.verdict is DifferenceVerdict.SAME:
            yield translate("Answers", "{b} costs the same as {a}").format(a=said(one.a), b=said(one.b))
        elif one.verdict is DifferenceVerdict.UNDECIDED:
            yield translate("Answers", "{b} and {a} cannot be told apart by cost").format(a=said(one.a), b=said(one.b))
        else:
            more = translate("Answers", "{b} costs {amount} more than {a}{share}")
            less = translate("Answers", "{b} costs {amount} less than {a}{share}")
            text = more if one.verdict is DifferenceVerdict.HIGHER else less
            share = f" ({share_text(one.estimate.mean / before)})" if before else ""
            yield text.format(a=said(one.a), b=said(one.b), amount=write.amount(one.estimate.mean), share=share)


def _slo_parts(words: AnswerWords) -> Iterator[str]:
    for name, figure in words.answer.figures.items():
        if not name.startswith(_SLO):
            continue
        for one in figure.differences:
            yield _slo_part(one, words.write(name), figure.variants[one.a].mean, figure.variants[one.b].mean)


def _slo_part(one: FigureDifference, write: Writing, a: float, b: float) -> str:
    title = write.name
    if one.verdict is DifferenceVerdict.SAME:
        return translate("Answers", "the SLO of {workload} is met as often").format(workload=title.subject)
    if one.verdict is DifferenceVerdict.UNDECIDED:
        text = translate("Answers", "how often the SLO of {workload} is met cannot be told apart")
        return text.format(workload=title.subject)
    more = translate("Answers", "the SLO of {workload} is met {b} of the time instead of {a}")
    return more.format(workload=title.subject, a=write.value(a), b=write.value(b))


def _best_ones(words: AnswerWords) -> Iterator[str]:
    """Of more than two plans: which is the cheapest, and which keeps each SLO most."""
    answer = words.answer
    cost = answer.figures.get("cost")
    if cost is not None and cost.best:
        yield _best_one(cost, words.write("cost"), translate("Answers", "{plan} is the cheapest at {value}"))
    for name, figure in answer.figures.items():
        if name.startswith(_SLO) and figure.best:
            text = translate("Answers", "the SLO of {workload} is met most with {plan}, {value} of the time")
            yield _best_one(figure, words.write(name), text.replace("{workload}", FigureName(name).subject))


def _best_one(figure: FigureAnswer, write: Writing, text: str) -> str:
    first, rivals = best_and_rivals(figure, lowest=write.name.name == "cost")
    value = write.value(figure.variants[first].mean)
    found = text.replace("{plan}", said(first)).replace("{value}", value)
    if rivals:
        others = ", ".join(map(said, rivals))
        found += translate("Answers", ", but cannot be told apart from {others}").format(others=others)
    return found


def _replicated(words: AnswerWords) -> str:
    answer = words.answer
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
        cost = words.write("cost").estimate(estimate)
        parts.append(translate("Answers", "a run costs {cost}").format(cost=cost))
    parts += depends_on_input(words)
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


_OF_KIND: Mapping[str, Callable[[AnswerWords], str]] = MappingProxyType(
    {"compare": _compared, "replicate": _replicated, "search": searched, "vary": varied, "grow": grown}
)
