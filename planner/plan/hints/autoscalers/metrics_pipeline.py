"""Hints on the way that metrics take to the autoscalers of pods."""

from collections.abc import Iterator

from planner.language.translation import marked, tr
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import follows_use
from planner.plan.model.autoscalers.metrics_pipeline import Sampling
from planner.plan.model.plan import Plan
from planner.units import format_duration

_TO_REAL = marked("Apply the preset metrics-server, or set sampling to perContainer or rate.")


def pipeline_hints(plan: Plan) -> Iterator[Hint]:
    """All of them, in the order of the file."""
    if not follows_use(plan.horizontal_pod_autoscalers):
        return
    pipeline = plan.metrics_pipeline
    if pipeline.sampling is Sampling.SAMPLED:
        text = tr(
            "Autoscalers see what pods use at the very moment of a sample, which no cluster does: here they react "
        )
        yield Hint(
            "metricsPipeline.sampling", text + tr("to a jump of the load up to a minute too early."), tr(_TO_REAL)
        )
    if pipeline.sampling is Sampling.RATE:
        needed = 2 * max(pipeline.scrape_interval, 2 * pipeline.kubelet_interval)
        if pipeline.rate_window < needed:
            text = tr(
                "A rate needs two samples in its window, and they may be {needed} apart; ",
                needed=format_duration(needed // 2),
            )
            text += tr(
                "in {rate_window} some pods are missing or seem to use nothing.",
                rate_window=format_duration(pipeline.rate_window),
            )
            yield Hint("metricsPipeline.rateWindow", text, tr("Use {needed} or more.", needed=format_duration(needed)))
