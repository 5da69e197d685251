"""Planned ScaledObjects and ScaledJobs of KEDA (keda.sh/v1alpha1)."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.errors import problem_and_remedy
from planner.language.translation import tr
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import MAX_REPLICAS, HpaBehavior
from planner.plan.values.fields import INT32_MAX, DurationUs, MilliAmount, Misfit, Name, PlanModel, required, setting
from planner.plan.values.formula.formula import Formula
from planner.plan.values.zoned_cron import ZonedCron, parse_zoned_fields, zone_named
from planner.units import US_PER_DAY, US_PER_S


class ExternalTarget(StrEnum):
    """What the target of a trigger means."""

    AVERAGE_VALUE = "AverageValue"
    """The value per pod."""
    VALUE = "Value"


class _Trigger(PlanModel):
    name: str = setting("", "Name", "How formulas call the trigger.", max_length=63, pattern=r"^([A-Za-z_]\w*)?$")


class UseTrigger(_Trigger):
    """Use of CPU or memory; it never brings a workload up from zero."""

    type: Literal["cpu", "memory"]
    average_utilization: int | None = setting(
        None, "Average utilization", "Target average use, in percent of the requests.", unit="%", ge=1, le=INT32_MAX
    )
    average_value: MilliAmount | None = setting(
        None, "Average value", "Target amount of CPU or memory per pod, in place of the utilization."
    )
    container: str = setting("", "Container", "Container that is measured; empty means all.", max_length=63)

    @model_validator(mode="after")
    def _has_one_target(self) -> Self:
        if (self.average_utilization is None) == (self.average_value is None):
            problem = tr("a trigger on use needs either averageUtilization or averageValue")
            raise Misfit(("average_utilization",), problem, tr("write for example averageUtilization: 60"))
        return self


class SeriesTrigger(_Trigger):
    """A metric series of the plan: a query of Prometheus, the length of a queue, the lag of a topic."""

    type: Literal["series"]
    series: str = required("Series", "Name of a metric series of the plan.", min_length=1, max_length=200)
    target: MilliAmount = required("Target", "Value per pod that the workload is kept at.")
    activation: MilliAmount = setting(0, "Activation", "Only a value above brings the workload up from zero.")
    target_type: ExternalTarget = setting(
        ExternalTarget.AVERAGE_VALUE, "Target type", "AverageValue: per pod; Value: the value itself."
    )
    use_cached_metrics: bool = setting(
        False, "Cached", "The autoscaler gets the value of the last poll instead of a fresh one."
    )

    @model_validator(mode="after")
    def _target_above_zero(self) -> Self:
        if self.target == 0:
            raise Misfit(("target",), tr("a target of 0 has no meaning"), tr('write for example "5"'))
        return self


class CronTrigger(_Trigger):
    """A number of replicas from each start to the next end of a calendar."""

    type: Literal["cron"]
    timezone: str = setting("UTC", "Time zone", "Zone of the two lines, for example Europe/Berlin.", max_length=63)
    start: str = required("Start", "Cron line of the starts: minute hour day month weekday.", max_length=200)
    end: str = required("End", "Cron line of the ends.", max_length=200)
    desired_replicas: int = required("Replicas", "Fewest replicas in between.", unit="pods", ge=1, le=MAX_REPLICAS)

    @model_validator(mode="after")
    def _lines_are_cron(self) -> Self:
        _checked("timezone", zone_named, self.timezone)
        _checked("start", self._zoned, self.start)
        _checked("end", self._zoned, self.end)
        if self.start == self.end:
            raise Misfit(("end",), tr("start and end are the same"), tr("write a later end"))
        return self

    def _zoned(self, line: str) -> ZonedCron:
        return parse_zoned_fields(line, self.timezone)


Trigger = Annotated[UseTrigger | SeriesTrigger | CronTrigger, Field(discriminator="type")]


class FallbackSize(StrEnum):
    """Which size a failing trigger stands for."""

    STATIC = "static"
    CURRENT_REPLICAS = "currentReplicas"
    CURRENT_IF_HIGHER = "currentReplicasIfHigher"
    CURRENT_IF_LOWER = "currentReplicasIfLower"


class KedaFallback(PlanModel):
    """What the autoscaler is given of a trigger that keeps failing."""

    failure_threshold: int = required(
        "Failures", "After more failing queries of the autoscaler in a row.", ge=0, le=INT32_MAX
    )
    replicas: int = required("Replicas", "Size that the trigger then stands for.", unit="pods", ge=0, le=MAX_REPLICAS)
    behavior: FallbackSize = setting(
        FallbackSize.STATIC, "Behavior", "static: these replicas; otherwise compared with the present ones."
    )


class ScalingModifiers(PlanModel):
    """One value computed from all triggers, in place of their own."""

    formula: str = required(
        "Formula", "Of names of triggers, for example max([orders, mails]) / 2.", min_length=1, max_length=1_000
    )
    target: MilliAmount = required("Target", "Target of the computed value.")
    activation_target: MilliAmount = setting(0, "Activation", "Only a value above brings the workload up from zero.")
    target_type: ExternalTarget = setting(
        ExternalTarget.AVERAGE_VALUE, "Target type", "AverageValue: per pod; Value: the value itself."
    )


def formula_names(scaled: "ScaledObject") -> frozenset[str]:
    """What its formula may name: triggers with an external metric, which those on CPU and memory have not."""
    return frozenset(one.name for one in scaled.triggers if one.name and not isinstance(one, UseTrigger))


def wrong_bound(least: int | None, most: int, idle: int | None) -> str:
    """Which of the numbers of replicas does not fit the others; empty if all do. A given minimum counts as 1 at least.

    KEDA 2.18, apis/keda/v1alpha1/scaledobject_types.go, CheckReplicaCountBoundsAreValid.
    """
    counted = 0 if least is None else max(least, 1)
    if counted > most:
        return "min_replicas"
    return "idle_replicas" if idle is not None and idle >= counted else ""


class _Polled(PlanModel):
    name: Name = required("Name", "Name of the object.")
    namespace: Name = setting("default", "Namespace", "Namespace of the object and its workload.")
    polling_interval: DurationUs = setting(
        "30s", "Polling interval", "Time from one look at the triggers to the next.", unit="s",
        ge=US_PER_S, le=US_PER_DAY,
    )  # fmt: skip


class ScaledObject(_Polled):
    """Brings a workload up from zero and down to it by events; above one replica its HPA follows the triggers."""

    scale_target: Name = required("Workload", "Name of the workload it scales.")
    cooldown_period: DurationUs = setting(
        "5m",
        "Cool-down",
        "Time without activity until the workload goes to zero or idle.",
        unit="s",
        le=30 * US_PER_DAY,
    )
    initial_cooldown_period: DurationUs = setting(
        "0s", "Initial cool-down", "The same while it has never been active.", unit="s", le=30 * US_PER_DAY
    )
    min_replicas: int | None = setting(
        None, "Minimum", "Fewest replicas; empty means 0.", unit="pods", ge=0, le=MAX_REPLICAS
    )
    max_replicas: int = setting(100, "Maximum", "Most replicas.", unit="pods", ge=1, le=MAX_REPLICAS)
    idle_replicas: int | None = setting(
        None, "Idle", "Replicas without activity, below the minimum; empty means the minimum.", unit="pods",
        ge=0, le=MAX_REPLICAS,
    )  # fmt: skip
    triggers: tuple[Trigger, ...] = required("Triggers", "What it follows.", min_length=1, max_length=20)
    fallback: KedaFallback | None = setting(None, "Fallback", "For triggers that keep failing; empty means none.")
    scaling_modifiers: ScalingModifiers | None = setting(
        None, "Scaling modifiers", "A formula over the triggers; empty means that each counts by itself."
    )
    behavior: HpaBehavior | None = setting(None, "Behavior", "Rate limits and windows of its HPA.")
    paused: bool = setting(False, "Paused", "Neither polls nor an HPA: the workload keeps its size.")
    paused_replicas: int | None = setting(
        None, "Paused at", "Replicas at which it is paused; empty means not.", unit="pods", ge=0, le=MAX_REPLICAS
    )
    paused_scale_in: bool = setting(False, "Scale-in paused", "The workload never shrinks.")
    paused_scale_out: bool = setting(False, "Scale-out paused", "The workload never grows.")
    force_activation: bool = setting(False, "Forced active", "Active whatever the triggers say.")

    @model_validator(mode="after")
    def _bounds_fit(self) -> Self:
        wrong = wrong_bound(self.min_replicas, self.max_replicas, self.idle_replicas)
        if wrong == "min_replicas":
            problem = tr(
                "the minimum ({least}) is above the maximum ({most})",
                least=self.min_replicas,
                most=self.max_replicas,
            )
            raise Misfit((wrong,), problem, tr("lower it to {most} or raise maxReplicas", most=self.max_replicas))
        if self.scaling_modifiers is not None:
            try:
                Formula(self.scaling_modifiers.formula, formula_names(self))
            except ValueError as error:
                problem, remedy = problem_and_remedy(str(error))
                raise Misfit(("scaling_modifiers", "formula"), problem, remedy) from None
        if wrong == "idle_replicas":
            problem = tr("idle replicas ({count}) are not below the minimum", count=self.idle_replicas)
            raise Misfit((wrong,), problem, tr("remove them, or give a larger minReplicas"))
        return self


class ScaledJobStrategy(StrEnum):
    """How running jobs count against the queue."""

    DEFAULT = "default"
    CUSTOM = "custom"
    ACCURATE = "accurate"
    EAGER = "eager"


class TriggerCombination(StrEnum):
    """How the queues of several triggers count together."""

    MAX = "max"
    MIN = "min"
    AVG = "avg"
    SUM = "sum"


class ScaledJob(_Polled):
    """Makes jobs for a queue. Each pod of its workload, a Job, is one of them."""

    job_target: Name = required("Job", "Name of a workload of kind Job whose pods are the jobs.")
    min_replicas: int = setting(0, "Minimum", "Jobs that always run.", unit="jobs", ge=0, le=MAX_REPLICAS)
    max_replicas: int | None = setting(
        None, "Maximum", "Most jobs at once; empty: 100 beyond the minimum.", unit="jobs", ge=1, le=MAX_REPLICAS
    )
    triggers: tuple[SeriesTrigger, ...] = required("Triggers", "The queues.", min_length=1, max_length=20)
    strategy: ScaledJobStrategy = setting(
        ScaledJobStrategy.DEFAULT,
        "Strategy",
        "default: messages leave the queue when their job ends; accurate: when it begins; eager: as many as allowed.",
    )
    combination: TriggerCombination = setting(
        TriggerCombination.MAX, "Combination", "How the queues of several triggers count together."
    )
    queue_length_deduction: int = setting(
        0, "Deduction", "For the custom strategy: messages that are left out.", ge=0, le=INT32_MAX
    )
    running_job_percentage: float | None = setting(
        None, "Share of running jobs", "For the custom strategy: share of running jobs that is left out.", ge=0, le=100
    )
    successful_jobs_history_limit: int = setting(
        100, "Completed Jobs kept", "So many Jobs that completed stay listed.", unit="jobs", ge=0, le=INT32_MAX
    )
    paused: bool = setting(False, "Paused", "The queues are not polled: no more jobs are made, those that run go on.")

    @property
    def most_jobs(self) -> int:
        """The maximum, or the one that stands for an empty one (KEDA 2.18, scaledjob_types.go, MaxReplicaCount)."""
        return self.min_replicas + 100 if self.max_replicas is None else self.max_replicas


def _checked(field: str, read: Callable[[str], object], text: str) -> None:
    """Raises Misfit with the problem of a text."""
    try:
        read(text)
    except ValueError as error:
        problem, remedy = problem_and_remedy(str(error))
        raise Misfit((field,), problem, remedy) from None
