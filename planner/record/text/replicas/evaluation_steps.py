"""An evaluation of a HorizontalPodAutoscaler step by step."""

from collections.abc import Iterator

from planner.language.translation import marked, tr
from planner.record.details.replicas import Evaluation, MetricAnswer, ReplicaCalculation
from planner.record.text.replicas.measured import failure, limit, named, use
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import counted, number_text

SIZE = marked("Size")
"""The step that matters most."""


def tables(details: Evaluation) -> tuple[Grid, ...]:
    """The steps, and the conditions that the evaluation leaves behind."""
    conditions = tuple((one.type, str(one.status), one.reason) for one in details.conditions)
    return (
        steps_grid(tr("Horizontal pod autoscaler"), hpa_steps(details), tr(SIZE)),
        Grid(tr("Conditions"), (tr("Condition"), tr("Status"), tr("Reason")), conditions),
    )


def hpa_steps(details: Evaluation) -> tuple[Step, ...]:
    """The computation of one evaluation: samples, use, ratio, tolerance, windows, limits, size."""
    return tuple(_steps(details))


def size_step(current: int, desired: int) -> Step:
    """The last step of a computation."""
    return tr(SIZE), tr("{current} to {desired}", current=current, desired=desired)


def _steps(details: Evaluation) -> Iterator[Step]:
    if details.answers:
        yield tr("Metrics"), tr("{answers}; the largest proposal counts", answers=_answers(details.answers))
    if details.metric:
        yield tr("Metric"), named(details.metric)
    if details.calculation is not None:
        yield from _calculation_steps(details.calculation)
    if details.stabilized is not None:
        yield tr("Window"), tr("{stabilized} by {limit}", stabilized=details.stabilized, limit=limit(details.held))
    if details.limited:
        yield tr("Limit"), tr("{desired} by {limit}", desired=details.desired, limit=limit(details.limited))
    if details.reason:
        yield tr("Reason"), failure(details.reason)
    yield size_step(details.current, details.desired)


def _calculation_steps(made: ReplicaCalculation) -> Iterator[Step]:
    if made.ready is not None:
        yield tr("Samples"), _samples(made, made.ready)
    yield tr("Use"), _use(made)
    ratio = number_text(made.ratio)
    if made.first_ratio is not None:
        first = number_text(made.first_ratio)
        ratio = tr("{first_ratio}; {ratio} once the pods set aside are counted", first_ratio=first, ratio=ratio)
    yield tr("Ratio"), ratio
    # The rule compares with 1 + tolerance and 1 - tolerance; so does this.
    inside = 1.0 - made.tolerance <= made.ratio <= 1.0 + made.tolerance
    yield tr("Tolerance"), f"{number_text(made.tolerance)}: {tr('within, no change') if inside else tr('exceeded')}"
    yield tr("Raw proposal"), counted(made.replicas, "replica")


def _samples(made: ReplicaCalculation, ready: int) -> str:
    groups = ((made.unready, tr("not ready or still starting")), (made.missing, tr("without sample")))
    left_out = ", ".join(f"{count} {text}" for count, text in groups if count)
    text = tr("{ready} counted", ready=counted(ready, "pod"))
    return text + tr("; set aside: {left_out}", left_out=left_out) if left_out else text


def _use(made: ReplicaCalculation) -> str:
    if made.utilization_pct is None:
        return use(made)
    return tr(
        "{utilization_pct} % of the requests against {target} %",
        utilization_pct=made.utilization_pct,
        target=made.target,
    )


def _answers(answers: tuple[MetricAnswer, ...]) -> str:
    return ", ".join(f"{named(one.metric)}: {_answer(one)}" for one in answers)


def _answer(answer: MetricAnswer) -> str:
    return failure(answer.error) if answer.replicas is None else str(answer.replicas)
