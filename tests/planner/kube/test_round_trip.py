"""An exported plan, imported again, is the same as far as manifests can express it."""

import json
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.kube.exporter import export_plan
from planner.kube.importer import import_paths
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_from_text, plan_to_text
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.workloads import JobSettings, StatefulSettings, UpdateStrategy, WorkloadKind
from planner.units import US_PER_S, parse_duration_us
from tests.builders import a_node_group, a_plan, a_pod, a_workload
from tests.planner.kube.manifests import SAMPLES
from tests.properties.random_plans import random_plan

NAME_LABEL = "kubernetes.io/metadata.name"
IN_TIER = {"key": "tier", "operator": "In", "values": ["a", "b"]}
IS_NODE = {"key": "metadata.name", "operator": "NotIn", "values": ["node-1"]}


def again(plan: Plan) -> Plan:
    with tempfile.TemporaryDirectory() as folder:
        export_plan(plan, Path(folder))
        return import_paths([folder]).plan


def known(plan: Plan) -> dict:
    """What manifests say of a plan, in one spelling."""
    labels = {part.name: part.labels for part in plan.namespaces}
    places = [part.namespace for part in plan.workloads] + [part.namespace for part in plan.pod_disruption_budgets]
    used = {place: labels.get(place, {}) for place in places if place != "default"}
    return {
        "groups": [_group(group) for group in plan.node_groups if group.initial_size],
        "workloads": sorted((_workload(workload) for workload in plan.workloads), key=lambda part: part["name"]),
        "classes": [part.model_dump() for part in plan.priority_classes],
        "runtimes": [part.model_dump() for part in plan.runtime_classes],
        "budgets": [part.model_dump() for part in plan.pod_disruption_budgets],
        "scalers": [part.model_dump() for part in plan.horizontal_pod_autoscalers],
        "scheduler": plan.scheduler.model_dump(),
        "namespaces": {name: {**own, NAME_LABEL: name} for name, own in (labels | used).items()},
        "services": [part.model_dump() for part in plan.services if part.selector],
    }


def _group(group) -> dict:
    part = group.model_dump(
        include={
            "name", "min_size", "max_size", "initial_size", "cpu", "memory", "pods", "ephemeral_storage", "images",
            "extended", "reserved_cpu", "reserved_memory", "zone", "labels", "taints",
        }
    )  # fmt: skip
    return part | {"extended": {name: amount for name, amount in group.extended.items() if amount}}


def _workload(workload) -> dict:
    part = workload.model_dump(include={"name", "namespace", "kind", "pod", "update_strategy", "stateful"})
    pod, update = part["pod"], part["update_strategy"]
    for name in ("startup_delay", "readiness_delay", "termination_time"):
        del pod[name]
    for container in (*pod["containers"], *pod["init_containers"]):
        for name in ("cpu_use", "cpu_share", "memory_share"):
            del container[name]
    del part["stateful"]["claim_zones"]
    pod["scaling"]["local_volumes"] = sorted(set(pod["scaling"]["local_volumes"]))
    pod["termination_grace_period"] = _whole_seconds(pod["termination_grace_period"])
    for toleration in pod["tolerations"]:
        if toleration["toleration_seconds"] is not None:
            toleration["toleration_seconds"] = _whole_seconds(toleration["toleration_seconds"])
    pod["scheduling_gates"] = [gate["name"] for gate in pod["scheduling_gates"]]
    if pod["labels"].get("app") == workload.name:
        del pod["labels"]["app"]
    update["min_ready"] = _whole_seconds(update["min_ready"])
    if workload.kind is not WorkloadKind.STATEFUL_SET:
        del part["stateful"], pod["zonal_claim"]
    if workload.kind is not WorkloadKind.DEPLOYMENT or update["type"] == "Recreate":
        del update["max_surge"], update["max_unavailable"], update["type"]
    if workload.kind in (WorkloadKind.DAEMON_SET, WorkloadKind.JOB):
        del part["update_strategy"]
    return part | {"replicas": 0 if workload.kind is WorkloadKind.DAEMON_SET else workload.replicas}


