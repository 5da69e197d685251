"""Decisions about replicas as sentences, and their computation step by step."""

from collections.abc import Iterator
from types import MappingProxyType

from planner.language.translation import marked, tr
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
from planner.record.object_lists import status_word
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import counted, join, mebibytes, number_text
from planner.units import MIB, format_bytes, format_milli

_LIMITS = MappingProxyType(
    {
        "ScaleUpStabilized": marked("the scale-up stabilization window"),
        "ScaleDownStabilized": marked("the scale-down stabilization window"),
        "ScaleUpLimit": marked("the scale-up rate"),
        "ScaleDownLimit": marked("the scale-down rate"),
        "ScaleUpDisabled": marked("selectPolicy Disabled: scaling up is switched off"),
        "ScaleDownDisabled": marked("selectPolicy Disabled: scaling down is switched off"),
        "TooManyReplicas": "maxReplicas",
        "TooFewReplicas": "minReplicas",
    }
)
_FAILURES = MappingProxyType(
    {
        "MetricsAPIError": marked("the metrics API is not responding"),
        "NoMetricsReturned": marked("no metrics returned from resource metrics API"),
        "ContainerNotInMetrics": marked("a pod has no container of that name"),
        "NoPods": marked("no pods match"),
        "NoUsableMetrics": marked("no pod has a usable sample"),
        "MissingRequest": marked("missing request of a container"),
        "MissingPodLevelRequest": marked("missing request of the pod"),
        "ContainerNotInPod": marked("a pod has no container of that name"),
        "ZeroRequests": marked("the requests add up to 0"),
    }
)


def sentence(decision: Decision, details: ReplicaDetails) -> str:
    """Why the number of replicas is what it is."""
    if isinstance(details, ProportionalSize):
        text = tr(
            "New size: {desired} (was {current}); {autoscaler} counts",
            desired=details.desired,
            current=details.current,
            autoscaler=details.autoscaler,
        )
        return tr(
            "{text} {nodes} nodes with {cores} cores, {mode} mode",
            text=text,
            nodes=details.nodes,
            cores=details.cores,
            mode=details.mode,
        )
    if isinstance(details, EventScaling | JobsMade):
        return _by_events(decision, details)
    if decision.verdict is Verdict.NO_METRICS:
        text = _no_metrics(details)
    else:
        text = _scaled(details) if decision.verdict is Verdict.SCALED else _kept(details)
    return text if details.hpa == decision.subject else tr("{text} (hpa {hpa})", text=text, hpa=details.hpa)


def tables(details: ReplicaDetails) -> tuple[Grid, ...]:
    """The evaluation step by step, and the conditions it leaves behind."""
    if isinstance(details, ProportionalSize):
        steps: tuple[Step, ...] = (
            (tr("Autoscaler"), details.autoscaler),
            (tr("Nodes"), number_text(details.nodes)),
            (tr("Cores"), number_text(details.cores)),
            (tr("Mode"), details.mode),
            _size(details.current, details.desired),
        )
        return (steps_grid(tr("Cluster proportional autoscaler"), steps, tr(_SIZE)),)
    if isinstance(details, EventScaling | JobsMade):
        rows = tuple((one.trigger, _reading(one.value), number_text(one.activation)) for one in details.readings)
        triggers = Grid(tr("Triggers"), (tr("Trigger"), tr("Value"), tr("Active above")), rows)
        if not details.conditions:
            return (triggers,)
        states = tuple((one.type, status_word(one.status), one.reason) for one in details.conditions)
        return triggers, Grid(tr("Conditions"), (tr("Condition"), tr("Status"), tr("Reason")), states)
    conditions = tuple((one.type, str(one.status), one.reason) for one in details.conditions)
    return (
        steps_grid(tr("Horizontal pod autoscaler"), hpa_steps(details), tr(_SIZE)),
        Grid(tr("Conditions"), (tr("Condition"), tr("Status"), tr("Reason")), conditions),
    )


