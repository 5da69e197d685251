"""LimitRanges act on workloads without living pods: defaults are filled in, broken bounds are named."""

import pytest

from planner.units import GIB, MIB
from tests.planner.kube.manifests import a_deployment, imported_objects
from tests.planner.kube.pods.test_living_pods import living, main
from tests.planner.kube.pods.test_start_nodes import a_replica_set


def limit_range(name="bounds", kind="Container", namespace="default", **parts):
    spec = {"limits": [{"type": kind, **parts}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def web(**amounts):
    return a_deployment(containers=[{"name": "main", "resources": amounts}])


def result_of(*objects):
    result = imported_objects(*objects)
    [workload] = result.plan.workloads
    container = workload.pod.containers[0]
    return container.requests, container.limits, result.losses


@pytest.mark.parametrize(("parts", "amounts", "cpu"), [
    pytest.param({"defaultRequest": {"cpu": "200m"}}, {}, (200, None), id="a default request"),
    pytest.param({"default": {"cpu": "300m"}}, {}, (300, 300), id="a default limit is the default request too"),
    pytest.param({"max": {"cpu": "2"}}, {}, (2000, 2000), id="the maximum is the default limit"),
    pytest.param({"min": {"cpu": "50m"}}, {}, (50, None), id="the minimum is the default request"),
    pytest.param({"default": {"cpu": "1"}, "defaultRequest": {"cpu": "200m"}, "max": {"cpu": "2"}}, {}, (200, 1000),
                 id="all of them"),
    pytest.param({"default": {"cpu": "1"}}, {"requests": {"cpu": "100m"}}, (100, 1000), id="what is given stays"),
    pytest.param({"defaultRequest": {"cpu": "200m"}}, {"limits": {"cpu": "500m"}}, (None, 500),
                 id="a limit is its own request before defaults act"),
])  # fmt: skip
def test_defaults_are_filled_in_as_admission_does(parts, amounts, cpu):
    requests, limits, losses = result_of(limit_range(**parts), web(**amounts))
    assert (requests.cpu, limits.cpu) == cpu
    assert all("LimitRange" in line for line in losses.taken)


def test_the_first_of_several_limit_ranges_counts_for_each_resource():
    first = limit_range("a", defaultRequest={"memory": "64Mi"})
    second = limit_range("b", defaultRequest={"memory": "1Gi", "cpu": "70m"})
    requests, _limits, losses = result_of(first, second, web())
    assert (requests.cpu, requests.memory) == (70, 64 * MIB)
    [line] = losses.taken
    assert line.startswith(
        "Deployment default/web: its LimitRange makes pods request 0.07 cores and 64Mi, the template 0"
    )


def test_other_namespaces_have_nothing_to_do_with_it():
    requests, _limits, losses = result_of(limit_range(namespace="shop", defaultRequest={"cpu": "1"}), web())
    assert requests.cpu is None
    assert losses.taken == ()


def test_living_pods_have_their_defaults_already():
    objects = [limit_range(default={"cpu": "3"}), a_deployment(), a_replica_set(), living(1, main("250m"))]
    requests, _limits, _losses = result_of(*objects)
    assert requests.cpu == 250


@pytest.mark.parametrize(("kind", "parts", "amounts", "words"), [
    ("Container", {"max": {"memory": "1Gi"}}, {"limits": {"memory": "2Gi"}},
     "maximum memory usage per Container is 1Gi, but limit is 2Gi"),
    ("Container", {"min": {"cpu": "100m"}}, {"requests": {"cpu": "50m"}},
     "minimum cpu usage per Container is 100m, but request is 50m"),
    ("Container", {"maxLimitRequestRatio": {"cpu": "2"}}, {"requests": {"cpu": "100m"}, "limits": {"cpu": "300m"}},
     "cpu max limit to request ratio per Container is 2, but provided ratio is 3.0"),
    ("Container", {"maxLimitRequestRatio": {"cpu": "2"}}, {"requests": {"cpu": "100m"}}, "no limit is specified"),
    ("Pod", {"max": {"cpu": "1"}}, {"requests": {"cpu": "100m"}},
     "maximum cpu usage per Pod is 1. No limit is specified"),
    ("Pod", {"min": {"cpu": "1"}}, {"requests": {"cpu": "100m"}},
     "minimum cpu usage per Pod is 1, but request is 100m"),
])  # fmt: skip
def test_a_broken_bound_is_named_in_the_words_of_the_api_server(kind, parts, amounts, words):
    _requests, _limits, losses = result_of(limit_range(kind=kind, **parts), web(**amounts))
    assert any(words in remark and "Deployment default/web" in remark for remark in losses.remarks)


def test_bounds_of_a_pod_take_all_its_containers_together():
    pair = [{"name": name, "resources": {"limits": {"memory": "1Gi"}}} for name in ("a", "b")]
    requests, _limits, losses = result_of(limit_range(kind="Pod", max={"memory": "1Gi"}), a_deployment(containers=pair))
    assert requests.memory in (None, GIB)
    assert any("per Pod is 1Gi, but limit is 2Gi" in remark for remark in losses.remarks)


def test_bounds_of_claims_are_left_out():
    _requests, _limits, losses = result_of(limit_range(kind="PersistentVolumeClaim", max={"storage": "1Gi"}), web())
    assert any(loss.kind == "LimitRange" for loss in losses)
