"""ScaledObjects and ScaledJobs out and in again, and those of real clusters."""

import pytest

from planner.kube.exporter import export_plan, not_exported
from planner.kube.importer import import_paths
from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaBehavior, ScalingRules
from planner.plan.model.autoscalers.metric_series import MetricSeries, ProfileValue
from planner.plan.model.autoscalers.scaled_object import (
    CronTrigger,
    KedaFallback,
    ScaledJob,
    ScaledObject,
    ScalingModifiers,
    SeriesTrigger,
    UseTrigger,
)
from planner.plan.model.traffic import ConstantLoad
from tests.builders import a_plan, a_workload
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of

MAILS = SeriesTrigger(type="series", name="mails", series="mails", target="2500m", activation="3")
ORDERS = SeriesTrigger(type="series", name="orders", series="orders", target="7", target_type="Value")
OFFICE = CronTrigger(
    type="cron", timezone="Europe/Berlin", start="0 8 * * 1-5", end="0 18 * * 1-5", desired_replicas=4, name="office"
)
MEMORY = UseTrigger(type="memory", average_value="300Mi", container="main", name="memory")
FULL = ScaledObject(
    name="web",
    scale_target="web",
    polling_interval="10s",
    cooldown_period="2m",
    initial_cooldown_period="1m",
    min_replicas=2,
    max_replicas=30,
    idle_replicas=0,
    triggers=(UseTrigger(type="cpu", average_utilization=60, name="cpu"), MEMORY, OFFICE, MAILS, ORDERS),
    fallback=KedaFallback(failure_threshold=3, replicas=6, behavior="currentReplicasIfHigher"),
    scaling_modifiers=ScalingModifiers(formula="max([mails, orders])", target="5", activation_target="1500m"),
    behavior=HpaBehavior(scale_down=ScalingRules(stabilization_window="1m")),
    paused_scale_in=True,
)
JOBS = ScaledJob(
    name="mailer",
    job_target="mailer",
    min_replicas=1,
    max_replicas=12,
    triggers=(SeriesTrigger(type="series", series="mails", target="1"),),
    strategy="custom",
    combination="sum",
    queue_length_deduction=2,
    running_job_percentage=0.5,
    successful_jobs_history_limit=7,
    paused=True,
)


def values(name: str) -> MetricSeries:
    return MetricSeries(name=name, source=ProfileValue(type="profile", profile=ConstantLoad(type="constant", rate=4)))


@pytest.mark.parametrize("one", [
    pytest.param(FULL, id="all settings"),
    pytest.param(ScaledObject(name="web", scale_target="web", triggers=(MAILS,)), id="defaults"),
    pytest.param(ScaledObject(name="web", scale_target="web", triggers=(OFFICE,), paused_replicas=3), id="paused at"),
    pytest.param(ScaledObject(name="web", scale_target="web", triggers=(OFFICE,), paused=True), id="paused"),
])  # fmt: skip
def test_a_scaled_object_comes_back(one, tmp_path):
    export_plan(a_plan(scaled_objects=(one,), metric_series=(values("mails"), values("orders"))), tmp_path)
    assert import_paths([str(tmp_path)]).plan.scaled_objects == (one,)


def test_a_scaled_job_comes_back_with_its_job(tmp_path):
    mailer = a_workload("mailer", kind="Job", replicas=1)
    plan = a_plan(workloads=(mailer,), scaled_jobs=(JOBS,), metric_series=(values("mails"),))
    export_plan(plan, tmp_path)
    assert not (tmp_path / "jobs.yaml").exists()
    found = import_paths([str(tmp_path)]).plan
    assert found.scaled_jobs == (JOBS,)
    assert [(one.name, one.kind) for one in found.workloads] == [("mailer", "Job")]
    assert list(check_plan(found)) == []


def test_what_an_export_cannot_know_of_a_trigger_is_said():
    plan = a_plan(scaled_objects=(FULL,), metric_series=(values("mails"), values("orders")))
    assert any("queries of Prometheus" in remark for remark in not_exported(plan).remarks)


