"""How the CPU and memory use of pods reaches the horizontal pod autoscalers."""

from enum import StrEnum

from planner.plan.values.fields import DurationUs, PlanModel, setting
from planner.units import US_PER_H, US_PER_S


class Sampling(StrEnum):
    """What makes a figure of the use of a pod."""

    SAMPLED = "sampled"
    """Its use at the moment of the scrape: exact, for comparison with recorded runs."""
    PER_CONTAINER = "perContainer"
    """metrics-server: the mean between the two newest samples that the kubelet took of the pod."""
    RATE = "rate"
    """Prometheus adapter: the rate over a window of the counter that the kubelet exposes."""


class MetricsPipelineSettings(PlanModel):
    """How CPU use reaches the autoscalers; defaults as in the manifests of metrics-server."""

    sampling: Sampling = setting(
        Sampling.PER_CONTAINER,
        "Sampling",
        "perContainer: mean between two samples of the kubelet, as metrics-server; rate: rate over a window, as "
        "Prometheus and its adapter; sampled: the use of this very moment, for comparison with recorded runs.",
    )
    kubelet_interval: DurationUs = setting(
        "10s", "Kubelet interval", "Shortest time between two samples of a pod by its kubelet; the longest is twice "
        "that. Not for sampled.", unit="s", ge=US_PER_S, le=US_PER_H,
    )  # fmt: skip
    scrape_interval: DurationUs = setting(
        "15s",
        "Scrape interval",
        "Time between two collections of the kubelets' samples (--metric-resolution of metrics-server).",
        unit="s",
        ge=US_PER_S,
        le=US_PER_H,
    )
    rate_window: DurationUs = setting(
        "1m", "Rate window", "For rate: how far back samples count; pods younger than that show too little.",
        unit="s", ge=US_PER_S, le=US_PER_H,
    )  # fmt: skip
    staleness: DurationUs = setting(
        "0s", "Staleness", "How long the last figure of a pod is still used when a scrape no longer finds the pod; "
        "Prometheus: 5m.", unit="s", le=US_PER_H,
    )  # fmt: skip
    phase: DurationUs | None = setting(
        None, "Phase", "Time of the first scrape; empty: drawn, within one interval.", unit="s", le=US_PER_H
    )
    delay: DurationUs = setting(
        "0s", "Delay", "Time until an autoscaler sees what was scraped: queries, caches.", unit="s", le=US_PER_H
    )
