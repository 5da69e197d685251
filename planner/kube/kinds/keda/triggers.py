"""Triggers of ScaledObjects and ScaledJobs.

CPU, memory and calendars are the same in a plan. Of all others a plan keeps the target and the activation; a metric
series stands in for the values. KEDA 2.18, pkg/scalers: the names of both in the metadata, and the targets of scalers
that have a default.
"""

from collections.abc import Mapping
from types import MappingProxyType

from planner.kube.autoscalers.quantities import canonical_quantity
from planner.kube.draft.draft import Draft, Part, SeriesPart, given
from planner.kube.files.field import Field
from planner.language.translation import tr
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.plan.model.autoscalers.scaled_object import CronTrigger, ExternalTarget, Trigger, UseTrigger

_USE = ("cpu", "memory")
_TARGETS = (
    "lagThreshold", "queueLength", "messageCount", "listLength", "threshold", "thresholdValue", "value", "queryValue",
    "targetQueryValue", "targetValue", "targetMetricValue", "targetQueueSize", "queueDepth", "msgBacklogThreshold",
    "subscriptionSize", "pendingEntriesCount", "streamLength", "lagCount", "unprocessedEventThreshold", "shardCount",
    "targetPipelinesQueueLength", "targetWorkflowQueueLength", "messageCountTarget",
)  # fmt: skip
"""Where the metadata of scalers hold the target."""
_DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "kafka": "10", "apache-kafka": "10", "rabbitmq": "20", "aws-sqs-queue": "5", "azure-queue": "5",
        "azure-servicebus": "5", "azure-eventhub": "64", "gcp-pubsub": "10", "redis": "5", "redis-cluster": "5",
        "redis-sentinel": "5", "aws-kinesis-stream": "2", "activemq": "10", "artemis-queue": "10", "ibmmq": "20",
        "pulsar": "10", "azure-pipelines": "1", "github-runner": "1",
    }
)  # fmt: skip
_NAMES = (
    "topic", "queueName", "queueURL", "subscriptionName", "listName", "stream", "streamName", "eventHubName",
    "destinationName", "consumer", "metricName", "topicName", "queueNames", "query",
)  # fmt: skip
"""Where the metadata say what is measured; the first that is given names the series."""
_ALSO_ACTIVATION = ("activationValue", "activationLagCount")
_SERVER = "http://prometheus-server.monitoring"
"""Stands in for the address of the user's Prometheus, which a plan does not know."""


def read_triggers(items: list[Field], kind: str, draft: Draft) -> tuple[list[Part], list[SeriesPart]]:
    """Triggers in the words of the plan, those on series without its name, which is chosen when all are known."""
    found: list[Part] = []
    series: list[SeriesPart] = []
    for item in items:
        scaler, metadata = item.at("type").required_text(), item.at("metadata")
        item.at("authenticationRef").raw()
        if scaler in _USE:
            trigger: Part | None = _use_trigger(scaler, item, metadata)
        elif scaler == "cron":
            trigger = _cron_trigger(metadata)
        else:
            trigger = _series_trigger(scaler, item, len(found), series)
        metadata.raw()
        if trigger is None:
            draft.losses.add(
                kind, f"spec.triggers[] {scaler[:40]}", tr("its metadata have no target that is known here")
            )
        else:
            found.append({"type": "series", **trigger} | given(name=item.at("name").text() or None))
    return found, series


def _use_trigger(resource: str, item: Field, metadata: Field) -> Part:
    kind = item.at("metricType").text() or metadata.at("type").text()
    value, is_share = metadata.at("value"), kind != TargetType.AVERAGE_VALUE
    return given(
        type=resource,
        average_utilization=_whole(value) if is_share else None,
        average_value=None if is_share else value.cpu(),
        container=metadata.at("containerName").text() or None,
    )


def _cron_trigger(metadata: Field) -> Part:
    return given(
        type="cron",
        timezone=metadata.at("timezone").text(),
        start=metadata.at("start").required_text(),
        end=metadata.at("end").required_text(),
        desired_replicas=_whole(metadata.at("desiredReplicas")),
    )


def _series_trigger(scaler: str, item: Field, at: int, series: list[SeriesPart]) -> Part | None:
    """None: nothing says what the target is."""
    metadata = item.at("metadata")
    key = next((name for name in _TARGETS if metadata.at(name).is_given), "")
    target = metadata.at(key).cpu() if key else _DEFAULTS.get(scaler)
    if target is None:
        return None
    activations = (f"activation{key[:1].upper()}{key[1:]}", *_ALSO_ACTIVATION) if key else _ALSO_ACTIVATION
    activation = next((metadata.at(name).cpu() for name in activations if metadata.at(name).is_given), None)
    name = next((str(metadata.at(name).value) for name in _NAMES if metadata.at(name).is_given), scaler)
    kind = item.at("metricType").choice(ExternalTarget) or ExternalTarget.AVERAGE_VALUE.value
    series.append(SeriesPart(at, name, MetricSource.EXTERNAL, TargetType(kind), target))
    return given(
        target=target,
        activation=activation if activation != "0" else None,
        target_type=None if kind == ExternalTarget.AVERAGE_VALUE else kind,
        use_cached_metrics=item.at("useCachedMetrics").flag() or None,
    )


def _whole(field: Field) -> int | None:
    """A whole number, which the metadata of triggers hold as text."""
    if not isinstance(field.value, str):
        return field.whole()
    if not field.value.strip().lstrip("-").isdecimal():
        raise field.problem(
            tr('"{value}" is not a whole number.', value=field.value[:40]), tr('Write for example "60".')
        )
    return int(field.value)


def trigger_manifest(trigger: Trigger, with_kind: bool = True) -> Part:
    """A trigger of the plan; one on a series becomes a query of Prometheus. ScaledJobs have no metricType."""
    if isinstance(trigger, UseTrigger):
        share = trigger.average_utilization
        kind = TargetType.AVERAGE_VALUE if share is None else TargetType.UTILIZATION
        value = canonical_quantity(trigger.average_value or 0) if share is None else str(share)
        metadata = given(value=value, container_name=trigger.container or None)
        return given(type=trigger.type, name=trigger.name or None, metric_type=kind.value, metadata=metadata)
    if isinstance(trigger, CronTrigger):
        metadata = given(
            timezone=trigger.timezone,
            start=trigger.start,
            end=trigger.end,
            desired_replicas=str(trigger.desired_replicas),
        )
        return given(type="cron", name=trigger.name or None, metadata=metadata)
    metadata = given(
        server_address=_SERVER,
        query=trigger.series,
        threshold=_decimal(trigger.target),
        activation_threshold=_decimal(trigger.activation) if trigger.activation else None,
    )
    return given(
        type="prometheus",
        name=trigger.name or None,
        metric_type=trigger.target_type.value if with_kind else None,
        use_cached_metrics=trigger.use_cached_metrics or None,
        metadata=metadata,
    )


def _decimal(milli: int) -> str:
    """KEDA reads numbers of metadata as decimals, not as quantities."""
    whole, rest = divmod(milli, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".") if rest else str(whole)