def scaled(*triggers, annotations=None, **spec):
    """A ScaledObject as people write them."""
    about = {"name": "web", "annotations": annotations or {}}
    spec = {"scaleTargetRef": {"name": "web"}, "triggers": list(triggers)} | spec
    return {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": about, "spec": spec}


def imported_trigger(scaler, metadata, **fields):
    found = imported_objects(a_node("n1"), a_deployment(), scaled({"type": scaler, "metadata": metadata} | fields))
    [one] = found.plan.scaled_objects
    return one.triggers[0]


@pytest.mark.parametrize(("scaler", "metadata", "series", "target", "activation"), [
    ("kafka", {"topic": "orders", "lagThreshold": "50", "activationLagThreshold": "5"}, "orders", 50_000, 5_000),
    ("kafka", {"topic": "orders"}, "orders", 10_000, 0),
    ("rabbitmq", {"queueName": "mails", "mode": "QueueLength", "value": "8", "activationValue": "2"}, "mails",
     8_000, 2_000),
    ("rabbitmq", {"queueName": "mails", "queueLength": "9", "activationValue": "2"}, "mails", 9_000, 2_000),
    ("aws-sqs-queue", {"queueURL": "https://sqs.eu/1/mails", "queueLength": "3"}, "https://sqs.eu/1/mails", 3_000, 0),
    ("aws-sqs-queue", {"queueURL": "https://sqs.eu/1/mails"}, "https://sqs.eu/1/mails", 5_000, 0),
    ("prometheus", {"query": "sum(x)", "threshold": "0.5", "activationThreshold": "0.25"}, "sum_x_", 500, 250),
    ("redis", {"listName": "todo", "listLength": "4", "activationListLength": "1"}, "todo", 4_000, 1_000),
])  # fmt: skip
def test_a_trigger_keeps_target_and_activation_and_gets_a_series(scaler, metadata, series, target, activation):
    found = imported_trigger(scaler, metadata)
    assert (found.series, found.target, found.activation) == (series, target, activation)


def test_use_triggers_hold_their_numbers_as_text():
    found = imported_trigger("cpu", {"value": "65"}, metricType="Utilization")
    assert (found.type, found.average_utilization) == ("cpu", 65)
    older = imported_trigger("memory", {"type": "AverageValue", "value": "200Mi"})
    assert (older.type, older.average_value) == ("memory", (200 << 20) * 1000)


@pytest.mark.parametrize(("annotations", "paused", "replicas"), [
    ({"paused": "true"}, True, None),
    ({"paused": "oh yes"}, True, None),
    ({"paused": "F"}, False, None),
    ({"paused-replicas": "4"}, False, 4),
    ({"paused-replicas": "many"}, True, None),
])  # fmt: skip
def test_annotations_pause_it(annotations, paused, replicas):
    named = {f"autoscaling.keda.sh/{name}": text for name, text in annotations.items()}
    queue = {"type": "kafka", "metadata": {"topic": "orders"}}
    [one] = imported_objects(a_node("n1"), a_deployment(), scaled(queue, annotations=named)).plan.scaled_objects
    assert (one.paused, one.paused_replicas) == (paused, replicas)


def test_the_autoscaler_that_keda_made_is_not_imported_a_second_time():
    owner = {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "web", "controller": True}
    goal = {"type": "AverageValue", "averageValue": "10"}
    hpa = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "keda-hpa-web", "ownerReferences": [owner]},
        "spec": {
            "scaleTargetRef": {"kind": "Deployment", "name": "web"},
            "maxReplicas": 9,
            "metrics": [{"type": "External", "external": {"metric": {"name": "s0-kafka"}, "target": goal}}],
        },
    }
    queue = {"type": "kafka", "metadata": {"topic": "orders"}}
    found = imported_objects(a_node("n1"), a_deployment(), scaled(queue), hpa).plan
    assert (len(found.scaled_objects), found.horizontal_pod_autoscalers) == (1, ())
    assert [one.name for one in found.metric_series] == ["orders"]
    assert len(imported_objects(a_node("n1"), a_deployment(), hpa).plan.horizontal_pod_autoscalers) == 1


@pytest.mark.parametrize(("trigger", "place"), [
    ({"type": "external", "metadata": {"scalerAddress": "x:1"}}, "spec.triggers[] external"),
    ({"type": "mystery", "metadata": {}}, "spec.triggers[] mystery"),
])  # fmt: skip
def test_a_trigger_without_a_known_target_is_left_out_with_its_object(trigger, place):
    found = imported_objects(a_node("n1"), a_deployment(), scaled(trigger))
    assert found.plan.scaled_objects == ()
    assert {("ScaledObject", place), ("ScaledObject", "")} <= set(losses_of(found))


def test_jobs_that_a_scaled_job_made_belong_to_it():
    template = {"spec": {"containers": [{"name": "main"}], "restartPolicy": "Never"}}
    maker = {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledJob",
        "metadata": {"name": "mailer"},
        "spec": {
            "jobTargetRef": {"template": template},
            "triggers": [{"type": "kafka", "metadata": {"topic": "orders"}}],
        },
    }
    owner = {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledJob", "name": "mailer", "controller": True}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "mailer-x1", "ownerReferences": [owner]},
        "spec": {"template": template},
    }
    found = imported_objects(a_node("n1"), maker, job)
    assert [one.name for one in found.plan.workloads] == ["mailer"]
    assert ("Job", "") in losses_of(found)
