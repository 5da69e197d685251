"""Shipped scenarios tell the same story as before, and only plan and seed decide it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.files.io import load_plan
from planner.plan.model.autoscalers.cluster_autoscaler import ExpanderName
from planner.record.result import RunResult
from planner.simulation.run import run_plan

PROJECT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((PROJECT / "scenarios").glob("*/plan.headroom"))
SIGNIFICANT_DIGITS = 6
IDS = [path.parent.name for path in SCENARIOS]


@cache
def result_of(plan_path: Path) -> RunResult:
    return run_plan(load_plan(plan_path))


def rounded(result: RunResult) -> dict[str, list[object]]:
    """Figures to six significant digits, so that another processor's last bit does not matter."""
    return {
        name: [float(f"{figure.value:.{SIGNIFICANT_DIGITS}g}"), figure.unit] for name, figure in result.figures.items()
    }


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_a_scenario_has_no_problems(plan_path: Path) -> None:
    assert list(check_plan(load_plan(plan_path))) == []


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_notes_begin_with_the_plans_name_and_a_sentence_for_the_start_page(plan_path: Path) -> None:
    lines = plan_path.with_name("notes.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# {load_plan(plan_path).name}"
    assert (lines[1], lines[3]) == ("", "")
    assert lines[2].endswith(".") and not set("*`[#") & set(lines[2])


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_a_scenario_still_tells_the_same_story(plan_path: Path, request: pytest.FixtureRequest) -> None:
    figures = rounded(result_of(plan_path))
    golden = plan_path.with_name("expected.json")
    if request.config.getoption("--update-golden"):
        golden.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    expected = json.loads(golden.read_text(encoding="utf-8"))
    assert figures == expected, f"If meant: pytest --update-golden, then read the diff of {golden.name}"


def test_a_reserve_shortens_waiting_and_softens_the_peak() -> None:
    plain = result_of(PROJECT / "scenarios/flash-sale/plan.headroom").figures
    reserved = result_of(PROJECT / "scenarios/flash-sale-overprovisioned/plan.headroom").figures
    assert reserved["pending_pod_time[shop]"].value < 0.8 * plain["pending_pod_time[shop]"].value
    assert reserved["slo_attainment[shop]"].value > plain["slo_attainment[shop]"].value
    assert reserved["requests_lost"].value < plain["requests_lost"].value


def test_a_reserve_trades_the_time_of_a_node_for_the_price_of_the_room() -> None:
    """Without it pods wait for a node (210 s), with it for a preemption and their start; the room is what it costs."""
    plain = result_of(PROJECT / "scenarios/flash-sale/plan.headroom").figures
    reserved = result_of(PROJECT / "scenarios/flash-sale-overprovisioned/plan.headroom").figures
    assert plain["pod_start_p95"].value > 210 > 30 > reserved["pod_start_p95"].value
    hour = reserved["reserve_cost_per_month[reserve]"].value / HOURS_PER_MONTH
    node_hour = 0.192  # costs come in whole nodes
    assert abs(reserved["cost"].value - plain["cost"].value - hour) < node_hour


@pytest.mark.parametrize("plan_path", SCENARIOS[1:], ids=IDS[1:])
def test_a_run_depends_on_plan_and_seed_only(plan_path: Path) -> None:
    code = "import sys; from planner.api import load_plan, run_plan; print(run_plan(load_plan(sys.argv[1])).digest())"
    for hash_seed in ("0", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", code, str(plan_path)],
            capture_output=True,
            text=True,
            check=True,
            cwd=PROJECT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        )
        assert run.stdout.strip() == result_of(plan_path).digest()


def test_the_price_expander_shuns_nodes_that_cost_more_than_they_bring() -> None:
    path = PROJECT / "scenarios/two-pools/plan.headroom"
    plan = load_plan(path)
    by_price = plan.model_copy(
        update={"cluster_autoscaler": plan.cluster_autoscaler.model_copy(update={"expander": (ExpanderName.PRICE,)})}
    )
    figures, cheaper = result_of(path).figures, run_plan(by_price).figures
    assert cheaper["cost"].value < 0.8 * figures["cost"].value
    assert cheaper["slo_attainment[api]"].value == figures["slo_attainment[api]"].value == 1


def test_a_batch_of_low_priority_gives_way_and_one_of_equal_priority_does_not() -> None:
    path = PROJECT / "scenarios/batch-gives-way/plan.headroom"
    plan = load_plan(path)
    equal = tuple(known.model_copy(update={"value": -20}) for known in plan.priority_classes)
    figures, rivals = result_of(path).figures, run_plan(plan.model_copy(update={"priority_classes": equal})).figures
    assert (figures["preemptions"].value, rivals["preemptions"].value) == (20, 0)
    assert figures["slo_attainment[site]"].value == 1 > rivals["slo_attainment[site]"].value


def test_two_more_nodes_end_the_losses_of_a_pool_at_its_maximum() -> None:
    path = PROJECT / "scenarios/pool-at-maximum/plan.headroom"
    plan = load_plan(path)
    larger = tuple(group.model_copy(update={"max_size": 8}) for group in plan.node_groups)
    figures, roomier = result_of(path).figures, run_plan(plan.model_copy(update={"node_groups": larger})).figures
    assert figures["nodes_peak"].value == 6
    assert figures["requests_lost"].value > 0 == roomier["requests_lost"].value


def test_another_seed_is_another_run() -> None:
    path = PROJECT / "scenarios/flash-sale/plan.headroom"
    assert run_plan(load_plan(path), seed=2).digest() != result_of(path).digest()
