"""New rows begin with what the plan has, so that they are valid at once."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.metric_series import MetricSeries, WorkloadValue
from planner.plan.model.traffic import ConstantLoad, Traffic
from tests.builders import a_node_group, a_plan, a_workload
from ui.editor.navigator.sections import sections
from ui.editor.values.seeds import free_name, new_row

SERVING = a_workload("web", traffic=Traffic(profile=ConstantLoad(type="constant", rate=10)))
JOB = a_workload("nightly", kind="Job", replicas=1)
QUEUE = MetricSeries(name="mails", source=WorkloadValue(type="workload", workload="web"))
LISTS = [section.fields[0] for section in sections() if section.is_list and not section.facet]
ONE_EACH = {
    "horizontal_pod_autoscalers",
    "proportional_autoscalers",
    "scaled_jobs",
    "scaled_objects",
    "vertical_pod_autoscalers",
}


@pytest.mark.parametrize("field", LISTS)
def test_a_new_row_of_every_list_is_valid_and_has_its_own_name(field):
    plan = a_plan(node_groups=(a_node_group(zone="zone-a"),), workloads=(SERVING, JOB), metric_series=(QUEUE,))
    for _ in range(2):
        names = frozenset(str(getattr(row, "name", "")) for row in getattr(plan, field))
        row = new_row(field, plan, names)
        plan = plan.model_copy(update={field: (*getattr(plan, field), row)})
        if field in ONE_EACH:
            break  # the second has no workload left
    assert list(check_plan(plan)) == []


def test_a_copy_of_a_numbered_name_has_as_many_digits():
    taken = frozenset({"web-001", "web-002", "shop-2"})
    assert free_name("web-001", taken) == "web-003"
    assert free_name("shop-2", taken) == "shop-3"
