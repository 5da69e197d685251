"""The request that utilization is a share of."""

import numpy as np
import pytest

from planner.hpa.metrics.requests import request_of, requests_of
from planner.hpa.rules.replica_calculator import MetricErrorCode, MetricFailed
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Container, InitContainer, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload
from planner.simulation.compile.pods import Admission, compile_pod
from planner.state.resources import ResourceAxis

APP = Container(name="app", requests=Resources(cpu="500m", memory="64Mi"))
BARE = Container(name="bare")
PROXY = InitContainer(name="proxy", requests=Resources(cpu="100m"), sidecar=True)
INIT = InitContainer(name="init", requests=Resources(cpu="2"))
WHOLE = Resources(cpu="300m")
MIB = 1 << 20


def spec(*containers, init=(), resources=None, row=0):
    pod = PodTemplate(containers=containers, init_containers=init, resources=resources or Resources())
    workload = Workload(name="web", pod=pod)
    return compile_pod(workload, row, "default", Admission.of(Plan(name="requests")), ResourceAxis())


def metric(resource="cpu", container=""):
    source = MetricSource.CONTAINER_RESOURCE if container else MetricSource.RESOURCE
    return MetricSpec(source, resource, TargetType.UTILIZATION, 50, container=container)


@pytest.mark.parametrize(
    ("pod", "asked", "amount"),
    [
        pytest.param(spec(APP), metric(), 500, id="one container"),
        pytest.param(spec(APP, init=[PROXY, INIT]), metric(), 600, id="sidecars count, other init containers do not"),
        pytest.param(spec(APP), metric("memory"), 64 * MIB, id="memory in bytes"),
        pytest.param(spec(APP, init=[PROXY]), metric(container="proxy"), 100, id="one of the containers"),
        pytest.param(spec(APP, BARE, resources=WHOLE), metric(), 300, id="the pod-level request covers all containers"),
        pytest.param(spec(APP, BARE, resources=WHOLE), metric("memory"), 64 * MIB, id="what the pod does not name"),
        pytest.param(spec(APP, resources=WHOLE), metric(container="app"), 500, id="a container has its own"),
    ],
)
def test_the_request_of_a_pod(pod, asked, amount):
    assert request_of(pod, asked, HpaSettings()) == amount


@pytest.mark.parametrize(
    ("pod", "asked", "code"),
    [
        pytest.param(spec(APP, BARE), metric(), "MissingRequest", id="one container has none"),
        pytest.param(spec(APP, init=[PROXY]), metric("memory"), "MissingRequest", id="a sidecar has none"),
        pytest.param(spec(APP, BARE), metric(container="bare"), "MissingRequest", id="the container has none"),
        pytest.param(spec(APP), metric(container="other"), "ContainerNotInPod", id="no such container"),
        pytest.param(
            spec(BARE, resources=WHOLE),
            metric("memory"),
            "MissingPodLevelRequest",
            id="neither the pod nor a container names it",
        ),
    ],
)
def test_a_missing_request_has_its_reason(pod, asked, code):
    with pytest.raises(MetricFailed) as failure:
        request_of(pod, asked, HpaSettings())
    assert failure.value.code == code


def test_without_the_gate_the_containers_count():
    gate_off = HpaSettings(pod_level_resources=False)
    assert request_of(spec(APP, resources=WHOLE), metric(), gate_off) == 500


def test_of_several_pods_the_first_without_request_gives_the_reason():
    pods = [spec(APP, row=0), spec(BARE, resources=Resources(memory="1Mi"), row=1), spec(BARE, row=2)]
    amounts, error = requests_of(pods, metric(), HpaSettings())
    assert (amounts.tolist(), error) == ([500, -1, -1], MetricErrorCode.MISSING_POD_LEVEL_REQUEST)
    assert amounts.dtype == np.int64