def _whole_seconds(duration: str) -> int:
    return -(-parse_duration_us(duration) // US_PER_S)


def test_the_samples_come_back():
    plan = import_paths([str(SAMPLES)]).plan
    back = known(again(plan))
    expected = known(plan)
    for part in expected:
        assert back[part] == expected[part], part


@pytest.mark.parametrize(
    "workload",
    [
        a_workload(replicas=0),
        a_workload(kind=WorkloadKind.DAEMON_SET),
        a_workload(kind=WorkloadKind.STATEFUL_SET, stateful=StatefulSettings(on_delete=True)),
        a_workload(kind=WorkloadKind.STATEFUL_SET, stateful=StatefulSettings(partition=2, start_ordinal=5)),
        a_workload(update_strategy=UpdateStrategy(type="Recreate", min_ready="10s")),
        a_workload(update_strategy=UpdateStrategy(max_surge="10%", max_unavailable=0)),
        a_workload(pod=a_pod(labels={"app": "other", "tier": "back"})),
        a_workload(pod=a_pod(resources=Resources(cpu="1", memory="1Gi"))),
        a_workload(pod=a_pod(containers=(Container(), Container(name="b", limits=Resources(extended={"a/b": 2}))))),
        a_workload(namespace="shop"),
    ],
)
def test_a_workload_comes_back(workload):
    plan = a_plan(workloads=(workload,))
    assert known(again(plan)) == known(plan)


def test_a_job_comes_back():
    settings_of_job = JobSettings(completions=7, backoff_limit=2, active_deadline="90s")
    plan = a_plan(workloads=(a_workload(kind=WorkloadKind.JOB, replicas=3, job=settings_of_job),))
    [job] = again(plan).workloads
    assert (job.replicas, job.job) == (3, settings_of_job)


def test_pools_come_back_with_their_limits():
    groups = (
        a_node_group("web", min_size=1, max_size=9, initial_size=2, zone="a", labels={"disk": "ssd"}, pods=58),
        a_node_group("gpu", extended={"nvidia.com/gpu": 2}, reserved_cpu="100m", reserved_memory="1Gi"),
    )
    plan = a_plan(node_groups=groups)
    assert known(again(plan))["groups"] == known(plan)["groups"]


SELECTORS = st.sampled_from([{}, {"matchLabels": {"app": "a"}}, {"matchExpressions": [IN_TIER]}, None])
TERMS = st.lists(st.sampled_from([{"matchExpressions": [IN_TIER]}, {"matchFields": [IS_NODE]}, {}]), max_size=2)
AMOUNTS = st.fixed_dictionaries(
    {},
    optional={
        "cpu": st.integers(0, 5000).map(lambda milli: f"{milli}m"),
        "memory": st.integers(0, 2**40).map(str),
        "ephemeralStorage": st.integers(0, 2**30).map(str),
        "extended": st.dictionaries(st.sampled_from(["nvidia.com/gpu", "example.com/nic"]), st.integers(0, 9)),
    },
)


@st.composite
def pod_terms(draw):
    """An inter-pod affinity term."""
    term = {"topologyKey": draw(st.sampled_from(["zone", "kubernetes.io/hostname"]))}
    term["labelSelector"] = draw(SELECTORS)
    term["namespaceSelector"] = draw(SELECTORS)
    term["namespaces"] = draw(st.lists(st.sampled_from(["a", "b"]), unique=True))
    if term["labelSelector"] is not None:
        term["matchLabelKeys"] = draw(st.lists(st.sampled_from(["rev", "tier"]), unique=True))
    return term


TOLERATIONS = st.fixed_dictionaries(
    {"key": st.sampled_from(["spot", "gpu"]), "effect": st.sampled_from(["NoExecute", None])},
    optional={"value": st.sampled_from(["", "yes"]), "tolerationSeconds": st.integers(0, 900).map(lambda s: f"{s}s")},
)
WEIGHTED = st.builds(lambda weight, term: {"weight": weight, "podAffinityTerm": term}, st.integers(1, 100), pod_terms())
PREFERRED = st.builds(
    lambda weight, terms: {"weight": weight, "preference": [*terms, {}][0]}, st.integers(1, 100), TERMS
)
SPREADS = st.fixed_dictionaries(
    {
        "maxSkew": st.integers(1, 5),
        "topologyKey": st.just("zone"),
        "labelSelector": SELECTORS,
        "nodeTaintsPolicy": st.sampled_from(["Honor", "Ignore"]),
        "minDomains": st.integers(1, 3),
    }
)
PODS = st.fixed_dictionaries(
    {},
    optional={
        "labels": st.dictionaries(st.sampled_from(["app", "tier"]), st.sampled_from(["web", "x", ""])),
        "containers": st.lists(AMOUNTS, min_size=1, max_size=2).map(
            lambda all_of_it: [{"name": f"c{n}", "requests": amounts} for n, amounts in enumerate(all_of_it)]
        ),
        "initContainers": st.builds(lambda a, s: [{"name": "i", "limits": a, "sidecar": s}], AMOUNTS, st.booleans()),
        "nodeSelector": st.just({"disk": "ssd"}),
        "requiredNodeAffinity": TERMS,
        "preferredNodeAffinity": st.lists(PREFERRED, max_size=2),
        "requiredPodAffinity": st.lists(pod_terms(), max_size=2),
        "requiredPodAntiAffinity": st.lists(pod_terms(), max_size=2),
        "preferredPodAffinity": st.lists(WEIGHTED, max_size=2),
        "preferredPodAntiAffinity": st.lists(WEIGHTED, max_size=2),
        "topologySpreadConstraints": st.lists(SPREADS, max_size=1),
        "tolerations": st.lists(TOLERATIONS, max_size=2),
        "schedulingGates": st.just([{"name": "example.com/quota"}]),
        "schedulerName": st.just("other"),
        "terminationGracePeriod": st.integers(0, 90).map(lambda s: f"{s}s"),
        "scaling": st.just(
            {"safeToEvict": "false", "localVolumes": ["tmp"], "scaleUpDelay": "30s", "enableDsEviction": False}
        ),
    },
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PODS, st.sampled_from(WorkloadKind), st.integers(0, 50))
def test_any_pod_template_comes_back(pod, kind, replicas):
    if kind is WorkloadKind.STATIC_POD:
        return  # written once per node, tested below
    replicas = max(replicas, 1) if kind is WorkloadKind.POD else replicas
    workload = {"name": "web", "namespace": "shop", "kind": kind.value, "replicas": replicas, "pod": pod}
    plan = plan_from_text(json.dumps({"schemaVersion": 1, "workloads": [workload]}), "test")
    assert list(check_plan(plan)) == []
    assert known(again(plan)) == known(plan)


def test_bare_and_static_pods_come_back():
    plan = a_plan(
        node_groups=(a_node_group(initial_size=3), a_node_group("other", initial_size=1)),
        workloads=(
            a_workload("tool", kind="Pod", replicas=3, namespace="shop"),
            a_workload("step", kind="Pod", replicas=1, custom_controller="Workflow"),
            a_workload("proxy", kind="StaticPod", namespace="kube-system", node_groups=("other",)),
            a_workload("etcd", kind="StaticPod"),
        ),
    )
    back = {workload.name: workload for workload in again(plan).workloads}
    assert list(back) == ["tool", "step", "proxy", "etcd"]
    for workload in plan.workloads:
        for name in ("kind", "namespace", "custom_controller", "node_groups", "pod"):
            assert getattr(back[workload.name], name) == getattr(workload, name), (workload.name, name)
    assert (back["tool"].replicas, back["step"].replicas) == (3, 1)


def test_an_import_is_the_same_every_time():
    texts = {plan_to_text(import_paths([str(SAMPLES)]).plan) for _ in range(2)}
    assert len(texts) == 1


def test_pods_are_on_their_nodes_again_after_an_export():
    pool = a_node_group("general", initial_size=3)
    shop = a_workload("shop", replicas=5, starts_on={"general-0001": 2, "general-0003": 3})
    db = a_workload("db", namespace="office", kind=WorkloadKind.STATEFUL_SET, starts_on={"general-0002": 1})
    plan = a_plan(node_groups=(pool,), workloads=(shop, db))
    found = {workload.name: workload.starts_on for workload in again(plan).workloads}
    assert found == {"shop": shop.starts_on, "db": db.starts_on}
    once, twice = again(plan), again(again(plan))
    assert twice.model_copy(update={"name": once.name}) == once


@pytest.mark.parametrize("number", range(8))
def test_what_an_import_holds_comes_back_from_its_export(number):
    once = again(random_plan(number))
    assert again(once).model_copy(update={"name": once.name}) == once


@pytest.mark.parametrize("text", ["no json", "[1]", '{"general-0001": "many"}'])
def test_a_note_about_nodes_that_cannot_be_read_is_left_out(tmp_path, text):
    plan = a_plan(workloads=(a_workload("shop", starts_on={"pool-0001": 1}),))
    export_plan(plan, tmp_path)
    path = tmp_path / "deployments.yaml"
    manifest = yaml.safe_load(path.read_text())
    manifest["metadata"]["annotations"]["headroom.dev/starts-on"] = text
    path.write_text(yaml.safe_dump(manifest))
    result = import_paths([str(tmp_path)])
    assert result.plan.workloads[0].starts_on == {}
    assert any("starts-on" in str(loss) for loss in result.losses)
