"""headroom get"""

import pytest

from planner import cli
from planner.plan.files.io import save_plan
from tests.planner.simulation.test_event_scaling import event_plan
from tests.planner.simulation.test_vertical_pod_autoscaler import sized_plan


@pytest.mark.parametrize(
    ("plan", "arguments", "lines"),
    [
        (
            sized_plan("Off"),
            ["vpa", "--at", "1s"],
            ["NAMESPACE   NAME   MODE   CPU   MEM   PROVIDED", "default     web    Off                False"],
        ),
        (
            sized_plan("Off"),
            ["vpa", "--at", "1m"],
            [
                "NAMESPACE   NAME   MODE   CPU    MEM         PROVIDED",
                "default     web    Off    126m   380258472   True",
            ],
        ),
        (sized_plan("Off"), ["scaledjob", "--at", "1s"], []),
        (
            event_plan({}),
            ["hpa", "--at", "12m"],
            [
                "NAMESPACE   NAME           REFERENCE        TARGETS          MINPODS   MAXPODS   REPLICAS",
                "default     keda-hpa-web   Deployment/web   8750m/10 (avg)   1         100       4",
            ],
        ),
    ],
)
def test_objects_are_printed_as_kubectl_does(plan, arguments, lines, tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(plan, path)
    kind, *options = arguments
    assert cli.main(["get", kind, str(path), *options]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == lines
    assert lines or "No resources found" in printed.err
