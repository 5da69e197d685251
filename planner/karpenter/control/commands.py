"""Commands under way: replacements are awaited, then the nodes are deleted.

Source: Karpenter 1.13, pkg/controllers/disruption/queue.go.
"""

from dataclasses import dataclass, field

from planner.karpenter.control.provisioner import Provisioner
from planner.karpenter.control.world import KarpenterRecords, KarpenterWorld
from planner.karpenter.disruption.commands import DisruptionCommand
from planner.units import US_PER_H, US_PER_MIN, US_PER_MS

STEP_US = 1_000_000
"""Time between two looks at the replacements."""


@dataclass
class _Running:
    command: DisruptionCommand
    replacements: tuple[str, ...]
    began_us: int
    ready: dict[str, None] = field(default_factory=dict)


class CommandQueue:
    """Carries commands out, any number at a time."""

    def __init__(self, world: KarpenterWorld, provisioner: Provisioner, records: KarpenterRecords) -> None:
        self._world = world
        self._provisioner = provisioner
        self._records = records
        self._running: list[_Running] = []

    @property
    def is_busy(self) -> bool:
        """Whether any command is under way."""
        return bool(self._running)

    def start(self, command: DisruptionCommand) -> bool:
        """Taint the nodes, launch replacements, mark the nodes; whether the command is under way."""
        world = self._world
        claims = [world.claims[each.node.name] for each in command.candidates]
        for claim in claims:
            world.taint(claim, True)
        launched = self._provisioner.create(command.replacements, world.view()) if command.replacements else []
        if len(launched) < len(command.replacements):
            self._records.command_rejected(command, "a replacement could not be launched")
            return False
        for claim in claims:
            claim.in_command = claim.is_marked = True
        self._provisioner.nominate(command.nominated)
        names = tuple(claim.name for claim in launched)
        self._running.append(_Running(command, names, world.now_us))
        self._records.command_begun(command, names)
        world.changed()
        return True

    def step(self) -> None:
        """Delete the nodes of commands whose replacements are initialized; give up those that take too long."""
        self._running = [each for each in self._running if not self._is_over(each)]

    def _is_over(self, running: _Running) -> bool:
        world = self._world
        for name in running.replacements:
            claim = world.claims.get(name)
            if claim is None and name not in running.ready:
                return self._give_up(running, "a replacement is gone")
            if claim is not None and claim.initialized_us is not None:
                running.ready[name] = None
        is_late = world.now_us - running.began_us > self._longest_us()
        if len(running.ready) < len(running.replacements):
            return self._give_up(running, "the replacements were not ready in time") if is_late else False
        for candidate in running.command.candidates:
            claim = world.claims.get(candidate.node.name)
            if claim is not None:
                claim.begin_deletion(world.now_us)
                claim.in_command = False
        world.changed()
        return True

    def _longest_us(self) -> int:
        nodes = sum(len(each.command.candidates) for each in self._running)
        return min(max(80 * US_PER_MS * nodes, 10 * US_PER_MIN), US_PER_H)

    def _give_up(self, running: _Running, why: str) -> bool:
        for candidate in running.command.candidates:
            claim = self._world.claims.get(candidate.node.name)
            if claim is not None:
                claim.in_command = claim.is_marked = False
                self._world.taint(claim, False)
        self._records.command_rejected(running.command, why)
        self._world.changed()
        return True
