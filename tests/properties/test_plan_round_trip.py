import json

from hypothesis import HealthCheck, given, settings

from planner.errors import PlanProblem
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_from_text, plan_to_text
from planner.plan.hints.all_hints import find_hints
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan
from tests.plan_strategies import plans

_few = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@_few
@given(plans())
def test_a_saved_plan_is_read_back_equal_and_written_back_alike(plan):
    text = plan_to_text(plan)
    again = plan_from_text(text, "text")
    assert again == plan
    assert plan_to_text(again) == text


@_few
@given(plans())
def test_checks_and_hints_never_raise_and_always_name_place_and_remedy(plan):
    everything: list[PlanProblem | Hint] = [*check_plan(plan), *find_hints(plan)]
    for found in everything:
        assert found.where and found.remedy and str(found)


@_few
@given(plans())
def test_the_keys_of_a_file_come_in_the_order_of_the_schema(plan):
    order = [info.alias or name for name, info in Plan.model_fields.items()]
    keys = list(json.loads(plan_to_text(plan)))
    assert keys[0] == "schemaVersion"
    assert keys == sorted(keys, key=order.index)
