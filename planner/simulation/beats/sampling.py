"""Periodic sampling by the metrics APIs, and periodic syncs of the autoscalers that read them."""

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.proportional.cluster_counting import ProportionalController
from planner.plan.derived.followed import followed_workloads
from planner.plan.model.events.on_control_plane import MetricsApi
from planner.plan.model.plan import Plan
from planner.record.recorder import Recorder
from planner.simulation.beats.loop_clock import LoopClock
from planner.simulation.parts.metric_feeds import MetricFeeds
from planner.simulation.parts.use_pipeline import UsePipeline
from planner.simulation.ticks import HpaTick, MetricsTick, ProportionalPoll


class MetricBeats:
    """Samples what pods use, and lets the autoscalers of replicas look at it."""

    def __init__(
        self,
        plan: Plan,
        events: EventQueue,
        recorder: Recorder,
        feeds: MetricFeeds,
        use: UsePipeline,
        hpa: HpaController,
        proportional: list[ProportionalController],
        draws: Draws,
    ) -> None:
        self._plan = plan
        self._events = events
        self._recorder = recorder
        self._feeds = feeds
        self._use = use
        self._hpa = hpa
        self._proportional = proportional
        controller = plan.hpa_controller
        self._syncs = LoopClock("hpa", controller.sync_period, controller.evaluation_time, draws)
        # A ticker keeps its beat however long a scrape takes (metrics-server, pkg/server/server.go; Prometheus).
        self._scrapes = LoopClock("scrapes", plan.metrics_pipeline.scrape_interval, 0, draws)

    def start(self) -> None:
        """The first beats; nothing is sampled where no autoscaler follows what pods use."""
        pipeline, controller = self._plan.metrics_pipeline, self._plan.hpa_controller
        first_scrape_us = self._scrapes.first_us(pipeline.phase)
        if self._plan.simulation.warm_start:
            self._use.have_past(first_scrape_us)
        if followed_workloads(self._plan):
            self._events.push(first_scrape_us, Phase.METRICS, MetricsTick())
        if self._plan.horizontal_pod_autoscalers:
            self._events.push(self._syncs.first_us(controller.phase), Phase.HPA, HpaTick())
        self._feeds.start()
        for number in range(len(self._proportional)):
            self._events.push(self._events.now_us, Phase.HPA, ProportionalPoll(number))

    def set_answering(self, api: MetricsApi, answers: bool) -> None:
        """Whether a metrics API answers; while that of resources does not, no pod has a sample."""
        if api is MetricsApi.RESOURCE:
            self._use.set_answering(answers)
        else:
            self._feeds.set_answering(api, answers)

    def on_metrics_tick(self, event: MetricsTick) -> None:
        """Collect the samples of all pods."""
        self._use.scrape()
        self._events.push(self._scrapes.next_us(self._events.now_us), Phase.METRICS, event)

    def on_hpa_tick(self, event: HpaTick) -> None:
        """Evaluate all horizontal pod autoscalers."""
        self._use.query()
        self._hpa.sync(self._events.now_us)
        self._events.push(self._syncs.next_us(self._events.now_us), Phase.HPA, event)

    def on_proportional_poll(self, event: ProportionalPoll) -> None:
        """One proportional autoscaler looks at the cluster."""
        controller = self._proportional[event.number]
        for decision in controller.poll(self._events.now_us):
            self._recorder.decide(decision)
        self._events.push(self._events.now_us + controller.poll_period_us, Phase.HPA, event)
