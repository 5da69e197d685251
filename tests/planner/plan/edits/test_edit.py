import pytest

from planner.errors import PlanProblem
from planner.plan.edits.edit import (
    insert_at,
    insert_many,
    move_many,
    remove_at,
    remove_many,
    replace_at,
    replace_many,
    value_at,
)
from planner.plan.files.io import plan_to_text
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

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


def names_of(plan):
    return "".join(group.name for group in plan.node_groups)


POOLS = a_plan(node_groups=tuple(a_node_group(name) for name in "abcde"))


@pytest.mark.parametrize(("positions", "by", "expected"), [
    pytest.param([1], -1, "bacde", id="one up"),
    pytest.param([1], 1, "acbde", id="one down"),
    pytest.param([0], -1, "abcde", id="the first stays first"),
    pytest.param([3, 4], 1, "abcde", id="the last two stay last"),
    pytest.param([1, 3], -1, "badce", id="two at once keep their distance"),
    pytest.param([2, 1], 2, "adebc", id="two together by two places"),
    pytest.param([0, 2], -1, "acbde", id="one that stops lets the other come up to it"),
    pytest.param([0, 1], 10, "cdeab", id="further than the end"),
    pytest.param([], 1, "abcde", id="none"),
])  # fmt: skip
def test_items_move_within_their_list(positions, by, expected):
    after = move_many(POOLS, ("node_groups",), positions, by)
    assert names_of(after) == expected
    assert set(map(id, after.node_groups)) == set(map(id, POOLS.node_groups))


def test_several_items_are_inserted_and_removed():
    more = insert_many(POOLS, ("node_groups", 2), [a_node_group("x"), a_node_group("y")])
    assert names_of(more) == "abxycde"
    assert remove_many(more, ("node_groups",), [3, 2]) == POOLS


@pytest.mark.parametrize("edit", [
    pytest.param(lambda: remove_many(POOLS, ("node_groups",), [5]), id="removed behind the end"),
    pytest.param(lambda: move_many(POOLS, ("node_groups",), [-1], 1), id="moved from before the start"),
    pytest.param(lambda: insert_many(POOLS, ("node_groups", 6), []), id="inserted behind the end"),
    pytest.param(lambda: remove_many(POOLS, ("simulation",), []), id="no list"),
    pytest.param(lambda: replace_many(POOLS, ("node_groups",), {}), id="no model"),
])  # fmt: skip
def test_a_list_edit_outside_of_a_list_is_refused(edit):
    with pytest.raises(PlanProblem):
        edit()


def test_fields_that_only_fit_together_are_changed_at_once():
    plan = a_plan(horizontal_pod_autoscalers=(an_hpa(max_replicas=5),))
    path = ("horizontal_pod_autoscalers", 0)
    with pytest.raises(PlanProblem) as caught:
        replace_many(plan, path, {"min_replicas": 20})
    assert caught.value.where == "horizontalPodAutoscalers[0].minReplicas"
    after = replace_many(plan, path, {"min_replicas": 20, "max_replicas": 30})
    assert (value_at(after, path).min_replicas, value_at(after, path).max_replicas) == (20, 30)
