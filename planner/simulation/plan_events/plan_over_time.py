"""Which changes of a plan's own numbers apply at a moment, and the plan with them."""

from bisect import bisect_right
from collections import Counter

from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import Plan
from planner.plan.variants.scheduled import changed_during_run
from planner.simulation.plan_events.moments import moments_of_plan

Changes = tuple[tuple[str, ...], ...]
"""Of one event after the other."""


class ChangesInForce:
    """The changes that apply now, in the order in which they were made."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[str, ...]] = {}
        self._going_on: Counter[int] = Counter()
        """How many occurrences of each event have not ended."""

    def begin(self, number: int, changes: tuple[str, ...]) -> None:
        """Those of an event apply from now on."""
        self._going_on[number] += 1
        self._made.pop(number, None)
        self._made[number] = changes

    def end(self, number: int) -> None:
        """An occurrence of the event ends; after the last one its changes apply no longer."""
        self._going_on[number] -= 1
        if not self._going_on[number]:
            del self._made[number]

    @property
    def changes(self) -> Changes:
        """All of them."""
        return tuple(self._made.values())


class ChangedPlans:
    """A plan with changes, of which each combination is made once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[Changes, Plan] = {(): plan}

    def after(self, changes: Changes) -> Plan:
        """The plan with these changes."""
        if changes not in self._known:
            self._known[changes] = changed_during_run(self._plan, [text for texts in changes for text in texts])
        return self._known[changes]


class PlanOverTime:
    """The plan that a run follows, at any of its moments."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plans, in_force = ChangedPlans(plan), ChangesInForce()
        self._since_us, self._changes = [-1], [in_force.changes]
        for at_us, begins, number, texts in _steps(plan, seed):
            if begins:
                in_force.begin(number, texts)
            else:
                in_force.end(number)
            self._since_us.append(at_us)
            self._changes.append(in_force.changes)

    def at(self, at_us: int) -> Plan:
        """The plan with the changes that were made by then."""
        return self._plans.after(self._changes[bisect_right(self._since_us, at_us) - 1])


def _steps(plan: Plan, seed: int) -> list[tuple[int, bool, int, tuple[str, ...]]]:
    """Time, whether an event begins, its number and its changes; at one moment first what begins, as in a run."""
    if not any(isinstance(event, PlanChangeEvent) for event in plan.events):
        return []
    begins, ends = [], []
    for one in sorted(moments_of_plan(plan, seed), key=lambda one: one.at_us):
        event = plan.events[one.number]
        if isinstance(event, PlanChangeEvent):
            begins.append((one.at_us, True, one.number, event.changes))
            if event.duration:
                ends.append((one.at_us + event.duration, False, one.number, event.changes))
    return sorted(begins + ends, key=lambda step: step[0])
