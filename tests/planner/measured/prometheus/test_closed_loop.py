"""A plan with known costs is simulated, a real Prometheus serves its series, and they lead back to the costs."""

import json
import shutil
import socket
import subprocess
import time
import urllib.request

import pytest

from planner import cli
from planner.api import run_plan
from planner.measured.prometheus.queries import queries
from planner.measured.quantities import KNOWN_METRICS, OWNER_METRICS
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.plan import SimulationSettings
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa
from tests.planner.measured.observed_run import openmetrics

pytestmark = pytest.mark.skipif(
    not (shutil.which("prometheus") and shutil.which("promtool")), reason="Prometheus is not installed"
)
COST, IDLE_MILLI = 0.03, 40


def the_plan(cost, idle):
    traffic = {"profile": {"type": "sine", "mean": 60, "amplitude": 45, "period": "3h"}, "noise": {"cv": 0.05}}
    web = a_workload(
        "web", replicas=8, pod=a_pod("500m"), traffic=traffic,
        demand={"cpu_seconds_per_request": cost, "idle_cpu": idle},
    )  # fmt: skip
    return a_plan(
        simulation=SimulationSettings(duration="3h", discrete_requests=True),
        node_groups=(a_node_group(initial_size=3, max_size=8),),
        workloads=(web,),
        horizontal_pod_autoscalers=(an_hpa(min_replicas=3, max_replicas=20, metrics=({"average_utilization": 60},)),),
    )


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    """Address of a server that holds what would have been scraped of a run."""
    folder = tmp_path_factory.mktemp("prometheus")
    plan = the_plan(COST, IDLE_MILLI)
    (folder / "run.om").write_text(openmetrics(plan, run_plan(plan)))
    make = ["promtool", "tsdb", "create-blocks-from", "openmetrics", "run.om", "data"]
    subprocess.run(make, cwd=folder, check=True, capture_output=True)
    (folder / "prometheus.yml").write_text("global: {}\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", "--storage.tsdb.retention.time=100y"]
    server = subprocess.Popen(
        ["prometheus", *options, f"--web.listen-address=127.0.0.1:{port}"], cwd=folder, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/-/ready", server)
        yield url
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(url, server):
    for _ in range(300):
        assert server.poll() is None, "Prometheus has ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("Prometheus does not become ready")


WINDOW = ("--from", "2026-03-01", "--to", "2026-03-01T03:00:00Z")


def test_costs_come_back_from_a_real_prometheus_and_the_fitted_plan_does_what_was_measured(
    prometheus, tmp_path, capsys
):
    guess, measured, fitted = (str(tmp_path / name) for name in ("p.headroom", "week.measured.json.gz", "q.headroom"))
    save_plan(the_plan(0.01, 0), guess)
    assert cli.main(["measure", guess, prometheus, "-o", measured, *WINDOW]) == 0
    assert cli.main(["calibrate", guess, measured, "-o", fitted]) == 0
    plan = load_plan(fitted)
    assert plan.workloads[0].demand.cpu_seconds_per_request == pytest.approx(COST, rel=0.05)
    assert plan.workloads[0].demand.idle_cpu == pytest.approx(IDLE_MILLI, rel=0.05)
    low, high = float(plan.measured[0].low), float(plan.measured[0].high)
    assert plan.measured[0].path.endswith("cpuSecondsPerRequest") and low <= COST <= high
    capsys.readouterr()
    assert cli.main(["backtest", fitted, measured, "--seeds", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["figures"]["replica_mape"]["value"] < 0.03
    assert answer["figures"]["replica_mape"]["value"] < answer["figures"]["replica_mape_naive"]["value"]


def test_prometheus_understands_every_query(tmp_path):
    names = {*KNOWN_METRICS, *OWNER_METRICS, "istio_request_duration_milliseconds_bucket",
             "istio_request_duration_milliseconds_sum", "http_request_duration_seconds_bucket"}  # fmt: skip
    rules = [{"record": f"q{row}", "expr": query.text} for row, query in enumerate(queries(names, "2m"))]
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    subprocess.run(["promtool", "check", "rules", "rules.yml"], cwd=tmp_path, check=True, capture_output=True)


def test_a_metric_that_the_server_lacks_is_an_error_that_lists_what_it_has(prometheus, tmp_path, capsys):
    guess = str(tmp_path / "plan.headroom")
    save_plan(the_plan(0.01, 0), guess)
    asked = ["measure", guess, prometheus, "-o", str(tmp_path / "x.json.gz"), *WINDOW]
    assert cli.main([*asked, "--requests", "istio_requests_total"]) == 2
    assert "It has http_requests_total" in capsys.readouterr().err
    assert cli.main([*asked, "--requests", "sum(rate(http_requests_total[2m]))"]) == 0
    assert "requests of {}" in capsys.readouterr().err
    assert cli.main([*asked, "--requests", "sum(rate("]) == 2
    assert "parse error" in capsys.readouterr().err
