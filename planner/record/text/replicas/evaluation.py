"""An evaluation of a HorizontalPodAutoscaler as one sentence."""

from planner.language.translation import tr
from planner.record.decisions import Decision, Verdict
from planner.record.details.replicas import Evaluation, Range, ReplicaCalculation
from planner.record.text.replicas.measured import failure, limit, named, use
from planner.record.text.wording import join, number_text


def sentence(decision: Decision, details: Evaluation) -> str:
    """The size and what led to it; the autoscaler is named where it is not called after its workload."""
    if decision.verdict is Verdict.NO_METRICS:
        text = _no_metrics(details)
    else:
        text = _scaled(details) if decision.verdict is Verdict.SCALED else _kept(details)
    return text if details.hpa == decision.subject else tr("{text} (hpa {hpa})", text=text, hpa=details.hpa)


def _scaled(details: Evaluation) -> str:
    cause = figures = _figures(details)
    if details.reason:
        cause = tr("reason: {named}", named=named(details.reason)) + (f": {figures}" if figures else "")
    size = tr("New size: {desired} (was {current})", desired=details.desired, current=details.current)
    return join(size, cause, _limits(details))


def _kept(details: Evaluation) -> str:
    text = tr("Size kept at {current}", current=details.current)
    if any(one.reason == "ScalingDisabled" for one in details.conditions):
        text += tr(" (ScalingDisabled: the autoscaler is off at 0 replicas)")
    figures = ": ".join(part for part in (named(details.metric), _figures(details)) if part)
    return join(text, figures, _limits(details))


def _no_metrics(details: Evaluation) -> str:
    metric, why = named(details.metric) or tr("cpu utilization"), failure(details.reason)
    return join(
        tr("failed to get {named}: {why}", named=metric, why=why),
        tr("size stays {desired}", desired=details.desired),
    )


def _figures(details: Evaluation) -> str:
    """Use, ratio and raw proposal."""
    made = details.calculation
    if made is None:
        return ""
    proposal, width = made.replicas, _range(details.proposals)
    if made.value_milli is None:
        return tr("{use}, raw proposal {replicas}{range}", use=use(made), replicas=proposal, range=width)
    ratio = tr("ratio {ratio}{range}", ratio=_ratio(made), range=_range(details.ratios))
    return tr(
        "{use}, {ratio}, raw proposal {replicas}{range}", use=use(made), ratio=ratio, replicas=proposal, range=width
    )


def _ratio(made: ReplicaCalculation) -> str:
    """Use by target, and what becomes of it when the pods that were set aside are counted."""
    if made.first_ratio is None:
        return number_text(made.ratio)
    return tr(
        "{first_ratio}, {ratio} once pods that are not ready or have no sample are counted",
        first_ratio=number_text(made.first_ratio),
        ratio=number_text(made.ratio),
    )


def _range(values: Range | None) -> str:
    """Lowest and highest value of a figure over the repeats, where it moved."""
    if values is None:
        return ""
    low, high = (number_text(value) for value in values)
    return tr(" ({low} to {high} over the repeats)", low=low, high=high)


def _limits(details: Evaluation) -> str:
    held = details.held and tr("held by {limit}", limit=limit(details.held))
    return join(held, details.limited and tr("limited by {limit}", limit=limit(details.limited)))
