"""Decisions about replicas as sentences, and their computation step by step."""

from collections.abc import Iterator
from types import MappingProxyType

from planner.record.decisions import Decision, Verdict
from planner.record.details.replicas import (
    Evaluation,
    EventScaling,
    JobsMade,
    MetricAnswer,
    ProportionalSize,
    Range,
    ReplicaCalculation,
    ReplicaDetails,
)
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import counted, join, mebibytes, number_text
from planner.units import MIB, format_bytes, format_milli

_LIMITS = MappingProxyType(
    {
        "ScaleUpStabilized": "the scale-up stabilization window",
        "ScaleDownStabilized": "the scale-down stabilization window",
        "ScaleUpLimit": "the scale-up rate",
        "ScaleDownLimit": "the scale-down rate",
        "ScaleUpDisabled": "selectPolicy Disabled: scaling up is switched off",
        "ScaleDownDisabled": "selectPolicy Disabled: scaling down is switched off",
        "TooManyReplicas": "maxReplicas",
        "TooFewReplicas": "minReplicas",
    }
)
_FAILURES = MappingProxyType(
    {
        "MetricsAPIError": "the metrics API is not responding",
        "NoMetricsReturned": "no metrics returned from resource metrics API",
        "ContainerNotInMetrics": "a pod has no container of that name",
        "NoPods": "no pods match",
        "NoUsableMetrics": "no pod has a usable sample",
        "MissingRequest": "missing request of a container",
        "MissingPodLevelRequest": "missing request of the pod",
        "ContainerNotInPod": "a pod has no container of that name",
        "ZeroRequests": "the requests add up to 0",
    }
)


def sentence(decision: Decision, details: ReplicaDetails) -> str:
    """Why the number of replicas is what it is."""
    if isinstance(details, ProportionalSize):
        text = f"New size: {details.desired} (was {details.current}); {details.autoscaler} counts"
        return f"{text} {details.nodes} nodes with {details.cores} cores, {details.mode} mode"
    if isinstance(details, EventScaling | JobsMade):
        return _by_events(decision, details)
    if decision.verdict is Verdict.NO_METRICS:
        text = _no_metrics(details)
    else:
        text = _scaled(details) if decision.verdict is Verdict.SCALED else _kept(details)
    return text if details.hpa == decision.subject else f"{text} (hpa {details.hpa})"


def tables(details: ReplicaDetails) -> tuple[Grid, ...]:
    """The evaluation step by step, and the conditions it leaves behind."""
    if isinstance(details, ProportionalSize):
        steps: tuple[Step, ...] = (
            ("Autoscaler", details.autoscaler),
            ("Nodes", number_text(details.nodes)),
            ("Cores", number_text(details.cores)),
            ("Mode", details.mode),
            _size(details.current, details.desired),
        )
        return (steps_grid("Cluster proportional autoscaler", steps, _SIZE),)
    if isinstance(details, EventScaling | JobsMade):
        rows = tuple((one.trigger, _reading(one.value), number_text(one.activation)) for one in details.readings)
        return (Grid("Triggers", ("Trigger", "Value", "Active above"), rows),)
    conditions = tuple((one.type, str(one.status), one.reason) for one in details.conditions)
    return (
        steps_grid("Horizontal pod autoscaler", hpa_steps(details), _SIZE),
        Grid("Conditions", ("Condition", "Status", "Reason"), conditions),
    )


def _by_events(decision: Decision, details: EventScaling | JobsMade) -> str:
    """A poll of KEDA."""
    values = ", ".join(f"{one.trigger} {_reading(one.value)}" for one in details.readings)
    if isinstance(details, JobsMade):
        return f"{counted(details.created, 'job')} made, {details.running} running; {values} ({details.scaled_job})"
    if details.current != details.desired:
        text = f"New size: {details.desired} (was {details.current}); {details.condition}"
    else:
        text = f"{str(decision.verdict).capitalize()}: {details.condition}"
    return f"{text}; {values} ({details.scaled_object})" if values else f"{text} ({details.scaled_object})"


def _reading(value: float | None) -> str:
    return "failed" if value is None else number_text(value)


# -- step by step -----------------------------------------------------------------------------

_SIZE = "Size"


def hpa_steps(details: Evaluation) -> tuple[Step, ...]:
    """The computation of one evaluation: samples, use, ratio, tolerance, windows, limits, size."""
    return tuple(_steps(details))


def _steps(details: Evaluation) -> Iterator[Step]:
    if details.answers:
        yield "Metrics", f"{_answers(details.answers)}; the largest proposal counts"
    if details.metric:
        yield "Metric", _named(details.metric)
    if details.calculation is not None:
        yield from _calculation_steps(details.calculation)
    if details.stabilized is not None:
        yield "Window", f"{details.stabilized} by {_limit(details.held)}"
    if details.limited:
        yield "Limit", f"{details.desired} by {_limit(details.limited)}"
    if details.reason:
        yield "Reason", _FAILURES.get(details.reason, _named(details.reason))
    yield _size(details.current, details.desired)


