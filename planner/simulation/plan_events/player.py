"""Triggers the events of a plan: once at their time, or at random moments."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from planner.engine.draws import Draws, key_within
from planner.engine.phases import Phase
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.plan import SimulationSettings
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import PlanEventEffect
from planner.simulation.plan_events import (
    control_plane,
    maintenance,
    node_faults,
    provisioning_faults,
    workload_events,
)
from planner.simulation.plan_events.moments import (
    FROM_1970,
    Occurrence,
    RunCalendar,
    event_keys,
    moments_of,
    subject_of,
)
from planner.simulation.plan_events.scene import EffectEnds, Effects, Reach, Scene

EFFECTS: Effects = MappingProxyType(
    {
        **node_faults.EFFECTS,
        **provisioning_faults.EFFECTS,
        **maintenance.EFFECTS,
        **workload_events.EFFECTS,
        **control_plane.EFFECTS,
    }
)
"""Of all kinds of events."""


@dataclass(frozen=True, slots=True)
class PlanEventDue:
    """An event of the plan happens; its number in the plan, and how often it has happened before."""

    number: int
    occurrence: int


class PlanEvents:
    """The events of a run."""

    def __init__(
        self,
        planned: tuple[PlanEvent, ...],
        reach: Reach,
        draws: Draws,
        decide: Callable[[Decision], None],
    ) -> None:
        self._planned, self._keys = planned, event_keys(planned)
        self._scene = Scene(reach, draws)
        self._decide = decide
        self._span = 0, FROM_1970
        self._first_serial = 0

    def start(self, settings: SimulationSettings) -> None:
        """Put all occurrences into the queue."""
        self._span = settings.duration, RunCalendar.of(settings)
        queue = self._scene.reach.events
        self._first_serial = queue.serial
        for one in self._moments():
            queue.push(one.at_us, Phase.PLAN_ACTIONS, PlanEventDue(one.number, one.occurrence))

    def follow(self, planned: tuple[PlanEvent, ...]) -> None:
        """From now on the events of another plan happen, in the order in which they would have if they had been planned
        from the start; it has at most as many occurrences."""
        self._planned, self._keys = planned, event_keys(planned)
        queue = self._scene.reach.events
        queue.replace(
            PlanEventDue,
            [
                (one.at_us, Phase.PLAN_ACTIONS, self._first_serial + place, PlanEventDue(one.number, one.occurrence))
                for place, one in enumerate(self._moments())
                if one.at_us > queue.now_us
            ],
        )

    def _moments(self) -> list[Occurrence]:
        return moments_of(self._planned, *self._span, self._scene.draws)

    def on_due(self, due: PlanEventDue) -> None:
        """An event happens; what it hit is recorded."""
        event = self._planned[due.number]
        before, after = self._replicas(event) if isinstance(event, SetReplicas) else (None, None)
        scene = replace(self._scene, key=key_within(self._keys[due.number], due.occurrence), number=due.number)
        hit = EFFECTS[type(event)](scene, event)
        missing = tuple(name for name in getattr(event, "nodes", ()) if name not in hit)
        details = PlanEventEffect(event.type, tuple(hit), missing, before, after)
        now_us, name = self._scene.reach.events.now_us, subject_of(event)
        self._decide(Decision(now_us, Actor.PLAN_EVENT, Verdict.HAPPENED, name, details=details))

    def _replicas(self, event: SetReplicas) -> tuple[int, int]:
        """Of the workload, before and after."""
        reach = self._scene.reach
        return int(reach.cluster.workloads.desired[reach.workload_rows[event.workload]]), event.replicas

    def on_ends(self, ends: EffectEnds) -> None:
        """Undo what an event did."""
        ends.end()
