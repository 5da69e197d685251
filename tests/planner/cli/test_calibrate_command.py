"""headroom calibrate: a plan whose numbers are unknown learns them from what a cluster did."""

import json

import pytest

from planner import cli
from planner.api import run_plan
from planner.plan.files.io import load_plan, save_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import SimulationSettings
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa
from tests.planner.measured.observed_run import openmetrics


def the_plan(cost=0.03, idle="40m"):
    traffic = {"profile": {"type": "sine", "mean": 60, "amplitude": 45, "period": "3h"}, "noise": {"cv": 0.1}}
    web = a_workload(
        "web", replicas=4, pod=a_pod("500m"), traffic=traffic, memory_use={"start": "200Mi"},
        demand={"cpu_seconds_per_request": cost, "idle_cpu": idle},
    )  # fmt: skip
    return a_plan(
        simulation=SimulationSettings(duration="2h", discrete_requests=True),
        node_groups=(a_node_group(initial_size=3, max_size=8),),
        workloads=(web,),
        horizontal_pod_autoscalers=(an_hpa(min_replicas=3, max_replicas=20, metrics=({"average_utilization": 60},)),),
    )


@pytest.fixture(scope="module")
def scraped(tmp_path_factory):
    plan = the_plan()
    path = tmp_path_factory.mktemp("measured") / "week.om"
    path.write_text(openmetrics(plan, run_plan(plan)))
    return str(path)


@pytest.fixture
def guess(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(the_plan(cost=0.01, idle="0"), path)
    return str(path)


def test_costs_are_found_again_and_the_plan_says_where_they_come_from(guess, scraped, tmp_path, capsys):
    fitted = str(tmp_path / "fitted.headroom")
    assert cli.main(["calibrate", guess, scraped, "-o", fitted]) == 0
    plan = load_plan(fitted)
    demand = plan.workloads[0].demand
    assert demand.cpu_seconds_per_request == pytest.approx(0.03, rel=0.01)
    assert demand.idle_cpu == pytest.approx(40, abs=2)
    assert plan.workloads[0].memory_use.start == 200 * 2**20
    number = plan.measured[0]
    assert number.path == "workloads[web].demand.cpuSecondsPerRequest" and number.source == "week.om"
    assert float(number.low) <= 0.03 <= float(number.high) and number.samples >= 30
    assert "0.01 -> 0.03, 95 %" in capsys.readouterr().out
    assert not [hint for hint in find_hints(plan) if hint.where.startswith("measured")]


def test_a_measured_value_that_was_changed_by_hand_is_a_hint(guess, scraped, tmp_path):
    fitted = tmp_path / "fitted.headroom"
    assert cli.main(["calibrate", guess, scraped, "-o", str(fitted)]) == 0
    fitted.write_text(fitted.read_text().replace('"idleCpu": "40m"', '"idleCpu": "90m"'))
    hints = [str(hint) for hint in find_hints(load_plan(fitted))]
    assert any("idleCpu is 90m, but 40m was measured" in hint for hint in hints)


def test_values_are_taken_one_by_one(guess, scraped, tmp_path):
    fitted = str(tmp_path / "fitted.headroom")
    assert cli.main(["calibrate", guess, scraped, "-o", fitted, "--only", "idleCpu"]) == 0
    plan = load_plan(fitted)
    assert plan.workloads[0].demand.cpu_seconds_per_request == 0.01
    assert [number.path for number in plan.measured] == ["workloads[web].demand.idleCpu"]


def test_the_measured_load_becomes_that_of_the_plan(guess, scraped, tmp_path):
    fitted = str(tmp_path / "fitted.headroom")
    assert cli.main(["calibrate", guess, scraped, "-o", fitted, "--load", "--from", "2026-03-01"]) == 0
    profile = load_plan(fitted).workloads[0].traffic.profile
    assert profile.source == "week.om from 2026-03-01T00:00:00Z" and len(profile.points) == 120
    assert 60 < profile.points[20].rate < 120, "the wave is on its way up"


def test_the_json_has_every_fit_and_a_dry_run_writes_nothing(guess, scraped, capsys):
    before = load_plan(guess)
    assert cli.main(["calibrate", guess, scraped, "--json", "--dry-run"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["kind"] == "calibration" and answer["stepSeconds"] == 60
    fit = answer["fits"][0]
    assert fit["before"] == "0.01" and fit["low"] <= fit["value"] <= fit["high"] and fit["taken"]
    assert load_plan(guess) == before


FLAT = "".join(f"{60 * at},10,0.5\n" for at in range(100))
RISING = "".join(f"{60 * at},{10 + at % 50},0.5\n" for at in range(100))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param("".join(FLAT.splitlines(keepends=True)[:20]), "only 20 steps", id="too little"),
        pytest.param(FLAT, "load of a pod hardly varies", id="constant load"),
        pytest.param(RISING, "use does not follow the load", id="use that does not follow the load"),
        pytest.param(FLAT.replace(",10,", ",0,"), "there were no requests", id="no load"),
    ],
)
def test_too_little_is_said_and_not_guessed(guess, tmp_path, capsys, rows, said):
    table = 'Time,"headroom_requests{workload=""web""}","headroom_cpu{workload=""web""}"\n' + rows
    (tmp_path / "measured.csv").write_text(table)
    assert cli.main(["calibrate", guess, str(tmp_path / "measured.csv"), "--dry-run"]) == 0
    assert said in capsys.readouterr().out


def test_a_window_is_chosen_and_an_empty_one_refused(guess, scraped, capsys):
    within = ["--from", "2026-03-01T00:30:00Z", "--to", "2026-03-01T01:30:00Z"]
    assert cli.main(["calibrate", guess, scraped, "--dry-run", *within]) == 0
    assert "2026-03-01T00:30:00Z/2026-03-01T01:30:00Z, 60 steps" in capsys.readouterr().out
    assert cli.main(["calibrate", guess, scraped, "--from", "2027-01-01"]) == 2
    assert "Nothing was measured between" in capsys.readouterr().err
