"""Selectors of API objects, the odd ones among them."""

import pytest

from planner.kube.pods.selectors import (
    default_spread_selector,
    read_preferred_terms,
    read_required_terms,
    read_requirement,
)
from planner.matching.selectors import expression_is_legal, field_is_legal, named_nodes, node_matches
from planner.scheduler.topology.spread_constraints import matcher_of

NAME = {"key": "metadata.name", "values": ["a"]}
LABELS = {"app": "web", "tier": "front"}
SET = {"metadata": {"name": "web"}, "spec": {"selector": {"matchLabels": {"app": "web"}}}}
CONTROLLER = {"metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}}}
SERVICE = {"metadata": {"name": "front"}, "spec": {"selector": {"tier": "front"}}}


def required(*terms):
    return read_required_terms({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}})


@pytest.mark.parametrize("operator", ["", "Equals", "in", "Matches"])
def test_an_unknown_operator_is_legal_nowhere(operator):
    part = read_requirement({"key": "zone", "operator": operator, "values": ["a"]})
    assert not expression_is_legal(part)
    assert not field_is_legal(part)


@pytest.mark.parametrize(
    ("terms", "names"),
    [
        pytest.param([{"matchFields": [NAME | {"operator": "In"}]}], ("a",), id="a name is a short-cut"),
        pytest.param([{"matchFields": [NAME | {"operator": "In", "values": []}]}], (), id="no name leaves no node"),
        pytest.param([{"matchFields": [NAME | {"operator": "Like"}]}], None, id="an unknown operator is no short-cut"),
        pytest.param([{"matchFields": [NAME | {"operator": "NotIn"}]}], None, id="nor is an exclusion"),
        pytest.param(
            [{"matchFields": [NAME | {"operator": "In"}]}, {}], None, id="one term without a name turns it off"
        ),
        pytest.param(
            [{"matchFields": [NAME | {"operator": "In"}, NAME | {"operator": "In", "values": ["b"]}]}],
            (),
            id="two names in one term exclude each other",
        ),
    ],
)
def test_only_names_that_are_listed_narrow_the_search(terms, names):
    assert named_nodes(required(*terms)) == names


@pytest.mark.parametrize(
    ("affinity", "matches"),
    [
        ({}, True),
        ({"requiredDuringSchedulingIgnoredDuringExecution": None}, True),
        ({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}, False),
        ({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{}]}}, False),
        ({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": None}}, False),
    ],
)
def test_an_affinity_without_terms_chooses_no_node(affinity, matches):
    assert node_matches({}, read_required_terms(affinity), {"zone": "a"}, "a") is matches


def test_preferred_terms_may_be_missing():
    assert read_preferred_terms({"preferredDuringSchedulingIgnoredDuringExecution": None}) == ()


@pytest.mark.parametrize(
    ("owner", "counts_web", "counts_other"),
    [
        pytest.param({"apiVersion": "apps/v1", "kind": "ReplicaSet"}, True, False, id="ReplicaSet"),
        pytest.param({"apiVersion": "apps/v1", "kind": "StatefulSet"}, True, False, id="StatefulSet"),
        pytest.param({"apiVersion": "v1", "kind": "ReplicationController"}, True, False, id="ReplicationController"),
        pytest.param(
            {"apiVersion": "example.com/v1", "kind": "ReplicaSet"}, True, True, id="another group's ReplicaSet"
        ),
        pytest.param({"apiVersion": "batch/v1", "kind": "Job"}, True, True, id="Job"),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "gone"}, True, True, id="one that is gone"
        ),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": False}, True, True, id="no controller"
        ),
    ],
)
def test_services_and_the_controller_both_have_to_choose_a_pod(owner, counts_web, counts_other):
    reference = {"name": "web", "controller": True} | owner
    pod = {"metadata": {"name": "p", "labels": LABELS, "ownerReferences": [reference]}}
    objects = {
        "services": [SERVICE],
        "replicaSets": [SET],
        "statefulSets": [SET],
        "replicationControllers": [CONTROLLER],
    }
    matcher = matcher_of("default", default_spread_selector(pod, objects))
    assert matcher.matches_labels(LABELS) is counts_web
    assert matcher.matches_labels({"app": "other", "tier": "front"}) is counts_other


@pytest.mark.parametrize("selector", [None, {}, {"tier": "back"}, {"tier": "front", "more": "x"}])
def test_services_that_do_not_choose_the_pod_add_nothing(selector):
    pod = {"metadata": {"name": "p", "labels": LABELS}}
    services = [{"metadata": {"name": "s"}, "spec": {"selector": selector}}]
    assert matcher_of("default", default_spread_selector(pod, {"services": services})).is_empty
