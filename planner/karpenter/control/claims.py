"""What Karpenter knows of the nodes that it has launched.

Source: Karpenter 1.13, pkg/apis/v1/nodeclaim_status.go, pkg/controllers/state/statenode.go.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.lifecycle.conditions import DRIFT_INTERVAL_US, expires_us, rest_state
from planner.karpenter.pod_view import PodView
from planner.karpenter.pools.pool_rules import PoolRules
from planner.matching.taints import NodeTaint
from planner.plan.model.node_groups import ZONE_LABEL
from planner.state.resources import Amounts

NOMINATION_BATCHES = 2
SHORTEST_NOMINATION_US = 10_000_000
FOREVER_US = 1 << 62
_KNOWN = ("known_phase", "known_view")
_UNSET = object()
_LEAVES = ("is_tainted", "deletion_us")


@dataclass(eq=False)
class ClaimRegister:
    """Which claims of a cluster have changed, so that the others need not be asked. By name."""

    leaving: "dict[str, Claim]" = field(default_factory=dict)
    """Those that have been tainted, or are being deleted."""
    drifted: "dict[str, Claim]" = field(default_factory=dict)
    """Those that have been found to have drifted."""
    unseen: "dict[str, Claim]" = field(default_factory=dict)
    """Those whose node may look otherwise than it was seen last."""

    def drifted_of(self, claims: "Mapping[str, Claim]") -> "list[Claim]":
        """Those of these claims that have drifted."""
        gone = [n for n, claim in self.drifted.items() if claim.drifted_us is None or claims.get(n) is not claim]
        for name in gone:
            del self.drifted[name]
        return list(self.drifted.values())

    def stray_of(self, claims: "Mapping[str, Claim]") -> "list[Claim]":
        """Those of these claims that are tainted though no command has them and they stay, in their order."""
        stray = {n for n, claim in self.leaving.items() if claim.is_stray and claims.get(n) is claim}
        return [claim for name, claim in claims.items() if name in stray] if stray else []


@dataclass(eq=False)
class Claim:
    """One node that Karpenter launched, from the launch to its end. Times are microseconds."""

    name: str
    pool: PoolRules
    """As it was when the node was launched: end of life, grace period and taints stay those of that time."""
    made_of: Hashable
    """Identity of the template that it was launched from."""
    labels: Mapping[str, str]
    created_us: int
    registered_us: int | None = None
    initialized_us: int | None = None
    last_pod_event_us: int | None = None
    drifted_us: int | None = None
    drift_reason: str = ""
    provider_drift: str = ""
    """What differs from its node class by now, as the provider says."""
    last_matched: PoolRules | None = None
    """The pool of which it was found to be what would be launched."""
    compared_us: int | None = None
    """When its type was last found in the catalogue."""
    nominated_until_us: int = 0
    in_command: bool = False
    is_marked: bool = False
    """Marked for deletion by a command that has begun."""
    is_tainted: bool = False
    holds_buffer: bool = False
    """The last round found room for capacity buffers on the node."""
    deletion_us: int | None = None
    """When its deletion was asked for."""
    drain_began_us: int | None = None
    instance_deleted_us: int | None = None
    """When the cloud was told to delete the machine."""
    pool_now: PoolRules | None = None
    """Its pool as it is by now; None: as it was."""
    register: ClaimRegister = field(default_factory=ClaimRegister, repr=False)
    """Common to all claims of a cluster."""
    known_phase: "tuple[ClaimPhase, int] | None" = field(default=None, init=False, repr=False)
    """Its phase as it was read last, and when that changes by itself; forgotten with every change of the claim."""
    known_view: NodeView | None = field(default=None, init=False, repr=False)
    """Its node as it was seen last; forgotten likewise, and with every change of the node."""

    @property
    def zone(self) -> str:
        """Of its machine."""
        return self.labels.get(ZONE_LABEL, "")

    def __setattr__(self, name: str, value: object) -> None:
        if name in _KNOWN:
            object.__setattr__(self, name, value)
            return
        is_change = getattr(self, name, _UNSET) != value
        object.__setattr__(self, name, value)
        register: ClaimRegister | None = self.__dict__.get("register")
        if is_change and register is not None:
            self._note_change(register, name, value)

    def _note_change(self, register: ClaimRegister, name: str, value: object) -> None:
        self.known_phase = self.known_view = None
        register.unseen[self.name] = self
        if name in _LEAVES and value is not None and value is not False:
            register.leaving[self.name] = self
        elif name == "drifted_us" and value is not None:
            register.drifted[self.name] = self

    @property
    def is_going(self) -> bool:
        """Marked by a command, or being deleted."""
        return self.is_marked or self.deletion_us is not None

    @property
    def is_stray(self) -> bool:
        """Tainted, though no command has it and it stays."""
        return self.is_tainted and not (self.in_command or self.is_going)

    @property
    def termination_us(self) -> int | None:
        """When its drain is cut short; None: never."""
        grace_us = self.pool.termination_grace_us
        return None if self.deletion_us is None or grace_us is None else self.deletion_us + grace_us

    @property
    def expires_us(self) -> int | None:
        """When it is deleted for its age."""
        return expires_us(self.created_us, self.pool.expire_after_us)

    def next_look_us(self, now_us: int) -> int:
        """When drift or expiry is looked at again."""
        end_us = self.expires_us
        return (
            now_us + DRIFT_INTERVAL_US if end_us is None else max(now_us + 1, min(end_us, now_us + DRIFT_INTERVAL_US))
        )

    def nominate(self, now_us: int, longest_batch_us: int) -> None:
        """Pods have been put on the node: it is no candidate for a while."""
        self.nominated_until_us = now_us + max(NOMINATION_BATCHES * longest_batch_us, SHORTEST_NOMINATION_US)

    def begin_deletion(self, now_us: int) -> None:
        """Its deletion is asked for, at most once."""
        if self.deletion_us is None:
            self.deletion_us = now_us


class ClaimMachine(NamedTuple):
    """The machine of a claim as the API shows it."""

    taints: tuple[NodeTaint, ...]
    capacity: Amounts
    allocatable: Amounts
    is_ready: bool
    pods: Sequence[PodView] = ()
    requested: Amounts | None = None
    """Requests of its pods together, where they are known."""


class ClaimPhase(NamedTuple):
    """Where a claim is in its life, as rules see it."""

    is_registered: bool
    is_initialized: bool
    is_going: bool
    is_instance_terminating: bool
    is_nominated: bool
    is_consolidatable: bool
    in_command: bool
    drifted_us: int | None
    holds_buffer: bool = False


def claim_phase(claim: Claim, now_us: int) -> ClaimPhase:
    """The phase at present."""
    known = claim.known_phase
    if known is None or known[1] <= now_us:
        known = claim.known_phase = _phase(claim, now_us)
    return known[0]


def _phase(claim: Claim, now_us: int) -> tuple[ClaimPhase, int]:
    """The phase, and when it changes unless something happens."""
    rest = rest_state(claim.pool_now or claim.pool, claim.initialized_us, claim.last_pod_event_us, now_us)
    is_nominated = now_us < claim.nominated_until_us
    phase = ClaimPhase(
        claim.registered_us is not None,
        claim.initialized_us is not None,
        claim.is_going,
        claim.instance_deleted_us is not None,
        is_nominated,
        rest.is_consolidatable,
        claim.in_command,
        claim.drifted_us,
        claim.holds_buffer,
    )
    ends_us = (claim.nominated_until_us if is_nominated else None, rest.due_us)
    return phase, min((end_us for end_us in ends_us if end_us is not None), default=FOREVER_US)


def claim_view(claim: Claim, machine: ClaimMachine, phase: ClaimPhase) -> NodeView:
    """The node as rules see it."""
    return NodeView(
        name=claim.name,
        labels=claim.labels,
        taints=machine.taints,
        capacity=machine.capacity,
        allocatable=machine.allocatable,
        pool=claim.pool.name,
        startup_taints=claim.pool.startup_taints,
        created_us=claim.created_us,
        is_ready=machine.is_ready,
        keeps_itself=claim.pool.keeps_nodes,
        expire_after_us=claim.pool.expire_after_us,
        termination_grace_us=claim.pool.termination_grace_us,
        pods=machine.pods,
        requested=machine.requested,
        **phase._asdict(),
    )
