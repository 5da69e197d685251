"""What is known of a template holds until another one says something about it."""

import pytest

from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, Toleration, WeightedPodAffinityTerm
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.template_rules import RulesOfTemplates
from planner.state.nodes import NONE
from planner.state.specs import HOSTNAME_LABEL
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template

TERM = PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=LabelSelector(match_labels={"app": "web"}))
SPEAKING = [
    {"required_affinity": (TERM,)},
    {"required_anti_affinity": (TERM,)},
    {"preferred_affinity": (WeightedPodAffinityTerm(weight=1, pod_affinity_term=TERM),)},
    {"preferred_anti_affinity": (WeightedPodAffinityTerm(weight=1, pod_affinity_term=TERM),)},
]


@pytest.mark.parametrize("rules", SPEAKING)
def test_templates_that_want_others_near_or_far_may_change_what_is_known_of_them(rules):
    cluster = a_cluster()
    a_template(cluster)
    known = RulesOfTemplates(cluster)
    before = known.version()
    a_template(cluster, "api", cpu=10, node_selector={"disk": "fast"})
    assert known.version() == before
    a_template(cluster, "near", **rules)
    assert known.version() > before


def test_so_do_templates_of_nodes_which_may_have_images():
    cluster = a_cluster()
    known = RulesOfTemplates(cluster)
    before = known.version()
    a_group(cluster)
    assert known.version() > before


def test_nodes_answer_templates_alike_that_differ_in_size_and_labels_only():
    cluster = a_cluster()
    known = RulesOfTemplates(cluster)
    sizes = [a_template(cluster, name, cpu=cpu) for name, cpu in (("web", 100), ("api", 700))]
    assert len({known.of_nodes(spec) for spec in sizes}) == 1
    others = [
        a_template(cluster, "fast", node_selector={"disk": "fast"}),
        a_template(cluster, "gpu", tolerations=(Toleration(key="gpu", operator="Exists"),)),
        a_template(cluster, "zonal", volume_zone="a"),
    ]
    assert len({known.of_nodes(spec) for spec in (sizes[0], *others)}) == 4


def test_pods_of_a_later_template_keep_those_of_an_earlier_one_away():
    cluster = a_cluster()
    node = a_node(cluster, a_group(cluster))
    web = a_template(cluster)
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    assert cycle.decide(a_pod(cluster, web)).node == node
    cluster.bind(a_pod(cluster, a_template(cluster, "lonely", required_anti_affinity=(TERM,))), node)
    assert cycle.decide(a_pod(cluster, web)).node == NONE
