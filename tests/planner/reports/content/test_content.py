"""What a report says: verdict, figures, plan, decisions of note, comparison."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from planner import api
from planner.language.translation import ENGLISH, in_language, use_language
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan
from planner.record.decisions import Actor, Verdict
from planner.record.result import Figure
from planner.reports.content import wording
from planner.reports.content.against import against_section
from planner.reports.content.assembly import report_of
from planner.reports.content.notable import MOST, notable_decisions
from planner.reports.content.plan_tables import plan_tables
from planner.reports.content.report import News
from tests.builders import a_plan
from tests.planner.reports.made_reports import a_busy_plan, run_and_report

SCENARIOS = Path(__file__).parents[4] / "scenarios"


def shipped(name):
    return load_plan(SCENARIOS / name / "plan.headroom")


def test_the_verdict_names_what_missed_its_target_what_limits_and_what_it_costs(busy):
    result, report = busy
    assert result.slo_missed == ("shop",)
    assert report.verdict.tone is News.BAD and report.verdict.headline == "The SLO of shop is missed."
    text = " ".join(report.verdict.sentences)
    for part in ("p95 within 200 ms", "Pool general reached its maximum of 4 nodes", "waited for a node", "a month"):
        assert part in text


def test_the_verdict_tells_how_long_a_workload_had_no_pod_to_serve():
    plan = shipped("flash-sale-karpenter")
    result = api.run_plan(plan, until_us=300_000_000)
    missing = [
        one for one in report_of(plan, result).verdict.sentences if one.startswith("No pod of shop was ready for")
    ]
    assert missing == [
        "No pod of shop was ready for 60 s, first at 00:00:00, so what was asked of it then was not served."
    ]
    assert not [one for one in run_and_report(a_busy_plan())[1].verdict.sentences if one.startswith("No pod of")]


def test_a_plan_without_objectives_says_so_instead_of_praising_itself():
    report = run_and_report(a_plan())[1]
    assert report.verdict.tone is News.NEUTRAL and "No workload" in report.verdict.headline


def test_a_run_that_was_broken_off_says_how_far_it_came():
    plan, calls = a_busy_plan(), []

    def soon():
        calls.append(0)
        return len(calls) > 500

    result = api.run_plan(plan, cancelled=soon)
    report = report_of(plan, result)
    assert result.stopped is not None and "ended before its time" in report.verdict.headline


def test_every_fact_has_a_value_with_unit_and_a_meaning(busy):
    facts = {fact.label: fact for fact in busy[1].facts}
    assert {"SLO of shop", "Requests lost", "Pods without a node", "Nodes", "Cost of the run"} <= facts.keys()
    assert facts["SLO of shop"].tone is News.BAD and facts["SLO of shop"].value.endswith(" %")
    assert all(fact.value and fact.value != wording.NOTHING for fact in facts.values())


def test_autoscalers_are_counted_as_the_readers_language_counts(busy):
    use_language("ko")
    try:
        sentences = " ".join(report_of(a_busy_plan(), busy[0]).about)
    finally:
        use_language(ENGLISH)
    assert "HorizontalPodAutoscaler 1개" in sentences


def test_curves_units_and_facts_are_named_in_the_readers_language(busy):
    use_language("ko")
    try:
        report = report_of(a_busy_plan(), busy[0])
        curves = {line.name for plot in report.plots for line in plot.lines} | {plot.unit for plot in report.plots}
        facts = " ".join(str(fact.value) for fact in report.facts)
    finally:
        use_language(ENGLISH)
    english = {"offered", "served", "lost", "starting", "allocatable", "requested", "used", "cost", "pods", "cores"}
    assert "요청됨" in curves and not english & set(map(str, curves))
    assert not any(word in facts for word in ("preempted", "evicted", "out of memory"))


def test_the_plan_is_told_in_words_and_tables(busy):
    report = busy[1]
    assert "2 nodes at the start, up to 4 on demand" in report.about[0]
    tables = {table.title: table for table in report.plan_tables}
    assert [row[0] for row in tables["Node pools"].rows] == ["general", "spare"]
    assert [row[0] for row in tables["Workloads"].rows] == ["shop", "batch"]
    assert ("HPA shop", "shop", "1 to 60 pods", "cpu at 60 % of the request") in tables["Autoscalers"].rows
    for table in tables.values():
        assert all(len(row) == len(table.header) == len(table.aligns) for row in table.rows)


def test_pools_of_karpenter_are_told_and_its_decisions_are_of_note():
    plan = shipped("flash-sale-karpenter")
    result, report = run_and_report(plan)
    assert "2 node pools: 0 nodes at the start" in report.about[0] and "Karpenter" in report.about[1]
    tables = {table.title: table.rows for table in report.plan_tables}
    assert ("base", "karpenter.sh/capacity-type In on-demand", "16 CPU", "0") in {
        row[:4] for row in tables["Node pools of Karpenter"]
    }
    assert [row[0] for row in tables["Autoscalers"]] == ["Karpenter", "HPA shop"]
    noted = {decision.verdict for decision in result.decisions if decision.actor is Actor.KARPENTER}
    assert {Verdict.LAUNCHED, Verdict.REMOVING} <= noted
    assert {row[3] for row in report.decisions.rows if row[1] == "Karpenter"} >= {
        "launched m6i.4xlarge",
        "to be deleted",
    }


def test_scaling_by_events_is_told():
    tables = {table.title: table.rows for table in plan_tables(shipped("keda-overnight"))}
    assert [row[0] for row in tables["Autoscalers"] if row[0].startswith("KEDA ")]


def test_decisions_of_note_are_few_in_order_and_of_every_kind_that_occurred(busy):
    result, report = busy
    rows = report.decisions.rows
    assert 0 < len(rows) <= MOST < len(result.decisions)
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert {"HPA", "CA scale-up"} <= {row[1] for row in rows}


def test_decisions_of_note_say_how_many_of_which_kind_are_left_out(busy):
    result, _ = busy
    rescales = [one for one in result.decisions if one.verdict is Verdict.SCALED and one.actor is Actor.HPA]
    many = replace(result, decisions=rescales[:1] * 1_009)
    assert "Left out: rescales: 1,001;" in notable_decisions(many).note
    with in_language("ko"):
        assert "레플리카 수 변경: 1,001" in notable_decisions(many).note


def test_times_without_the_objective_are_listed(busy):
    (table,) = [one for one in busy[1].outcome_tables if "SLO" in one.title]
    assert table.rows and table.rows[0][0] == "shop"


def test_a_comparison_shows_what_changed_and_which_way_the_figures_went(busy):
    result, _ = busy
    plan = a_busy_plan()
    larger = replace_at(replace_at(plan, ("node_groups", 0, "max_size"), 12), ("node_groups", 0, "initial_size"), 12)
    section = against_section(larger, api.run_plan(larger), plan, result)
    changes, figures = section.tables
    assert changes.rows == (("general maxSize 4 -> 12",), ("general initialSize 2 -> 12",))
    rows = {row[0]: row for row in figures.rows}
    assert rows["SLO met, share of time (shop)"][4] == "better" and rows["Cost"][4] == "worse"
    assert rows["Nodes, peak"][1:4] == ("4", "12", "+8 (+200 %)")


def test_a_plan_against_itself_differs_in_nothing(busy):
    result, plan = busy[0], a_busy_plan()
    section = against_section(plan, result, plan, result)
    assert "The two plans are the same." in section.sentences
    (figures,) = section.tables
    assert {row[3] for row in figures.rows} <= {"same", wording.NOTHING}


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(0.9999, "ratio"), "99.99 %"), (Figure(0.9999999, "ratio"), "above 99.999 %"),
        (Figure(1.0, "ratio"), "100 %"), (Figure(0.0000001, "ratio"), "below 0.001 %"),
        (Figure(182.4, "ms"), "182 ms"), (Figure(10_089.0, "ms"), "10.1 s"), (Figure(math.inf, "ms"), "no answer"),
        (Figure(195.0, "s"), "3m 15s"), (Figure(7_800.0, "s"), "2h 10m"), (Figure(3 << 30, "bytes"), "3 GiB"),
        (Figure(1_204.0, "pods"), "1,204"), (Figure(5.94, "USD"), "$5.94"), (Figure(math.nan, "s"), wording.NOTHING),
        (Figure(1.0, "per_h"), "1 per hour"), (Figure(3.92, "cores"), "3.92 cores"),
    ],
)  # fmt: skip
def test_values_have_units_and_sensible_digits(figure, text):
    assert wording.figure_value(figure) == text
