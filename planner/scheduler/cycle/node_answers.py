"""What every node says to a template, kept up to date node by node (kube-scheduler 1.36, runtime/framework.go).

While pods wait for victims to go, the next pod asks the same nodes again, and all but a few say what they said before.
So what a template hears is kept until a node, or a nomination to it, changes. This holds where pods matter on their own
node only, and not for the node to which the pod itself is nominated (a property test compares it with fresh looks).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import PluginName
from planner.scheduler.compiled_room import MOST_COLUMNS, CompiledRoom, compiled_room
from planner.scheduler.cycle.feasibility import Prepared, Refusal, Verdicts
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import SchedulerContext
from planner.scheduler.reasons import Strength, insufficient
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

_FEASIBLE, _MISSING = NONE, NONE - 1
FEW = 64
"""So many changed nodes are looked at one by one; with more everything is asked anew, all nodes at once."""


class NodeAnswer(NamedTuple):
    """The first filter that refuses, and all its reasons."""

    plugin: PluginName
    reasons: tuple[str, ...]
    strength: int
    """`Strength` by number."""

    @classmethod
    def of(cls, refusal: Refusal) -> "NodeAnswer":
        """Of one node."""
        plugin, why = refusal
        unresolvable = any(reason.unresolvable for reason in why)
        strength = Strength.UNRESOLVABLE if unresolvable else Strength.UNSCHEDULABLE
        return cls(plugin, tuple([reason.reason for reason in why]), int(strength))


class NodeAnswers:
    """`Verdicts` as one column: the number of each node's answer."""

    message = ""

    def __init__(self, verdicts: Verdicts, exists: Mask) -> None:
        """`verdicts`: of nodes without the pods nominated to them."""
        self._plugins = tuple(verdicts.plugin)
        self._known: list[NodeAnswer] = []
        self._numbers: dict[NodeAnswer, int] = {}
        self._nodes_of: list[int] = []
        """How many nodes gave each answer."""
        self.strength: NDArray[np.int8] = verdicts.strength.copy()
        """`Strength` by node row."""
        self.passes: Mask = exists & (verdicts.strength == 0)
        """Feasible nodes by row."""
        self.feasible = int(np.count_nonzero(self.passes))
        """How many they are."""
        self._codes: NDArray[np.int32] = np.where(exists, _FEASIBLE, _MISSING).astype(np.int32)
        for answer, nodes in _answers(verdicts, exists):
            number = self._number(answer)
            self._codes[nodes] = number
            self._nodes_of[number] += len(nodes)

    def _number(self, answer: NodeAnswer) -> int:
        number = self._numbers.get(answer)
        if number is None:
            number = self._numbers[answer] = len(self._known)
            self._known.append(answer)
            self._nodes_of.append(0)
        return number

    def put(self, node: int, answer: NodeAnswer | None) -> None:
        """What a node says from now on; None: the pod may go there."""
        before = self._codes.item(node)
        after = _FEASIBLE if answer is None else self._number(answer)
        if before == after or before == _MISSING:
            return
        self._codes[node] = after
        self.passes[node] = answer is None
        self.strength[node] = 0 if answer is None else answer.strength
        if answer is not None:
            self._nodes_of[after] += 1
        else:
            self.feasible += 1
        if before != _FEASIBLE:
            self._nodes_of[before] -= 1
        else:
            self.feasible -= 1

    def but_for(self, node: int, answer: NodeAnswer | None) -> "NodeAnswers":
        """The same with another answer of one node."""
        other = object.__new__(NodeAnswers)
        vars(other).update(vars(self))
        other._known, other._numbers, other._nodes_of = [*self._known], {**self._numbers}, [*self._nodes_of]
        other._codes, other.strength, other.passes = self._codes.copy(), self.strength.copy(), self.passes.copy()
        other.put(node, answer)
        return other

    def of(self, node: int) -> NodeAnswer | None:
        """What a node says; None if it is feasible, or does not exist."""
        number = self._codes.item(node)
        return self._known[number] if number >= 0 else None

    def lasting(self, passing: PluginName) -> dict[int, NodeAnswer]:
        """Nodes that other plugins than this one refuse, and what they say."""
        found: dict[int, NodeAnswer] = {}
        for number, answer in enumerate(self._known):
            if answer.plugin != passing:
                found.update(dict.fromkeys(np.flatnonzero(self._codes == number).tolist(), answer))
        return found

    def counts(self) -> dict[str, int]:
        """How many nodes were refused per reason."""
        found: dict[str, int] = {}
        for answer, nodes in zip(self._known, self._nodes_of, strict=True):
            if nodes:
                for reason in answer.reasons:
                    found[reason] = found.get(reason, 0) + nodes
        return found

    def refusing(self) -> tuple[PluginName, ...]:
        """Plugins that refused at least one node."""
        found = {answer.plugin for answer, nodes in zip(self._known, self._nodes_of, strict=True) if nodes}
        return tuple([plugin for plugin in self._plugins if plugin in found])

    @property
    def reasons(self) -> dict[str, Mask]:
        """Nodes by reason."""
        names = dict.fromkeys(reason for answer in self._known for reason in answer.reasons)
        return {name: self._saying([name in answer.reasons for answer in self._known]) for name in names}

    @property
    def plugin(self) -> dict[PluginName, Mask]:
        """Nodes by the plugin that refused them."""
        return {name: self._saying([answer.plugin == name for answer in self._known]) for name in self._plugins}

    def _saying(self, wanted: Sequence[bool]) -> Mask:
        return np.array([*wanted, False, False], np.bool_)[self._codes]  # numbers below 0 count from the end


