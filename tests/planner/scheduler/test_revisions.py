"""A rollout makes a new pod-template-hash: spreading per revision counts the new pods alone."""

import numpy as np
import pytest

from planner.plan.model.pods.placement import LabelSelector, TopologySpreadConstraint
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.profile import SchedulerProfile
from planner.state.specs import POD_TEMPLATE_HASH, ZONE_LABEL
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template


def three_zones():
    cluster = a_cluster()
    return cluster, [a_node(cluster, a_group(cluster, zone, zone=zone)) for zone in "abc"]


def template_of(cluster, pod):
    return cluster.pod_specs[cluster.pods.spec[pod]]


def test_pods_of_a_new_revision_get_a_template_with_another_hash():
    cluster, _ = three_zones()
    web = a_template(cluster, labels_extra={POD_TEMPLATE_HASH: "first"})
    old = a_pod(cluster, web)
    cluster.set_revision(web.workload, 1)
    new, again = a_pod(cluster, web), a_pod(cluster, web)
    assert template_of(cluster, old) is web
    assert template_of(cluster, new) is template_of(cluster, again) is not web
    assert template_of(cluster, new).labels == {
        "app": "web",
        POD_TEMPLATE_HASH: cluster.pod_specs[1].labels[POD_TEMPLATE_HASH],
    }
    assert template_of(cluster, new).labels[POD_TEMPLATE_HASH] != "first"


def test_pods_without_hash_keep_their_template():
    cluster, _ = three_zones()
    agent = a_template(cluster)
    cluster.set_revision(agent.workload, 1)
    assert template_of(cluster, a_pod(cluster, agent)) is agent


@pytest.mark.parametrize(("keys", "feasible"), [((), [1, 2]), ((POD_TEMPLATE_HASH,), [0, 1, 2])])
def test_match_label_keys_spread_each_revision_by_itself(keys, feasible):
    cluster, nodes = three_zones()
    constraint = TopologySpreadConstraint(
        max_skew=1,
        topology_key=ZONE_LABEL,
        label_selector=LabelSelector(match_labels={"app": "web"}),
        match_label_keys=keys,
    )
    web = a_template(cluster, labels_extra={POD_TEMPLATE_HASH: "first"}, spread_constraints=(constraint,))
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    cluster.bind(a_pod(cluster, web), nodes[0])
    cluster.set_revision(web.workload, 1)
    pod = a_pod(cluster, web)
    mask = cycle.feasible(pod, template_of(cluster, pod))
    assert [node for node in nodes if mask[node]] == feasible


def test_the_default_constraints_count_the_own_revision_only():
    cluster, nodes = three_zones()
    web = a_template(cluster, cpu=0, memory=0, labels_extra={POD_TEMPLATE_HASH: "first"})
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    for _ in range(4):
        cluster.bind(a_pod(cluster, web), nodes[0])
    cluster.set_revision(web.workload, 1)
    new = template_of(cluster, a_pod(cluster, web))
    spread = next(plugin for plugin in cycle.plugins.scores if plugin.name == "PodTopologySpread")
    rows = np.array(nodes)
    assert spread.score(new, rows).tolist() == [100, 100, 100]
    assert spread.score(web, rows).tolist() == [31, 100, 100]
