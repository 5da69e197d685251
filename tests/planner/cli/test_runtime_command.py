"""headroom runtime"""

from planner.cli import command_line as cli
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.demand import Demand
from tests.builders import a_plan, a_workload


def test_a_runtime_is_written_into_the_plan(tmp_path, capsys):
    path = str(tmp_path / "shop.headroom")
    save_plan(a_plan(workloads=(a_workload(demand=Demand(workers=3)),)), path)
    assert cli.main(["runtime", path, "web", "pre-fork", "--processes", "12"]) == 0
    assert "web runs as" in capsys.readouterr().out
    assert load_plan(path).workloads[0].demand.workers == 12
    assert cli.main(["runtime", path, "shop", "pre-fork"]) == 2
    assert "no workload named shop" in capsys.readouterr().err