def _by_events(decision: Decision, details: EventScaling | JobsMade) -> str:
    """A poll of KEDA."""
    values = ", ".join(f"{one.trigger} {_reading(one.value)}" for one in details.readings)
    if isinstance(details, JobsMade):
        return tr(
            "{created} made, {running} running; {values} ({scaled_job})",
            created=counted(details.created, "job"),
            running=details.running,
            values=values,
            scaled_job=details.scaled_job,
        )
    if details.current != details.desired:
        text = tr(
            "New size: {desired} (was {current}); {condition}",
            desired=details.desired,
            current=details.current,
            condition=details.condition,
        )
    else:
        text = f"{str(decision.verdict).capitalize()}: {details.condition}"
    return f"{text}; {values} ({details.scaled_object})" if values else f"{text} ({details.scaled_object})"


def _reading(value: float | None) -> str:
    return "failed" if value is None else number_text(value)


# -- step by step -----------------------------------------------------------------------------

_SIZE = marked("Size")


def hpa_steps(details: Evaluation) -> tuple[Step, ...]:
    """The computation of one evaluation: samples, use, ratio, tolerance, windows, limits, size."""
    return tuple(_steps(details))


def _steps(details: Evaluation) -> Iterator[Step]:
    if details.answers:
        yield tr("Metrics"), tr("{answers}; the largest proposal counts", answers=_answers(details.answers))
    if details.metric:
        yield tr("Metric"), _named(details.metric)
    if details.calculation is not None:
        yield from _calculation_steps(details.calculation)
    if details.stabilized is not None:
        yield tr("Window"), tr("{stabilized} by {limit}", stabilized=details.stabilized, limit=_limit(details.held))
    if details.limited:
        yield tr("Limit"), tr("{desired} by {limit}", desired=details.desired, limit=_limit(details.limited))
    if details.reason:
        yield tr("Reason"), tr(_FAILURES.get(details.reason, _named(details.reason)))
    yield _size(details.current, details.desired)


def _calculation_steps(made: ReplicaCalculation) -> Iterator[Step]:
    if made.ready is not None:
        groups = ((made.unready, tr("not ready or still starting")), (made.missing, tr("without sample")))
        left_out = ", ".join(f"{count} {text}" for count, text in groups if count)
        yield (
            tr("Samples"),
            tr("{ready} counted", ready=counted(made.ready, "pod"))
            + (tr("; set aside: {left_out}", left_out=left_out) if left_out else ""),
        )
    if made.utilization_pct is not None:
        yield (
            tr("Use"),
            tr(
                "{utilization_pct} % of the requests against {target} %",
                utilization_pct=made.utilization_pct,
                target=made.target,
            ),
        )
    else:
        yield tr("Use"), _use(made)
    ratio = number_text(made.ratio)
    if made.first_ratio is not None:
        yield (
            tr("Ratio"),
            tr(
                "{first_ratio}; {ratio} once the pods set aside are counted",
                first_ratio=number_text(made.first_ratio),
                ratio=ratio,
            ),
        )
    else:
        yield tr("Ratio"), ratio
    # The rule compares with 1 + tolerance and 1 - tolerance; so does this.
    inside = 1.0 - made.tolerance <= made.ratio <= 1.0 + made.tolerance
    yield tr("Tolerance"), f"{number_text(made.tolerance)}: {(tr('within, no change') if inside else 'exceeded')}"
    yield tr("Raw proposal"), counted(made.replicas, "replica")


def _answers(answers: tuple[MetricAnswer, ...]) -> str:
    return ", ".join(f"{_named(one.metric)}: {_answer(one)}" for one in answers)


def _answer(answer: MetricAnswer) -> str:
    return tr(_FAILURES.get(answer.error, answer.error)) if answer.replicas is None else str(answer.replicas)


def _named(text: str) -> str:
    """A metric, or a reason with one, without the selector that events of Kubernetes print and no metric here has."""
    return text.replace("(nil)", "")


