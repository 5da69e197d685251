"""What differs between two plans, in words."""

import pytest
from hypothesis import given, settings

from planner.plan.edits.differences import differences
from planner.plan.edits.edit import insert_at, remove_at, replace_at
from tests.builders import a_node_group, a_plan, a_workload, an_hpa
from tests.plan_strategies import plans

BASE = a_plan(horizontal_pod_autoscalers=(an_hpa("web"),))


@pytest.mark.parametrize(("path", "value", "expected"), [
    (("node_groups", 0, "max_size"), 44, "pool maxSize 10 -> 44"),
    (("node_groups", 0, "cpu"), 2_500, "pool cpu 4 -> 2500m"),
    (("node_groups", 0, "memory"), 1 << 30, "pool memory 16Gi -> 1Gi"),
    (("simulation", "duration"), 7_200_000_000, "simulation duration 1h -> 2h"),
    (("simulation", "warm_start"), False, "simulation warmStart true -> false"),
    (("workloads", 0, "pod", "containers", 0, "requests", "cpu"), 1_000,
     "main requests cpu 250m -> 1"),
    (("node_groups", 0, "labels"), {"disk": "ssd"}, "pool labels disk none -> ssd"),
    (("node_groups", 0, "labels"), {"disk": ""}, 'pool labels disk none -> ""'),
    (("workloads", 0, "starts_on"), {"pool-0001": 2}, "web startsOn pool-0001 none -> 2"),
    (("horizontal_pod_autoscalers", 0, "max_replicas"), 12, "web maxReplicas 10 -> 12"),
])  # fmt: skip
def test_a_changed_value_is_named_by_its_item_and_shown_as_the_file_writes_it(path, value, expected):
    assert [str(change) for change in differences(BASE, replace_at(BASE, path, value))] == [expected]


def test_a_difference_leads_to_its_value_in_the_plan_that_has_it():
    more = insert_at(BASE, ("workloads", 0), a_workload("api"))
    changed = replace_at(more, ("workloads", 1, "pod", "containers", 0, "requests", "cpu"), 1_000)
    assert [change.path for change in differences(BASE, changed)] == [
        ("workloads", 1, "pod", "containers", 0, "requests", "cpu"), ("workloads", 0),
    ]  # fmt: skip
    assert [change.path for change in differences(more, BASE)] == [("workloads", 0)]


def test_items_that_came_and_went_are_named():
    more = insert_at(BASE, ("node_groups", 1), a_node_group("spot"))
    assert [str(change) for change in differences(BASE, more)] == ["+ nodeGroups spot"]
    assert [str(change) for change in differences(more, BASE)] == ["- nodeGroups spot"]


def test_order_is_no_difference_but_a_name_is():
    two = insert_at(BASE, ("workloads", 1), a_workload("api"))
    turned = remove_at(insert_at(two, ("workloads", 0), two.workloads[1]), ("workloads", 2))
    assert [workload.name for workload in turned.workloads] == ["api", "web"]
    assert differences(two, turned) == ()
    renamed = replace_at(BASE, ("workloads", 0, "name"), "front")
    assert [str(change) for change in differences(BASE, renamed)] == ["- workloads web", "+ workloads front"]


@given(plans(), plans())
@settings(max_examples=25)
def test_equal_plans_do_not_differ_and_others_say_where(one, other):
    assert differences(one, one) == ()
    assert bool(differences(one, other)) or _same_but_order(one, other)


def _same_but_order(one, other):
    def by_name(plan):
        return {
            name: sorted(map(repr, value)) if isinstance(value := getattr(plan, name), tuple) else value
            for name in type(plan).model_fields
        }

    return by_name(one) == by_name(other)
