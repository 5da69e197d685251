"""Periodic sampling by the metrics APIs, and periodic syncs of the autoscalers that read them."""

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.proportional.cluster_counting import ProportionalController
from planner.plan.model.faults import MetricsApi
from planner.plan.model.plan import Plan
from planner.record.recorder import Recorder
from planner.simulation.parts.metric_feeds import MetricFeeds
from planner.simulation.ticks import HpaTick, MetricsTick, ProportionalPoll
from planner.workloads.load.load_model import LoadModel


class MetricBeats:
    """Samples what pods use, and lets the autoscalers of replicas look at it."""

    def __init__(
        self,
        plan: Plan,
        events: EventQueue,
        recorder: Recorder,
        load_model: LoadModel,
        feeds: MetricFeeds,
        samples: UsageSamples,
        hpa: HpaController,
        proportional: list[ProportionalController],
        serving_pods_only: bool = False,
    ) -> None:
        """`serving_pods_only`: the metrics API samples ready pods with load instead of all that run."""
        self._plan = plan
        self._events = events
        self._recorder = recorder
        self._load_model = load_model
        self._feeds = feeds
        self._samples = samples
        self._hpa = hpa
        self._proportional = proportional
        self._serving_pods_only = serving_pods_only

    def start(self) -> None:
        """The first beats."""
        pipeline, controller = self._plan.metrics_pipeline, self._plan.hpa_controller
        self._events.push(pipeline.phase or pipeline.resolution, Phase.METRICS, MetricsTick())
        if self._plan.horizontal_pod_autoscalers:
            self._events.push(controller.phase or controller.sync_period, Phase.HPA, HpaTick())
        self._feeds.start()
        for number in range(len(self._proportional)):
            self._events.push(self._events.now_us, Phase.HPA, ProportionalPoll(number))

    def set_answering(self, api: MetricsApi, answers: bool) -> None:
        """Whether a metrics API answers; while that of resources does not, no pod has a sample."""
        if api is MetricsApi.RESOURCE:
            self._samples.set_answering(answers)
        else:
            self._feeds.set_answering(api, answers)

    def on_metrics_tick(self, event: MetricsTick) -> None:
        """Sample what every running pod uses."""
        self._load_model.observe()
        resolution_us = self._plan.metrics_pipeline.resolution
        if self._samples.is_answering and not self._feeds.sample_own_moments(self._samples):
            rows, usage_milli = self._load_model.usage_rows, self._load_model.usage_milli
            if self._serving_pods_only:
                serving = self._load_model.serving
                rows, usage_milli = rows[serving], usage_milli[serving]
            memory = self._feeds.working_sets(rows)
            self._samples.record(self._events.now_us, resolution_us, rows, usage_milli, memory)
        self._events.push(self._events.now_us + resolution_us, Phase.METRICS, event)

    def on_hpa_tick(self, event: HpaTick) -> None:
        """Evaluate all horizontal pod autoscalers."""
        self._hpa.sync(self._events.now_us)
        self._events.push(self._events.now_us + self._plan.hpa_controller.sync_period, Phase.HPA, event)

    def on_proportional_poll(self, event: ProportionalPoll) -> None:
        """One proportional autoscaler looks at the cluster."""
        controller = self._proportional[event.number]
        for decision in controller.poll(self._events.now_us):
            self._recorder.decide(decision)
        self._events.push(self._events.now_us + controller.poll_period_us, Phase.HPA, event)
