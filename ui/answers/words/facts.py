"""Key facts of an answer: a caption, a value, and what it means."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.values import percent
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import verdict_text, verdict_tone
from ui.widgets.plain_table import Tone

translate = QCoreApplication.translate
_MOST_FIGURES = 3


@dataclass(frozen=True)
class Fact:
    """One of the facts at the top."""

    caption: str
    value: str
    tone: Tone = Tone.PLAIN
    tip: str = ""
    interval: str = ""


def facts_of(words: AnswerWords, made: int) -> list[Fact]:
    """The facts that matter most, and what they rest on; `made` is the number of runs."""
    found = [*_search_facts(words), *_slo_facts(words.answer), *_figure_facts(words)]
    return [*found[: _MOST_FIGURES + 1], *_base_facts(words.answer, made)]


def _search_facts(words: AnswerWords) -> Iterator[Fact]:
    answer = words.answer
    best = next((one for one in answer.more.get("candidates") or () if one["status"] == "best"), None)
    if best is None:
        return
    write, bound = words.write(str(answer.more["minimise"])), answer.more.get("clairvoyant")
    yield Fact(write.name.shown, write.value(best["objective"]))
    if bound is not None:
        tip = translate(
            "Answers", "What the CPU that was used costs on the cheapest machines, had the load been known."
        )
        yield Fact(translate("Answers", "Lower bound"), write.value(bound["mean"]), Tone.MUTED, tip)
    tip = translate("Answers", "That all runs of all plans would have led to this one, or to one that costs the same.")
    share = percent(round(answer.more["probabilityCorrect"], 3))
    yield Fact(translate("Answers", "P(right choice)"), share, tip=tip)


def _slo_facts(answer: ExperimentAnswer) -> Iterator[Fact]:
    for workload, slo in answer.slos.items():
        for share in slo.broken.values():
            ends = translate("Answers", "{low} to {high}").format(low=percent(share.low), high=percent(share.high))
            caption = translate("Answers", "P(SLO of {workload} broken)").format(workload=workload)
            tip = translate("Answers", "Share of seeds in which the SLO is broken, with its Wilson interval.")
            yield Fact(caption, percent(share.mean), Tone.GOOD if share.mean == 0.0 else Tone.BAD, tip, ends)


def _figure_facts(words: AnswerWords) -> Iterator[Fact]:
    for text in words.answer.looked_at:
        figure = words.answer.figures.get(text)
        if figure is None:
            continue
        write = words.write(text)
        name = write.name
        if not figure.differences and len(figure.variants) == 1:
            for estimate in figure.variants.values():
                yield Fact(name.shown, write.value(estimate.mean), interval=write.between(estimate))
        elif len(figure.differences) == 1:
            one = figure.differences[0]
            value = "0" if one.verdict is DifferenceVerdict.SAME else write.signed(one.estimate.mean)
            tone, tip = verdict_tone(name, one), verdict_text(name, one)
            yield Fact(name.shown, value, tone, tip, write.signed_between(one))


def _base_facts(answer: ExperimentAnswer, made: int) -> Iterator[Fact]:
    if answer.seeds:
        ordeals = max(1, len(answer.more.get("ordeals") or ()))
        count = answer.more.get("runs") or len(answer.seeds) * max(len(answer.variants), 1) * ordeals
        text = translate("Answers", "{count} · {seeds} seeds")
        if len(answer.seeds) == 1:
            text = translate("Answers", "{count} · 1 seed")
        value = text.format(count=max(made, count), seeds=len(answer.seeds))
        yield Fact(translate("Answers", "Runs"), value, Tone.MUTED)
    if answer.confidence:
        tip = translate("Answers", "Of all intervals: so many of such intervals contain the true mean.")
        yield Fact(translate("Answers", "Confidence"), f"{100.0 * answer.confidence:g} %", Tone.MUTED, tip)
