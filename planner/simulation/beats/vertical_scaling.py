"""The Vertical Pod Autoscaler of a run: recommender, updater and admission, and their clocks."""

from collections.abc import Callable
from functools import partial

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.metrics.container_samples import ContainerSamples
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.nodes.resizing.changed_resources import restarts_for_any
from planner.nodes.resizing.kubelet_resizes import KubeletResizes
from planner.plan.model.plan import Plan
from planner.record.decisions import Decision
from planner.simulation.beats.loop_clock import LoopClock
from planner.simulation.compile.world import World, changed_spec
from planner.simulation.parts.memory_life import MemoryLife
from planner.simulation.parts.past_use import past_use
from planner.simulation.ticks import VpaEviction, VpaRecommend, VpaUpdate
from planner.vpa.controller.admitting import RequestAdmission
from planner.vpa.controller.recommending import RecommenderController, columns_of
from planner.vpa.controller.settings import recommender_rules, updater_memory, updater_rules
from planner.vpa.controller.tracked import tracked
from planner.vpa.controller.updating import UpdaterController, UpdaterReach
from planner.workloads.disruption.eviction_api import EvictionApi


class VerticalScaling:
    """Follows the use of containers, evicts their pods and rewrites new ones."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        samples: UsageSamples,
        memory: MemoryLife | None,
        draws: Draws,
        decide: Callable[[Decision], None],
        evictions: EvictionApi,
        resizes: KubeletResizes,
    ) -> None:
        self._plan, self._world, self._events, cluster = plan, world, events, world.cluster
        vpas = self.vpas = tracked(plan, world.workload_rows)
        self.is_used = bool(vpas)
        starts_us = plan.simulation.starts_at
        rules = recommender_rules(plan.vpa_recommender)
        uses = ContainerSamples(cluster, samples)
        self.recommender = RecommenderController(cluster, vpas, rules, uses, starts_us, decide)
        admission = RequestAdmission(cluster, vpas, self.recommender, partial(changed_spec, world))
        self.updater = UpdaterController(
            cluster,
            vpas,
            updater_rules(plan.vpa_updater),
            self.recommender,
            lambda: updater_memory(plan.vpa_updater),
            UpdaterReach(
                lambda pod: evictions.evict(pod, "vpa-updater").allowed,
                admission.changed,
                resizes.ask,
                restarts_for_any,
            ),
            decide,
        )
        if memory is not None and vpas:
            memory.killer.subscribe(self._on_kill)
        recommender, updater = plan.vpa_recommender, plan.vpa_updater
        self._phases_us = [recommender.phase, updater.phase]
        self._clocks = [
            LoopClock("vpa recommender", recommender.interval, 0, draws),
            LoopClock("vpa updater", updater.interval, 0, draws),
        ]
        self.columns = columns_of(vpas)

    def start(self) -> None:
        """What the recommender knows of the time before, and the first rounds."""
        if self.is_used:
            for workload, past in past_use(self._plan, self._world):
                self.recommender.remember(workload, past)
            for clock, phase_us, event in zip(
                self._clocks, self._phases_us, (VpaRecommend(), VpaUpdate()), strict=True
            ):
                self._events.push(clock.first_us(phase_us), Phase.HPA, event)

    def on_recommend(self, event: VpaRecommend) -> None:
        """The recommender reads the metrics and recommends."""
        self.recommender.recommend(self._events.now_us)
        self._events.push(self._clocks[0].next_us(self._events.now_us), Phase.HPA, event)

    def on_update(self, event: VpaUpdate) -> None:
        """The updater looks at the pods."""
        self.updater.update(self._events.now_us)
        self._await_eviction()
        self._events.push(self._clocks[1].next_us(self._events.now_us), Phase.HPA, event)

    def on_eviction(self, _event: VpaEviction) -> None:
        """The updater goes on with its round."""
        self.updater.go_on(self._events.now_us)
        self._await_eviction()

    def _await_eviction(self) -> None:
        due_us = self.updater.due_us
        if due_us is not None:
            self._events.push(due_us, Phase.HPA, VpaEviction())

    def _on_kill(self, pod: int, place: int, lived_us: int) -> None:
        self.recommender.on_oom(pod, place, self._events.now_us)
        self.updater.on_oom(pod, place, lived_us)
