"""Puts the report of a run together."""

from collections.abc import Sequence

from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.reports.content import wording
from planner.reports.content.key_figures import key_facts
from planner.reports.content.misses import misses
from planner.reports.content.notable import notable_decisions
from planner.reports.content.plan_tables import about, plan_tables
from planner.reports.content.plots import plots_of, seconds_of
from planner.reports.content.report import ReportSection, RunReport
from planner.reports.content.statement import statement
from planner.reports.content.verdict import verdict_of


def report_of(plan: Plan, result: RunResult, sections: Sequence[ReportSection] = ()) -> RunReport:
    """The report of a run of this plan. `sections` come after the plots: comparisons and answers of experiments."""
    return RunReport(
        title=wording.one_line(plan.name) or tr("Untitled plan"),
        about=about(plan, result.until_us),
        notes=wording.visible(plan.notes),
        verdict=verdict_of(plan, result),
        facts=key_facts(plan, result),
        seconds=seconds_of(result),
        plots=plots_of(plan, result),
        outcome_tables=tuple(table for table in (misses(result),) if table.rows),
        plan_tables=plan_tables(plan),
        decisions=notable_decisions(result),
        statement=statement(plan, result),
        plan=plan,
        result=result,
        sections=tuple(sections),
    )
