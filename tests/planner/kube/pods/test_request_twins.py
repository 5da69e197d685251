"""What a pod asks for: the figures of a template are those of the Pod object made from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kube.pods.quantities import LARGEST, node_amounts, pod_nonzero, pod_request, pod_score_request
from planner.plan.derived import pod_requests
from planner.plan.model.pods import Container, InitContainer, PodTemplate, Resources

amount = st.none() | st.integers(0, 5_000)
lists = st.builds(
    lambda cpu, memory, disk, gpus: Resources(
        cpu=cpu, memory=memory, ephemeral_storage=disk, extended={} if gpus is None else {"example.com/gpu": gpus}
    ),
    amount, amount, amount, st.none() | st.integers(0, 4),
)  # fmt: skip
level = st.builds(lambda cpu, memory: Resources(cpu=cpu, memory=memory), amount, amount)
mains = st.lists(st.builds(lambda asked: Container(requests=asked), lists), min_size=1, max_size=3)
inits = st.lists(
    st.builds(lambda asked, sidecar: InitContainer(requests=asked, sidecar=sidecar), lists, st.booleans()), max_size=3
)


def quantities(resources):
    return {
        name: f"{value}m" if name == "cpu" else str(value) for name, value in pod_requests.amounts_of(resources).items()
    }


def as_object(pod, overhead):
    containers = [{"name": "c", "resources": {"requests": quantities(c.requests)}} for c in pod.containers]
    init = [
        {"name": "i", "resources": {"requests": quantities(c.requests)}, "restartPolicy": "Always" if c.sidecar else ""}
        for c in pod.init_containers
    ]
    resources, cost = {"requests": quantities(pod.resources)}, quantities(overhead)
    return {"spec": {"containers": containers, "initContainers": init, "resources": resources, "overhead": cost}}


def nonzero_only(amounts):
    return {name: value for name, value in amounts.items() if value}


@given(mains, inits, level, level)
def test_a_template_asks_for_what_its_pods_ask_for(containers, init, whole, overhead):
    pod = PodTemplate(containers=tuple(containers), init_containers=tuple(init), resources=whole)
    made = as_object(pod, overhead)
    assert nonzero_only(pod_requests.pod_request(pod, overhead)) == nonzero_only(pod_request(made, running=True))
    assert pod_requests.pod_nonzero(pod, overhead) == pod_nonzero(made, running=True)
    assert nonzero_only(pod_requests.pod_score_request(pod, overhead)) == nonzero_only(pod_score_request(made))


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ({"cpu": "1Ei"}, {"cpu": LARGEST}),
        ({"memory": "16Ei", "pods": "110"}, {"memory": LARGEST, "pods": 110}),
        ({"cpu": "0", "memory": "0.5"}, {"cpu": 0, "memory": 1}),
        (None, {}),
    ],
)
def test_figures_of_a_node_fit_an_int64(given_, expected):
    assert node_amounts(given_) == expected


@pytest.mark.parametrize(
    "pod",
    [
        {"spec": {"containers": [{"name": "c", "resources": None}], "initContainers": None, "resources": None}},
        {"spec": {"containers": [{"name": "c"}], "overhead": None}, "status": None},
        {"spec": {"containers": [{"name": "c"}]}, "status": {"conditions": None, "containerStatuses": None}},
        {"spec": {"containers": None}, "status": {"resources": None}},
    ],
)
def test_parts_that_are_null_count_like_missing_ones(pod):
    assert nonzero_only(pod_request(pod, running=True)) == {}
