"""Shipped scenarios tell the same story as before, account for every request, and depend on plan and seed only."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.files.io import load_plan
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.record.result import RunResult
from planner.simulation.parts.load_record import Ints, LoadRecord
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from planner.workloads.load.step.load_step import WorkloadSteps

PROJECT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((PROJECT / "scenarios").glob("*/plan.headroom"))
SIGNIFICANT_DIGITS = 6
COMPARED_US = 15 * US_PER_MIN
QUARTERS = 4
IDS = [path.parent.name for path in SCENARIOS]
WEEKS = ("shop-week", "shop-week-karpenter")
"""They run for a minute; `make soak` looks at their figures."""
# The tests of one scenario come one after the other, so that they share its run even when several processes test.
each_run = pytest.mark.parametrize(
    "plan_path",
    [pytest.param(path, marks=pytest.mark.soak if path.parent.name in WEEKS else ()) for path in SCENARIOS],
    ids=IDS,
    scope="module",
)


@cache
def result_of(plan_path: Path) -> RunResult:
    return counted_run(plan_path)[0]


@cache
def counted_run(plan_path: Path) -> tuple[RunResult, "RequestCount"]:
    plan, add = load_plan(plan_path), LoadRecord.add_steps
    requests = RequestCount(len(plan.workloads))

    def add_and_count(record: LoadRecord, rows: Ints, start_us: Ints, length_us: Ints, steps: WorkloadSteps) -> None:
        requests.add(rows, steps)
        add(record, rows, start_us, length_us, steps)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LoadRecord, "add_steps", add_and_count)
        return run_plan(plan), requests


class RequestCount:
    """Looks at every load step of a run: offered + retried = served + rejected + timed out + change of in flight."""

    def __init__(self, workloads: int) -> None:
        self.steps = 0
        self.unequal: list[list[int]] = []
        """Rows of each step whose sums differ, or that counted less than nothing."""
        self._held = np.zeros(workloads)

    def add(self, rows: Ints, steps: WorkloadSteps) -> None:
        came = steps.offered + steps.retried + self._held[rows]
        gone = steps.served + steps.rejected + steps.timed_out + steps.in_flight
        wrong = np.abs(came - gone) > 1e-6 * np.maximum(1.0, came)
        for count in (steps.offered, steps.served, steps.rejected, steps.timed_out, steps.retried, steps.in_flight):
            wrong |= ~(count >= 0.0)
        if wrong.any():
            self.unequal.append(rows[wrong].tolist())
        self._held[rows] = steps.in_flight
        self.steps += len(rows)


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


@each_run
def test_a_scenario_has_the_expected_figures(plan_path: Path, request: pytest.FixtureRequest) -> None:
    figures = rounded(result_of(plan_path))
    golden = plan_path.with_name("expected.json")
    if request.config.getoption("--update-golden"):
        golden.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    expected = json.loads(golden.read_text(encoding="utf-8"))
    assert figures == expected, f"If meant: pytest --update-golden, then read the diff of {golden.name}"


@each_run
def test_no_request_appears_or_vanishes_in_any_load_step(plan_path: Path) -> None:
    requests = counted_run(plan_path)[1]
    assert requests.unequal == []
    assert requests.steps > 100 or all(item.traffic is None for item in load_plan(plan_path).workloads)


def digests_elsewhere(plan_paths: list[Path], until_us: int) -> list[str]:
    """The digests of runs in another process, whose hashes are others."""
    code = (
        "import sys; from planner.api import load_plan, run_plan\n"
        "for path in sys.argv[2:]:\n"
        "    plan = load_plan(path)\n"
        "    print(run_plan(plan, until_us=min(plan.simulation.duration, int(sys.argv[1]))).digest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(until_us), *map(str, plan_paths)],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
        env=os.environ | {"PYTHONHASHSEED": "4711" if os.environ.get("PYTHONHASHSEED") != "4711" else "0"},
    )
    return run.stdout.split()


@pytest.mark.parametrize("first", range(QUARTERS), ids=lambda first: f"quarter {first + 1}")
def test_a_run_depends_on_plan_and_seed_only(first: int) -> None:
    """As far as a quarter of an hour shows it; `make soak` compares the longer scenarios to their end."""
    plan_paths = SCENARIOS[first::QUARTERS]
    digests = []
    for plan_path in plan_paths:
        plan = load_plan(plan_path)
        is_short = plan.simulation.duration <= COMPARED_US
        digests.append((result_of(plan_path) if is_short else run_plan(plan, until_us=COMPARED_US)).digest())
    named = [path.parent.name for path in plan_paths]
    elsewhere = digests_elsewhere(plan_paths, COMPARED_US)
    assert dict(zip(named, elsewhere, strict=True)) == dict(zip(named, digests, strict=True))


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
    assert plain["pod_start_p95"].value > 210 > 60 > reserved["pod_start_p95"].value
    hour = reserved["reserve_cost_per_month[reserve]"].value / HOURS_PER_MONTH
    node_hour = 0.192  # costs come in whole nodes
    assert abs(reserved["cost"].value - plain["cost"].value - hour) < node_hour


def test_the_price_expander_shuns_nodes_that_cost_more_than_they_bring() -> None:
    path = PROJECT / "scenarios/two-pools/plan.headroom"
    plan = load_plan(path)
    by_price = plan.model_copy(
        update={"cluster_autoscaler": plan.cluster_autoscaler.model_copy(update={"expander": (ExpanderName.PRICE,)})}
    )
    figures, cheaper = result_of(path).figures, run_plan(by_price).figures
    assert cheaper["cost"].value < 0.85 * figures["cost"].value
    assert cheaper["slo_attainment[api]"].value == figures["slo_attainment[api]"].value == 1


def test_a_batch_of_low_priority_gives_way_and_one_of_equal_priority_does_not() -> None:
    path = PROJECT / "scenarios/batch-gives-way/plan.headroom"
    plan = load_plan(path)
    equal = tuple(known.model_copy(update={"value": -20}) for known in plan.priority_classes)
    figures, rivals = result_of(path).figures, run_plan(plan.model_copy(update={"priority_classes": equal})).figures
    assert figures["preemptions"].value > 15 and rivals["preemptions"].value == 0
    assert figures["slo_attainment[site]"].value == 1 > rivals["slo_attainment[site]"].value


def test_two_more_nodes_end_the_losses_of_a_pool_at_its_maximum() -> None:
    path = PROJECT / "scenarios/pool-at-maximum/plan.headroom"
    plan = load_plan(path)
    larger = tuple(group.model_copy(update={"max_size": 8}) for group in plan.node_groups)
    figures, roomier = result_of(path).figures, run_plan(plan.model_copy(update={"node_groups": larger})).figures
    assert figures["nodes_peak"].value == 6
    assert figures["requests_lost"].value > 1.0 > 1e-6 > roomier["requests_lost"].value


def test_another_seed_is_another_run() -> None:
    path = PROJECT / "scenarios/flash-sale/plan.headroom"
    assert run_plan(load_plan(path), seed=2).digest() != result_of(path).digest()
