"""New rows begin with what the plan has, so that they are valid at once."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.traffic import ConstantLoad, Traffic
from tests.builders import a_node_group, a_plan, a_workload
from ui.editor.navigator.sections import sections
from ui.editor.values.seeds import new_row

SERVING = a_workload("web", traffic=Traffic(profile=ConstantLoad(type="constant", rate=10)))
LISTS = [section.fields[0] for section in sections() if section.is_list and not section.facet]


@pytest.mark.parametrize("field", LISTS)
def test_a_new_row_of_every_list_is_valid_and_has_its_own_name(field):
    plan = a_plan(node_groups=(a_node_group(zone="zone-a"),), workloads=(SERVING,))
    for _ in range(2):
        names = frozenset(str(getattr(row, "name", "")) for row in getattr(plan, field))
        row = new_row(field, plan, names)
        plan = plan.model_copy(update={field: (*getattr(plan, field), row)})
        if field in ("horizontal_pod_autoscalers", "proportional_autoscalers"):
            break  # the second has no workload left to scale
    assert list(check_plan(plan)) == []
