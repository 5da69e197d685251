"""The summary in Markdown, for a pull request or a wiki."""

import re
from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.reports.content import wording
from planner.reports.content.key_figures import key_facts
from planner.reports.content.report import KeyFact, News, ReportSection, ReportTable, RunReport, RunVerdict
from planner.reports.content.verdict import verdict_of

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_MARKS = {News.GOOD: "✅ ", News.BAD: "❌ ", News.NEUTRAL: ""}
_MOST_DECISIONS = 15


def markdown(report: RunReport) -> bytes:
    """Verdict, figures, plan, comparisons and the first decisions of note; a blank line between blocks."""
    return ("\n\n".join(_blocks(report)) + "\n").encode()


def key_figures(plan: Plan, result: RunResult) -> str:
    """The verdict and the key figures alone, for a message."""
    title, verdict = wording.one_line(plan.name) or tr("Untitled plan"), verdict_of(plan, result)
    return "\n\n".join((f"### {plain(title)}", *_outcome(verdict, key_facts(plan, result)))) + "\n"


def plain(text: str) -> str:
    """Text that Markdown and HTML take for nothing but text; on one line."""
    return _SPECIAL.sub(r"\\\1", wording.one_line(text)).replace("@", "@\u200b").replace("://", ":\u200b//")


def _blocks(report: RunReport) -> Iterator[str]:
    yield f"# {plain(report.title)}"
    yield plain(" ".join(report.about))
    if report.notes:
        yield "\n".join(f"> {plain(line)}" for line in report.notes.splitlines())
    yield from _outcome(report.verdict, report.facts)
    for table in report.outcome_tables:
        yield from _table(table)
    for section in report.sections:
        yield from _section(section)
    yield tr("## The plan")
    for table in report.plan_tables:
        yield from _table(table)
    decisions, most = report.decisions, _MOST_DECISIONS
    if decisions.rows:
        more = len(decisions.rows) - most
        note = tr("And {more} more in the other formats.", more=more) if more > 0 else decisions.note
        short = ReportTable(decisions.title, decisions.header, decisions.aligns, decisions.rows[:most], note)
        yield from _table(short, "##")
    yield tr("## Model and accuracy")
    yield from _list(report.statement)


def _outcome(verdict: RunVerdict, facts: tuple[KeyFact, ...]) -> Iterator[str]:
    yield f"**{_MARKS[verdict.tone]}{plain(verdict.headline)}**"
    yield from _list(verdict.sentences)
    rows = tuple((fact.label, f"{_MARKS[fact.tone]}{fact.value}", fact.note) for fact in facts)
    yield _grid(ReportTable("", (tr("Figure"), tr("Value"), ""), "lrl", rows))


def _section(section: ReportSection) -> Iterator[str]:
    yield f"## {plain(section.title)}"
    yield from _list(section.sentences)
    for table in section.tables:
        yield from _table(table)


def _list(sentences: tuple[str, ...]) -> Iterator[str]:
    if sentences:
        yield "\n".join(f"- {plain(one)}" for one in sentences)


def _table(table: ReportTable, level: str = "###") -> Iterator[str]:
    if table.title:
        yield f"{level} {plain(table.title)}"
    yield _grid(table)
    if table.note:
        yield plain(table.note)


def _grid(table: ReportTable) -> str:
    rule = "|".join("---:" if align == "r" else "---" for align in table.aligns)
    rows = [f"| {' | '.join(plain(cell) for cell in row)} |" for row in (table.header, *table.rows)]
    return "\n".join([rows[0], f"|{rule}|", *rows[1:]])