def _calculation_steps(made: ReplicaCalculation) -> Iterator[Step]:
    if made.ready is not None:
        groups = ((made.unready, "not ready or still starting"), (made.missing, "without sample"))
        left_out = ", ".join(f"{count} {text}" for count, text in groups if count)
        yield "Samples", f"{counted(made.ready, 'pod')} counted" + (f"; set aside: {left_out}" if left_out else "")
    if made.utilization_pct is not None:
        yield "Use", f"{made.utilization_pct} % of the requests against {made.target} %"
    else:
        yield "Use", _use(made)
    ratio = number_text(made.ratio)
    if made.first_ratio is not None:
        yield "Ratio", f"{number_text(made.first_ratio)}; {ratio} once the pods set aside are counted"
    else:
        yield "Ratio", ratio
    # The rule compares with 1 + tolerance and 1 - tolerance; so does this.
    inside = 1.0 - made.tolerance <= made.ratio <= 1.0 + made.tolerance
    yield "Tolerance", f"{number_text(made.tolerance)}: {'within, no change' if inside else 'exceeded'}"
    yield "Raw proposal", counted(made.replicas, "replica")


def _answers(answers: tuple[MetricAnswer, ...]) -> str:
    return ", ".join(f"{_named(one.metric)}: {_answer(one)}" for one in answers)


def _answer(answer: MetricAnswer) -> str:
    return _FAILURES.get(answer.error, answer.error) if answer.replicas is None else str(answer.replicas)


def _named(text: str) -> str:
    """A metric, or a reason with one, without the selector that events of Kubernetes print and no metric here has."""
    return text.replace("(nil)", "")


def _size(current: int, desired: int) -> Step:
    return _SIZE, f"{current} to {desired}"


# -- sentences --------------------------------------------------------------------------------


def _scaled(details: Evaluation) -> str:
    figures = _figures(details)
    cause = f"reason: {_named(details.reason)}" + (f": {figures}" if figures else "") if details.reason else figures
    return join(f"New size: {details.desired} (was {details.current})", cause, _limits(details))


def _kept(details: Evaluation) -> str:
    text = f"Size kept at {details.current}"
    if any(one.reason == "ScalingDisabled" for one in details.conditions):
        text += " (ScalingDisabled: the autoscaler is off at 0 replicas)"
    figures = ": ".join(part for part in (_named(details.metric), _figures(details)) if part)
    return join(text, figures, _limits(details))


def _no_metrics(details: Evaluation) -> str:
    why = _FAILURES.get(details.reason, details.reason)
    return join(f"failed to get {_named(details.metric) or 'cpu utilization'}: {why}", f"size stays {details.desired}")


def _figures(details: Evaluation) -> str:
    """Use, ratio and raw proposal."""
    made = details.calculation
    if made is None:
        return ""
    if made.value_milli is None:
        return f"{_use(made)}, raw proposal {made.replicas}{_range(details.proposals)}"
    ratio = f"ratio {_ratio(made)}{_range(details.ratios)}"
    return f"{_use(made)}, {ratio}, raw proposal {made.replicas}{_range(details.proposals)}"


def _ratio(made: ReplicaCalculation) -> str:
    """Use by target, and what becomes of it when the pods that were set aside are counted."""
    if made.first_ratio is None:
        return number_text(made.ratio)
    text = f"{number_text(made.first_ratio)}, {number_text(made.ratio)} once pods that are not ready or have no sample"
    return f"{text} are counted"


def _range(values: Range | None) -> str:
    """Lowest and highest value of a figure over the repeats, where it moved."""
    return "" if values is None else f" ({number_text(values[0])} to {number_text(values[1])} over the repeats)"


def _use(made: ReplicaCalculation) -> str:
    """What was measured against the target."""
    if made.utilization_pct is None:
        each = "" if made.is_total else " a pod"
        if made.value_milli is None:
            return f"no pods yet against {_amount(made.target, made)}{each}"
        return f"{_amount(made.value_milli, made)}{each} against {_amount(made.target, made)}{each}"
    value = "" if made.value_milli is None else f" ({_amount(made.value_milli, made)} a pod)"
    return f"{made.utilization_pct} %{value} against {made.target} %"


def _amount(milli: int, made: ReplicaCalculation) -> str:
    """As Kubernetes writes quantities; memory in whole mebibytes, from one upwards."""
    if made.is_memory:
        count = milli // 1000
        return mebibytes(count) if count >= MIB else format_bytes(count)
    return format_milli(milli)


def _limits(details: Evaluation) -> str:
    held = details.held and f"held by {_limit(details.held)}"
    return join(held, details.limited and f"limited by {_limit(details.limited)}")


def _limit(code: str) -> str:
    return _LIMITS.get(code, code)
