"""What the containers of a pod make of its CPU."""

import pytest

from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.simulation.compile.containers import constant_cpu_milli, container_specs, cpu_limit_milli


def a_container(name, limit=None, **fields):
    return Container(name=name, limits=Resources(cpu=limit), **fields)


@pytest.mark.parametrize(
    ("containers", "limit"),
    [
        pytest.param([a_container("a", "1")], 1000, id="one"),
        pytest.param([a_container("a", "1"), a_container("b", "500m")], 1500, id="parts unknown: the sum"),
        pytest.param([a_container("a", "1"), a_container("b")], -1, id="parts unknown, one without limit"),
        pytest.param([a_container("a", "1"), a_container("b", cpu_use="50m")], 1050, id="the first one binds"),
        pytest.param([a_container("a"), a_container("b", "100m", cpu_share=25)], 400, id="the helper binds"),
        pytest.param([a_container("a"), a_container("b", "100m", cpu_use="50m")], -1, id="constant use is no limit"),
    ],
)
def test_the_container_that_is_full_first_limits_the_pod(containers, limit):
    assert cpu_limit_milli(PodTemplate(containers=containers)) == limit


def test_the_first_container_has_what_the_others_leave():
    pod = PodTemplate(containers=[a_container("a"), a_container("b", cpu_share=25, memory_share=10, cpu_use="20m")])
    first, second = container_specs(pod)
    assert (first.cpu_share, first.memory_share) == (0.75, 0.9)
    assert (second.cpu_share, second.cpu_use_milli, constant_cpu_milli(pod)) == (0.25, 20, 20)
