"""Answers about many plans or months in one sentence: what a search, a space and a growing load come to."""

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from planner.language.phrases import said
from planner.language.values import percent
from planner.plan.values.constraint_text import Constraint, parse_constraint
from planner.plan.values.money import money_text
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName

translate = QCoreApplication.translate
_SLO = "slo_attainment"
_MOST_NAMED_AT_ENDS = 2
"""Of more numbers the ends are looked up in the table: nobody reads their values in a sentence."""


def searched(words: AnswerWords) -> str:
    """What a search has found; empty if it has found nothing yet."""
    answer = words.answer
    known = {str(one["name"]): one for one in answer.more.get("candidates") or ()}
    best, closest = answer.more.get("best"), answer.more.get("closest")
    if best in known:
        return _best(words, known[best], len(known))
    if closest is None or not known:
        return ""
    text = translate("Answers", "None of {count} plans keeps what is asked for. Closest is {plan}")
    head = text.format(count=len(known), plan=words.shown(closest["name"]))
    parts = list(_missed(words, closest["name"]))
    return f"{head}: {', '.join(parts)}." if parts else f"{head}."


def _best(words: AnswerWords, best: Mapping[str, Any], count: int) -> str:
    answer = words.answer
    write = words.write(str(answer.more["minimise"]))
    name, value = write.name, write.value(best["objective"])
    least = translate("Answers", "Cheapest of {count} plans is {plan}: {value}")
    if name.base != "cost":
        least = translate("Answers", "Best of {count} plans is {plan}: {figure} is {value}")
    text = least.format(count=count, plan=words.shown(best["name"]), value=value, figure=name.shown)
    if best["kept"] is not None and answer.more.get("subjectTo"):
        often = translate("Answers", "it keeps what is asked for in {share} of {n} runs")
        text += "; " + often.format(share=percent(best["kept"]["mean"]), n=best["kept"]["n"])
    text = "; ".join((text, *depends_on_input(words)))
    sure = translate("Answers", "right with a probability of about {share}")
    return f"{text}; {sure.format(share=percent(round(answer.more['probabilityCorrect'], 3)))}."


def _missed(words: AnswerWords, plan: str) -> Iterator[str]:
    """What the figures of the constraints are with that plan."""
    for text in words.answer.more.get("subjectTo") or ():
        constraint: Constraint = parse_constraint(text)
        figure = words.answer.figures.get(constraint.figure)
        if figure is None or plan not in figure.variants:
            continue
        write = words.write(constraint.figure)
        name, value = write.name, write.value(figure.variants[plan].mean)
        if name.base == _SLO:
            found = translate("Answers", "it meets the SLO of {workload} {value} of the time")
            yield found.format(workload=name.subject, value=value)
        else:
            yield translate("Answers", "{figure} is {value}").format(figure=name.shown, value=value)


def varied(words: AnswerWords) -> str:
    """From where to where the first figure goes over a space; empty if no point has it."""
    answer = words.answer
    name = next((one for one in answer.looked_at if one in answer.figures), None)
    points = [one for one in answer.more.get("points") or () if one["figures"].get(name) is not None]
    if name is None or not points:
        return ""
    write = words.write(name)
    low, high = (of(points, key=lambda one: float(one["figures"][name])) for of in (min, max))
    if low["figures"][name] == high["figures"][name]:
        text = translate("Answers", "{figure} is {low} at all {count} points")
        if len(points) == 1:
            text = translate("Answers", "{figure} is {low} at the only point")
    else:
        text = translate("Answers", "{figure} goes from {low} ({at_low}) to {high} ({at_high}) over {count} points")
    ranked = _ranked(words, write.name)
    if len(ranked) > _MOST_NAMED_AT_ENDS and low["figures"][name] != high["figures"][name]:
        text = translate("Answers", "{figure} goes from {low} to {high} over {count} points")
    said = text.format(
        figure=write.name.shown, count=len(points),
        low=write.value(low["figures"][name]), at_low=words.shown(low["name"]),
        high=write.value(high["figures"][name]), at_high=words.shown(high["name"]),
    )  # fmt: skip
    text = "; ".join((said, *depends_on_input(words)))
    return f"{_what_matters(words, write.name, ranked)}{text}."


def depends_on_input(words: AnswerWords) -> list[str]:
    """The uncertain input that the first figure depends most on, if the runs tell."""
    for figure, ranked in (words.answer.more.get("influence") or {}).items():
        text = translate("Answers", "{figure} depends most on {path}, which is uncertain")
        return [text.format(figure=FigureName(figure).shown, path=words.path(ranked[0]["path"]))]
    return []


def _ranked(words: AnswerWords, name: FigureName) -> list[str]:
    """The numbers of the plan that matter to a figure, the most important first, if that was looked into."""
    found = (words.answer.more.get("sensitivity") or {}).get("screening", {}).get(name.name) or []
    return [words.path(one["path"]) for one in found if one["importance"] > 0.0] if len(found) > 1 else []


def _what_matters(words: AnswerWords, name: FigureName, ranked: list[str]) -> str:
    """The numbers that the figure depends on most."""
    if not ranked:
        return ""
    text = translate("Answers", "{figure} depends most on {path}.")
    if len(ranked) > 1:
        text = translate("Answers", "{figure} depends most on {path}, then on {second}.")
    return text.format(figure=name.shown, path=ranked[0], second=ranked[1] if len(ranked) > 1 else "") + " "


def grown(words: AnswerWords) -> str:
    """When a growing load is too much, and what it costs until then."""
    answer, currency = words.answer, words.currency
    months, first = answer.more.get("months") or (), answer.more.get("firstMonths") or ()
    if not months:
        return ""
    if not first:
        text = translate("Answers", "The plan holds for all {count} months, which cost {cost}.")
        return text.format(count=len(months), cost=money_text(answer.more["costUntilFirstBreak"], currency))
    month = first[0]["month"]
    what = ", ".join(said(one["what"]) for one in first if one["month"] == month)
    if month == 0:
        begin = translate("Answers", "The plan breaks today already, before the load has grown: {what}")
        parts = [begin.format(what=what)]
    else:
        load = next(one["load"] for one in months if one["month"] == month)
        begin = translate("Answers", "In month {month}, at {load} times the load, {what} breaks")
        parts = [begin.format(month=month, load=f"{load:.3g}", what=what)]
    cost = answer.more["costUntilFirstBreak"]
    if cost > 0.0:
        parts.append(translate("Answers", "until then the plan costs {cost}").format(cost=money_text(cost, currency)))
    later = [
        translate("Answers", "{what} in month {month}").format(what=said(one["what"]), month=one["month"])
        for one in first
        if one["month"] > month
    ]
    if later:
        parts.append(translate("Answers", "later {list}").format(list=", ".join(later)))
    return "; ".join(parts) + "."
