"""Answers of experiments as sections of a report."""

import io
import zipfile
from dataclasses import replace

import pytest

from planner.experiments.answers.answer_section import answer_section
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.plan.model.experiments.experiment import Compare, Replicate
from planner.plan.model.experiments.vary import Vary
from planner.reports.content.assembly import report_of
from planner.reports.formats.pages import html_page
from planner.reports.formats.workbook import workbook
from planner.simulation.run import run_plan
from tests.planner.experiments.small_plans import LARGER, SAME, a_small_plan

PLAN = a_small_plan(variants=(LARGER, SAME))
TWO = Compare(type="compare", name="q", variants=("larger",), seeds=3)
THREE = Compare(type="compare", name="q", seeds=3)
SURE = Replicate(type="replicate", name="q", seeds=3)
SPACE = Vary(type="vary", name="q", over=("load = 0.8, 1",), seeds=2)


def answer_to(question):
    return run_experiment(PLAN, question, Runs())


def tables_of(answer):
    return {table.title.partition(" (")[0]: table for table in answer_section("q", answer).tables}


def row_of(table, *begin):
    return next(row for row in table.rows if row[: len(begin)] == begin)


def test_a_comparison_has_both_plans_side_by_side_with_the_difference_and_its_sense():
    tables = tables_of(answer_to(TWO))
    assert tables["Plans"].rows[1] == ("larger", "pool minSize 0 -> 3; pool initialSize 1 -> 3")
    figures = tables["Figures"]
    assert figures.header == ("Figure", "as planned", "larger", "Difference", "")
    cost = row_of(figures, "Cost")
    assert cost[1].count("$") == cost[3].count("$") == 3 and " to " in cost[3]
    assert cost[3].startswith("+$") and cost[4] == "worse"
    assert all(len(row) == len(table.header) == len(table.aligns) for table in tables.values() for row in table.rows)


def test_figures_that_are_zero_everywhere_are_left_out_unless_the_question_is_about_them():
    answer = answer_to(TWO)
    assert all(one.mean == 0.0 for one in answer.figures["preemptions"].variants.values())
    titles = {row[0] for row in tables_of(answer)["Figures"].rows}
    assert "Pods removed for others" not in titles and "Start of a pod, p95" in titles
    asked = tables_of(replace(answer, looked_at=("preemptions",)))["Figures"]
    assert row_of(asked, "Pods removed for others")[1:4] == ("0", "0", "same")


def test_the_first_parting_decision_is_told_from_both_sides():
    parting = tables_of(answer_to(TWO))["First decision at which the runs part"]
    assert [row[0] for row in parting.rows] == ["as planned", "larger"]
    assert all(":" in row[1] and row[2] and row[4] for row in parting.rows)


def test_of_more_plans_each_has_a_row_and_equal_ones_are_called_the_same():
    figures = tables_of(answer_to(THREE))["Figures"]
    assert row_of(figures, "Cost", "same")[3:] == ("same", "")
    assert row_of(figures, "Cost", "as planned")[3:] == ("", "")


def test_replications_say_how_often_the_slo_breaks_and_which_seed_is_worst():
    answer = answer_to(SURE)
    broken = tables_of(answer)["Runs that break the SLO"]
    assert broken.rows == (
        ("shop", "as planned", broken.rows[0][2], str(answer.slos["shop"].worst_seed["as planned"])),
    )
    assert "% to" in broken.rows[0][2]
    assert "3 seeds (11 to 13)" in answer_section("q", answer).sentences[1]


def test_bands_become_plots_with_their_own_times_in_every_format():
    answer = answer_to(TWO)
    plots = answer_section("q", answer).plots
    assert [plot.title for plot in plots] == ["q: p95 latency of shop", "q: Ready nodes", "q: Pods without a node"]
    assert [line.name for line in plots[0].lines] == ["as planned", "5 %", "95 %", "larger", "5 %", "95 %"]
    assert all(len(line.values) == len(plot.seconds) for plot in plots for line in plot.lines)
    run = run_plan(PLAN, until_us=60_000_000)
    report = report_of(PLAN, run, [answer_section("q", answer)])
    assert html_page(report).count(b"<figure>") == len(report.plots) + len(plots)
    charts = [name for name in zipfile.ZipFile(io.BytesIO(workbook(report))).namelist() if "charts/chart" in name]
    assert len(charts) == len(report.plots) + len(plots)


def test_tables_of_other_kinds_have_titles_and_units():
    table = tables_of(answer_to(SPACE))["What came out"]
    assert table.header[:2] == ("load", "Cost") and table.aligns[:2] == "rr"
    assert all(row[1].startswith("$") for row in table.rows)


@pytest.mark.parametrize("change", [{}, {"seeds": ()}, {"stopped": True}])
def test_an_answer_that_was_stopped_or_rests_on_nothing_says_so(change):
    sentences = answer_section("q", replace(answer_to(SURE), **change)).sentences
    assert any("stopped early" in one for one in sentences) == bool(change.get("stopped"))
    assert any("rests on" in one for one in sentences) == ("seeds" not in change)


def test_figures_have_their_titles_in_the_sentence_and_constraints_stay_as_written():
    said = "slo_attainment[shop]>=0.99@0.95 fails; slo_attainment[shop] is 0.9 lower; cost is 1"
    section = answer_section("q", replace(answer_to(SURE), sentence=said))
    assert section.sentences[0] == (
        "slo_attainment[shop]>=0.99@0.95 fails; SLO met, share of time (shop) is 0.9 lower; cost is 1"
    )
