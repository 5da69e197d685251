import pytest

from planner.errors import PlanProblem
from planner.plan.edit import insert_at, remove_at, replace_at, value_at
from planner.plan.io import plan_to_text
from tests.builders import a_node_group, a_plan, a_workload

PLAN = a_plan(node_groups=(a_node_group(labels={"a": "b"}), a_node_group("other")))


def test_a_value_is_replaced_and_the_rest_is_shared():
    after = replace_at(PLAN, ("node_groups", 0, "max_size"), 9)
    assert value_at(after, ("node_groups", 0, "max_size")) == 9
    assert PLAN.node_groups[0].max_size == 10
    assert after.node_groups[1] is PLAN.node_groups[1]
    assert after.workloads[0] is PLAN.workloads[0]


def test_only_what_was_set_gets_into_the_file():
    after = replace_at(PLAN, ("node_groups", 0, "max_size"), 9)
    added = set(plan_to_text(after).splitlines()) - set(plan_to_text(PLAN).splitlines())
    assert added == {'      "maxSize": 9,'}


def test_text_is_read_as_in_the_file():
    assert replace_at(PLAN, ("node_groups", 0, "cpu"), "8").node_groups[0].cpu == 8000
    assert replace_at(PLAN, ("node_groups", 0, "labels", "a"), "c").node_groups[0].labels == {"a": "c"}


def test_items_are_inserted_and_removed():
    more = insert_at(PLAN, ("workloads", 1), a_workload("api"))
    assert [workload.name for workload in more.workloads] == ["web", "api"]
    assert remove_at(more, ("workloads", 0)).workloads == (a_workload("api"),)
    labelled = insert_at(PLAN, ("node_groups", 1, "labels", "x"), "y")
    assert labelled.node_groups[1].labels == {"x": "y"}
    assert remove_at(labelled, ("node_groups", 1, "labels", "x")) == PLAN


def test_a_removed_field_is_back_at_its_default():
    after = remove_at(replace_at(PLAN, ("node_groups", 0, "max_size"), 9), ("node_groups", 0, "max_size"))
    assert after.node_groups[0].max_size == 10
    assert plan_to_text(after) == plan_to_text(PLAN)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("node_groups", 0, "max_size"), "many", "nodeGroups[0].maxSize"),
        (("node_groups", 1, "max_size"), -1, "nodeGroups[1].maxSize"),
        (("node_groups", 0, "provisioning_delay"), "soon", "nodeGroups[0].provisioningDelay"),
        (("node_groups", 0, "labels", "a"), 3, 'nodeGroups[0].labels["a"]'),
        (("node_groups", 0), {"name": "x"}, "nodeGroups[0].cpu"),
        (("node_groups", 7, "name"), "x", "nodeGroups[7].name"),
        (("nothing",), 1, "nothing"),
        ((), 3, "plan"),
    ],
)
def test_a_bad_edit_changes_nothing_and_names_its_place(path, value, where):
    before = plan_to_text(PLAN)
    with pytest.raises(PlanProblem) as caught:
        replace_at(PLAN, path, value)
    assert caught.value.where == where
    assert plan_to_text(PLAN) == before


@pytest.mark.parametrize("path", [(), ("workloads", 5), ("workloads", -1), ("name", 0), ("nothing", 0)])
def test_no_item_is_put_or_taken_where_none_can_be(path):
    with pytest.raises(PlanProblem):
        insert_at(PLAN, path, a_workload("x"))
    with pytest.raises(PlanProblem):
        remove_at(PLAN, path)


def test_a_required_field_cannot_be_removed():
    with pytest.raises(PlanProblem) as caught:
        remove_at(PLAN, ("node_groups", 0, "cpu"))
    assert caught.value.where == "nodeGroups[0].cpu"