def _answers(verdicts: Verdicts, exists: Mask) -> list[tuple[NodeAnswer, NDArray[np.int64]]]:
    """The different answers, each with the nodes that gave it."""
    columns = [verdicts.strength.astype(np.bool_), verdicts.strength == Strength.UNRESOLVABLE]
    columns += [*verdicts.plugin.values(), *verdicts.reasons.values()]
    refused = np.flatnonzero(exists & columns[0])
    if not len(refused):
        return []
    kinds = np.zeros(len(refused), dtype=np.int64)
    for said in (column[refused] for column in columns):
        if said.any() and not said.all():
            kinds = np.unique(2 * kinds + said, return_inverse=True)[1]
    _, first = np.unique(kinds, return_index=True)
    found = []
    for kind, at in enumerate(refused[first].tolist()):
        plugin = next(name for name, nodes in verdicts.plugin.items() if nodes[at])
        reasons = tuple([reason for reason, nodes in verdicts.reasons.items() if nodes[at]])
        answer = NodeAnswer(plugin, reasons, int(verdicts.strength[at]))
        found.append((answer, refused[kinds == kind]))
    return found


class RoomAnswers:
    """What single nodes say to a template which only room and what pods cannot change may refuse, the latter first."""

    def __init__(self, cluster: Cluster, room: CompiledRoom, prepared: Prepared, heard: NodeAnswers) -> None:
        """`heard`: of all nodes, asked afresh, without the pods nominated to them."""
        self._room = room
        self._spec = prepared.spec
        self._asked = prepared.asked_room or ()
        names = [insufficient(cluster.axis.names[column]) for column, _ in self._asked]
        self._reasons = [(1 << at, name) for at, name in enumerate(names)]
        self._known: dict[int, NodeAnswer | None] = {0: None}
        """By what is short."""
        self._lasting = heard.lasting(PluginName.NODE_RESOURCES_FIT)

    def of(self, node: int, left_out: int) -> NodeAnswer | None:
        """`Prepared.refuse_with_nominated` as an answer."""
        lasting = self._lasting.get(node)
        if lasting is not None:
            return lasting
        short = self._room.short(self._spec, self._asked, node, left_out)
        if short not in self._known:
            reasons = tuple([name for bit, name in self._reasons if short & bit])
            strength = Strength.UNRESOLVABLE if short >> MOST_COLUMNS else Strength.UNSCHEDULABLE
            self._known[short] = NodeAnswer(PluginName.NODE_RESOURCES_FIT, reasons, int(strength))
        return self._known[short]


class _Heard(NamedTuple):
    """What a template has heard."""

    nodes: tuple[int, int, int]
    """As of these nodes and templates."""
    answers: NodeAnswers
    cursor: list[int]
    """The position in the log of changes, alone."""
    room: RoomAnswers | None
    """How single nodes are asked; None: by the filters."""


Prepare = Callable[[], Prepared]
"""The filters, ready to be asked about a pod at this moment."""


class AnswerMemory:
    """What the templates of one profile have heard; of pods that matter on their own node only."""

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context
        self._heard: dict[int, _Heard] = {}
        self._room = compiled_room(context.cluster)

    def of(self, pod: int, spec: PodSpec, prepare: Prepare) -> NodeAnswers:
        """What the nodes say to a pod."""
        heard, own = self._up_to_date(spec, prepare), self._context.cluster.pods.nominated.item(pod)
        return heard.answers if own == NONE else heard.answers.but_for(own, _ask(heard, own, pod, prepare))

    def only_one(self, pod: int, spec: PodSpec, prepare: Prepare) -> int:
        """The node to which the pod is nominated, if it is feasible and no other one is; -1 otherwise."""
        own = self._context.cluster.pods.nominated.item(pod)
        if own == NONE:
            return NONE
        heard = self._up_to_date(spec, prepare)
        others = heard.answers.feasible - heard.answers.passes.item(own)
        return own if others == 0 and _ask(heard, own, pod, prepare) is None else NONE

    def _up_to_date(self, spec: PodSpec, prepare: Prepare) -> _Heard:
        """What a pod of the template hears that is nominated nowhere."""
        cluster, changes = self._context.cluster, self._context.cluster.node_changes
        nodes = self._context.nodes_version(), cluster.nodes.count, self._context.rules.version()
        heard = self._heard.get(spec.index)
        changed = None if heard is None or heard.nodes != nodes else changes.since(heard.cursor[0])
        look: Iterable[int] = () if changed is None else dict.fromkeys(changed)
        if heard is None or changed is None or len(changed) > FEW:
            heard, look = self._asked_afresh(prepare(), nodes), cluster.nominated_pods
            self._heard[spec.index] = heard
        for node in look:
            heard.answers.put(node, _ask(heard, node, NONE, prepare))
        heard.cursor[0] = changes.cursor
        return heard

    def _asked_afresh(self, prepared: Prepared, nodes: tuple[int, int, int]) -> _Heard:
        """Without the pods nominated to nodes."""
        cluster = self._context.cluster
        answers = NodeAnswers(prepared.plain_verdicts(None), cluster.nodes.exists)
        if self._room is None or not prepared.is_refused_by_room_last:
            return _Heard(nodes, answers, [0], None)
        return _Heard(nodes, answers, [0], RoomAnswers(cluster, self._room, prepared, answers))


def _ask(heard: _Heard, node: int, left_out: int, prepare: Prepare) -> NodeAnswer | None:
    if heard.room is not None:
        return heard.room.of(node, left_out)
    refusal = prepare().refuse_with_nominated(node, left_out)
    return None if refusal is None else NodeAnswer.of(refusal)
