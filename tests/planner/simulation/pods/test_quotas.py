"""Quotas in a run: controllers create what is admitted, say why the rest is missing, and try again."""

import pytest

from planner.api import run_plan
from planner.plan.model.plan import Plan
from planner.record.details.work import QuotaRefusal
from planner.record.text.explain import why
from planner.units import US_PER_MIN, US_PER_S

POOL = {"name": "a", "cpu": "16", "memory": "32Gi", "maxSize": 1, "initialSize": 1}
POD = {"containers": [{"requests": {"cpu": "500m", "memory": "64Mi"}}]}


def result_of(workloads, events=(), minutes=5, **quota):
    namespace = {"name": "shop", "resourceQuotas": [{"name": "compute", **quota}]}
    data = {"nodeGroups": [POOL], "namespaces": [namespace], "workloads": workloads, "events": list(events)}
    return run_plan(Plan.model_validate(data), until_us=minutes * US_PER_MIN)


def a_workload(name="web", replicas=6, namespace="shop", **parts):
    return {"name": name, "namespace": namespace, "replicas": replicas, "pod": POD, **parts}


def refusals(result):
    return [one for one in result.decisions if isinstance(one.details, QuotaRefusal)]


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "Job"])
@pytest.mark.parametrize(("quota", "pods"), [({"pods": 4}, 4), ({"requests": {"cpu": "1"}}, 2), ({"pods": 6}, 6)])
def test_pods_over_quota_are_not_created(kind, quota, pods):
    parts = {"kind": kind} | ({"stateful": {"podManagementPolicy": "Parallel"}} if kind == "StatefulSet" else {})
    parts |= {"job": {"completions": 6, "runTime": "1h"}} if kind == "Job" else {}
    result = result_of([a_workload(**parts)], **quota)
    assert len(result.pods) == pods
    assert bool(refusals(result)) == (pods < 6)


def test_a_daemon_set_is_refused_too():
    pools = a_workload(kind="DaemonSet")
    del pools["replicas"]
    result = result_of([pools], pods=0)
    assert len(result.pods) == 0
    assert refusals(result)


def test_other_namespaces_are_free():
    result = result_of([a_workload(namespace="default")], pods=1)
    assert len(result.pods) == 6
    assert not refusals(result)


def test_the_refusal_is_told_in_the_words_of_the_api_server():
    result = result_of([a_workload()], requests={"cpu": "1"})
    [first, *_] = refusals(result)
    assert first.subject == "web"
    text = why(first)
    assert (
        "exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=1, limited: requests.cpu=1" in text
    )


def test_a_refused_pod_is_created_once_there_is_room_and_the_back_off_is_over():
    events = [{"type": "setReplicas", "at": "1m", "workload": "old", "replicas": 0}]
    result = result_of([a_workload("old", 2), a_workload("web", 2)], events, minutes=10, pods=2)
    created = sorted(row["created_s"] for row in result.pods if row["workload"] == "web")
    assert len(created) == 2
    assert all(60 < time_s < 170 for time_s in created), "the pods of old are gone after their grace period"


def test_a_template_that_asks_for_more_is_counted_with_what_it_asks_for():
    larger = {"containers": [{"requests": {"cpu": "1", "memory": "64Mi"}}]}
    events = [{"type": "rollout", "at": "1m", "workload": "web", "pod": larger}]
    strategy = {"type": "Recreate"}
    result = result_of([a_workload(replicas=4, updateStrategy=strategy)], events, requests={"cpu": "2"})
    assert len([row for row in result.pods if row["ended_s"] is None]) == 2


def test_the_refusals_of_a_workload_become_rare():
    result = result_of([a_workload()], minutes=60, pods=3)
    attempts = sum(1 + one.repeats for one in refusals(result))
    assert 15 <= attempts <= 25
    assert max(one.time_us for one in refusals(result)) <= 60 * US_PER_MIN + US_PER_S


def test_pods_without_a_controller_are_refused_once_and_for_good():
    gone = {"type": "deletePods", "workload": "first", "at": "2m"}
    bare = [a_workload("first", 2, kind="Pod"), a_workload("web", 6, kind="Pod")]
    result = result_of(bare, [gone], pods=4)
    assert [one.subject for one in refusals(result)] == ["web"] and refusals(result)[0].repeats == 0
    assert sum(row["workload"] == "web" for row in result.pods) == 2
