"""The loop of disruption: one method after the other, a wait before commands of consolidation, one command a pass.

Source: Karpenter 1.13, pkg/controllers/disruption/controller.go and validation.go; a failed pass is
tried again after the times of controller-runtime 0.23.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.control.commands import CommandQueue
from planner.karpenter.control.world import KarpenterRecords, KarpenterWorld
from planner.karpenter.disruption.blockers import Blocker, Hindrance
from planner.karpenter.disruption.candidates import candidates
from planner.karpenter.disruption.commands import (
    DisruptionCandidate,
    DisruptionCommand,
    DisruptionMethod,
    RankedCandidates,
)
from planner.karpenter.disruption.evaluation import simulate, unplaced
from planner.karpenter.disruption.fruitless import FruitlessSearches
from planner.karpenter.disruption.kept_nodes import KeptNodes
from planner.karpenter.disruption.methods import DisruptionScene, find_command
from planner.karpenter.disruption.pass_budgets import ClosedPools, PoolSizes, allowed_by_pool
from planner.karpenter.provisioning.new_claims import PodFailure
from planner.units import US_PER_MIN, US_PER_MS, US_PER_S

POLL_US = 10 * US_PER_S
VALIDATION_US = 15 * US_PER_S
FIRST_RETRY_US = 5 * US_PER_MS
"""Time after which a pass is tried again whose command could not be started; it doubles with each that fails."""
LONGEST_RETRY_US = 1000 * US_PER_S
STATE_AGE_US = 5 * US_PER_MIN
"""An older state counts as changed."""
METHODS = (
    DisruptionMethod.EMPTINESS,
    DisruptionMethod.DRIFT,
    DisruptionMethod.MULTI_NODE,
    DisruptionMethod.SINGLE_NODE,
)
_BY_BUDGET = Hindrance(Blocker.BUDGET)


class ConsolidationState:
    """A stamp that is renewed when something changes, and when it is read and old."""

    def __init__(self) -> None:
        self._stamp = 0
        self._at_us = 0

    def renew(self, now_us: int) -> None:
        """Something has changed."""
        self._stamp += 1
        self._at_us = now_us

    def read(self, now_us: int) -> int:
        """The present stamp."""
        if now_us - self._at_us > STATE_AGE_US:
            self.renew(now_us)
        return self._stamp


class DisruptionLoop:
    """Looks for nodes to disrupt."""

    def __init__(
        self,
        world: KarpenterWorld,
        queue: CommandQueue,
        records: KarpenterRecords,
        state: ConsolidationState,
        spot_to_spot: bool,
        begins: datetime,
    ) -> None:
        """`begins`: calendar time at 0, for schedules."""
        self._world = world
        self._queue = queue
        self._records = records
        self._state = state
        self._spot_to_spot = spot_to_spot
        self._begins = begins
        self._closed = ClosedPools()
        self._sizes = PoolSizes()
        self._fruitless = FruitlessSearches()
        self._kept = KeptNodes()
        self._settled: dict[DisruptionMethod, int] = {}
        self._failed = 0
        """Passes one after the other whose command could not be started."""
        self.validates: DisruptionCommand | None = None
        """The command that waits for its validation."""
        self.due_us = POLL_US
        """When the loop goes on: with a pass, or with the validation of a command."""

    def go_on(self) -> None:
        """Begin a pass, or validate and go on with the one that waits."""
        waiting, self.validates = self.validates, None
        if waiting is None:
            self._clean_up()
            self._pass(METHODS)
            return
        valid = self._validated(waiting)
        if valid is None:
            self._pass(METHODS[METHODS.index(waiting.method) + 1 :])
        else:
            self._start(valid)

    def _start(self, command: DisruptionCommand) -> None:
        """Carry out a command. Where that fails, as where a pool is beyond a limit, the whole pass is tried again."""
        if self._queue.start(command):
            self.due_us, self._failed = self._world.now_us, 0
            return
        self.due_us = self._world.now_us + min(FIRST_RETRY_US << self._failed, LONGEST_RETRY_US)
        self._failed += 1

    def _clean_up(self) -> None:
        """Nodes that no command has lose the taint."""
        for claim in self._world.register.stray_of(self._world.claims):
            self._world.taint(claim, False)

    def _pass(self, methods: tuple[DisruptionMethod, ...]) -> None:
        now_us = self._world.now_us
        self.due_us = now_us + POLL_US
        view: ClusterView | None = None
        for method in methods:
            if self._is_settled(method) or self._is_idle(method):
                continue
            view = view or self._world.view()
            command = self._search(method, view)
            if command is None:
                continue
            if method.waits:
                self.validates, self.due_us = command, now_us + VALIDATION_US
                return
            self._start(command)
            return
        self._failed = 0

    def _is_settled(self, method: DisruptionMethod) -> bool:
        """Nothing has changed since the method found nothing; drift looks every time."""
        if method is DisruptionMethod.DRIFT:
            return not self._world.register.drifted_of(self._world.claims)
        return self._settled.get(method) == self._state.read(self._world.now_us)

    def _is_idle(self, method: DisruptionMethod) -> bool:
        """Whether the method provably finds nothing: no pool lets nodes go for its reason, or no node is empty."""
        if method is DisruptionMethod.EMPTINESS and not self._world.has_bare_nodes():
            return True
        is_closed = self._closed.are_closed(self._world.provider.pools, method.reason, self._now())
        if is_closed and method is DisruptionMethod.SINGLE_NODE:
            held = (claim.name for claim in self._world.claims.values() if not claim.is_going)
            self._records.blocked(dict.fromkeys(held, _BY_BUDGET))
        return is_closed

    def _now(self) -> datetime:
        return self._begins + timedelta(microseconds=self._world.now_us)

    def _search(self, method: DisruptionMethod, view: ClusterView) -> DisruptionCommand | None:
        chosen = self._candidates(method, view)
        scene = self._scene(method, view)
        if method is DisruptionMethod.SINGLE_NODE:
            self._records.blocked(self._blocked(scene, chosen))
        if not chosen:
            return None
        search = self._fruitless.of(method, scene, chosen)
        if search is None:
            search = find_command(method, scene, chosen)
            self._fruitless.note(method, scene, chosen, search)
        # while nodes start up pods soon may find room, so that it is not looked up which of them do not
        is_lasting = bool(search.obstacles) and not self._world.provider.rounds(view).has_unfinished
        self._records.searched(search, partial(self._unplaced, view, chosen) if is_lasting else None)
        if search.command is None and not search.held_back:
            self._settled[method] = self._state.read(self._world.now_us)
        return search.command and replace(search.command, allowed=scene.allowed)

    def _unplaced(self, view: ClusterView, chosen: RankedCandidates, name: str) -> Sequence[PodFailure]:
        candidate = next(each for each in chosen if each.node.name == name)
        return unplaced(view, self._world.provider, candidate)

    def _candidates(self, method: DisruptionMethod, view: ClusterView) -> RankedCandidates:
        provider, now_us = self._world.provider, self._world.now_us
        if method in (DisruptionMethod.MULTI_NODE, DisruptionMethod.SINGLE_NODE):
            return self._kept.candidates(view, provider, now_us)
        is_emptiness = method is DisruptionMethod.EMPTINESS
        nodes = self._world.bare_nodes(view) if is_emptiness else view.nodes
        return candidates(view, nodes, provider, method, now_us)

    def _blocked(self, scene: DisruptionScene, chosen: RankedCandidates) -> dict[str, Hindrance]:
        """Why nodes are not looked at: a budget holds them back, or they are no candidates."""
        closed = [pool for pool, allowed in scene.allowed.items() if allowed == 0]
        kept = self._kept.reasons(scene.view, scene.provider)
        found = {node.name: _BY_BUDGET for node in chosen.nodes if node.pool in closed} if closed else {}
        return {**found, **kept} if found else kept

    def _scene(self, method: DisruptionMethod, view: ClusterView) -> DisruptionScene:
        return DisruptionScene(view, self._world.provider, self._spot_to_spot, self._allowed(method, view))

    def _allowed(self, method: DisruptionMethod, view: ClusterView) -> Mapping[str, int]:
        return allowed_by_pool(self._sizes.of(view.nodes), self._world.provider.pools, method.reason, self._now())

    # -- validation ---------------------------------------------------------------------------

    def _validated(self, command: DisruptionCommand) -> DisruptionCommand | None:
        """The command if it still holds; of empty nodes those that are still empty."""
        view = self._world.view()
        names = {each.node.name for each in command.candidates}
        chosen = self._candidates(command.method, view)
        still = [chosen[at] for at, name in enumerate(chosen.names) if name in names]
        within = self._within_budgets(command.method, view, still)
        if command.method is DisruptionMethod.EMPTINESS and within:
            return replace(command, candidates=tuple(within))
        why = self._objection(command, view, still, within)
        if why is None:
            return command
        self._records.command_rejected(command, why)
        return None

    def _objection(
        self,
        command: DisruptionCommand,
        view: ClusterView,
        still: list[DisruptionCandidate],
        within: list[DisruptionCandidate],
    ) -> str | None:
        if command.method is DisruptionMethod.EMPTINESS:
            return "no node is still empty within the budgets"
        if len(still) < len(command.candidates):
            return "a node is no candidate any more"
        if len(within) < len(command.candidates):
            return "a budget no longer allows it"
        simulated = simulate(view, self._world.provider, tuple(still))
        claims, wanted = simulated.result.claims, command.replacements
        if simulated.failures or len(claims) != len(wanted):
            return "the pods would no longer be placed so"
        if wanted and not frozenset(wanted[0].types) <= frozenset(claims[0].types):
            return "the pods would need another machine"
        return None

    def _within_budgets(
        self, method: DisruptionMethod, view: ClusterView, chosen: list[DisruptionCandidate]
    ) -> list[DisruptionCandidate]:
        left = dict(self._allowed(method, view))
        found = []
        for candidate in chosen:
            if left[candidate.pool] > 0:
                left[candidate.pool] -= 1
                found.append(candidate)
        return found
