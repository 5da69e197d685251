"""Templates that nodes refuse alike, because their pods ask for the same and are placed by the same rules."""

from collections.abc import Callable, Hashable

from planner.scheduler.template_rules import RulesOfTemplates, lasting_rules
from planner.state.specs import PodSpec


class AlikeTemplates:
    """The first template of each kind stands for the others."""

    def __init__(self, rules: RulesOfTemplates, asks_for_room_alone: Callable[[PodSpec], bool]) -> None:
        """`asks_for_room_alone`: whether of all that pods change only room matters for a template."""
        self._rules = rules
        self._asks_for_room_alone = asks_for_room_alone
        self._version = -1
        """Of what templates say about others, when the kinds were formed."""
        self._first: dict[Hashable, int] = {}
        self._known: dict[int, int] = {}

    def first(self, spec: PodSpec) -> int:
        """The number of the template that a template is like; its own if there is none before it."""
        version = self._rules.version()
        if version != self._version:
            self._version = version
            self._first.clear()
            self._known.clear()
        known = self._known.get(spec.index)
        if known is None:
            alone = self._asks_for_room_alone(spec)
            known = self._first.setdefault(_what_filters_read(spec), spec.index) if alone else spec.index
            self._known[spec.index] = known
        return known


def _what_filters_read(spec: PodSpec) -> Hashable:
    """What filters, and a preemption, read of a template besides what pods of others and their places tell them."""
    rules = spec.placement
    return spec.request.tobytes(), spec.priority, rules.scheduler, rules.may_preempt, lasting_rules(spec)