def _size(current: int, desired: int) -> Step:
    return tr(_SIZE), tr("{current} to {desired}", current=current, desired=desired)


# -- sentences --------------------------------------------------------------------------------


def _scaled(details: Evaluation) -> str:
    figures = _figures(details)
    cause = (
        tr("reason: {named}", named=_named(details.reason)) + (f": {figures}" if figures else "")
        if details.reason
        else figures
    )
    return join(
        tr("New size: {desired} (was {current})", desired=details.desired, current=details.current),
        cause,
        _limits(details),
    )


def _kept(details: Evaluation) -> str:
    text = tr("Size kept at {current}", current=details.current)
    if any(one.reason == "ScalingDisabled" for one in details.conditions):
        text += tr(" (ScalingDisabled: the autoscaler is off at 0 replicas)")
    figures = ": ".join(part for part in (_named(details.metric), _figures(details)) if part)
    return join(text, figures, _limits(details))


def _no_metrics(details: Evaluation) -> str:
    why = tr(_FAILURES.get(details.reason, details.reason))
    return join(
        tr("failed to get {named}: {why}", named=_named(details.metric) or tr("cpu utilization"), why=why),
        tr("size stays {desired}", desired=details.desired),
    )


def _figures(details: Evaluation) -> str:
    """Use, ratio and raw proposal."""
    made = details.calculation
    if made is None:
        return ""
    if made.value_milli is None:
        return tr(
            "{use}, raw proposal {replicas}{range}",
            use=_use(made),
            replicas=made.replicas,
            range=_range(details.proposals),
        )
    ratio = tr("ratio {ratio}{range}", ratio=_ratio(made), range=_range(details.ratios))
    return tr(
        "{use}, {ratio}, raw proposal {replicas}{range}",
        use=_use(made),
        ratio=ratio,
        replicas=made.replicas,
        range=_range(details.proposals),
    )


def _ratio(made: ReplicaCalculation) -> str:
    """Use by target, and what becomes of it when the pods that were set aside are counted."""
    if made.first_ratio is None:
        return number_text(made.ratio)
    text = tr(
        "{first_ratio}, {ratio} once pods that are not ready or have no sample",
        first_ratio=number_text(made.first_ratio),
        ratio=number_text(made.ratio),
    )
    return tr("{text} are counted", text=text)


def _range(values: Range | None) -> str:
    """Lowest and highest value of a figure over the repeats, where it moved."""
    return (
        ""
        if values is None
        else tr(
            " ({values} to {values_2} over the repeats)", values=number_text(values[0]), values_2=number_text(values[1])
        )
    )


def _use(made: ReplicaCalculation) -> str:
    """What was measured against the target."""
    if made.utilization_pct is None:
        each = "" if made.is_total else " a pod"
        if made.value_milli is None:
            return tr("no pods yet against {amount}{each}", amount=_amount(made.target, made), each=each)
        return tr(
            "{amount}{each} against {amount_2}{each}",
            amount=_amount(made.value_milli, made),
            each=each,
            amount_2=_amount(made.target, made),
        )
    value = "" if made.value_milli is None else f" ({_amount(made.value_milli, made)} a pod)"
    return tr(
        "{utilization_pct} %{value} against {target} %",
        utilization_pct=made.utilization_pct,
        value=value,
        target=made.target,
    )


def _amount(milli: int, made: ReplicaCalculation) -> str:
    """As Kubernetes writes quantities; memory in whole mebibytes, from one upwards."""
    if made.is_memory:
        count = milli // 1000
        return mebibytes(count) if count >= MIB else format_bytes(count)
    return format_milli(milli)


def _limits(details: Evaluation) -> str:
    held = details.held and tr("held by {limit}", limit=_limit(details.held))
    return join(held, details.limited and tr("limited by {limit}", limit=_limit(details.limited)))


def _limit(code: str) -> str:
    return tr(_LIMITS.get(code, code))
