"""What Karpenter's controllers act on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.control.claims import Claim, ClaimRegister
from planner.karpenter.disruption.blockers import Hindrance
from planner.karpenter.disruption.commands import DisruptionCommand
from planner.karpenter.disruption.methods import MethodSearch
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.new_claims import NewClaim, PodFailure
from planner.karpenter.provisioning.scheduling_round import RoundResult


class KarpenterWorld(Protocol):
    """The cluster and its cloud."""

    @property
    def now_us(self) -> int:
        """The present."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Claims that are not gone, by name in order of creation."""

    @property
    def register(self) -> ClaimRegister:
        """Which of them have changed."""

    @property
    def provider(self) -> KarpenterProvider:
        """Pools, machine types and flags at present."""

    def view(self) -> ClusterView:
        """The cluster as rules see it."""

    def has_bare_nodes(self) -> bool:
        """Whether some node of Karpenter may be without pods that need another node."""

    def bare_nodes(self, view: ClusterView) -> Sequence[NodeView]:
        """Those nodes, as they are seen now; all others have such pods."""

    def launch(self, new: NewClaim) -> Claim | None:
        """Buy a machine; None where no offering is available."""

    def taint(self, claim: Claim, is_disrupted: bool) -> None:
        """Put the taint karpenter.sh/disrupted on the node, or take it off."""

    def evict(self, pod: PodView) -> None:
        """Ask the eviction API to delete a pod."""

    def delete_pod(self, pod: PodView, grace_us: int) -> None:
        """Delete a pod past its budgets."""

    def delete_machine(self, claim: Claim) -> None:
        """Have the cloud delete the machine."""

    def changed(self) -> None:
        """Something has changed that consolidation may depend on."""


class KarpenterRecords(Protocol):
    """Where decisions are written down."""

    def round_done(self, result: RoundResult) -> None:
        """A scheduling round."""

    def refused(self, new: NewClaim, resource: str) -> None:
        """A claim was not created, because its pool uses more of a resource than its limit."""

    def command_begun(self, command: DisruptionCommand, replacements: tuple[str, ...]) -> None:
        """A command begins to be carried out."""

    def command_rejected(self, command: DisruptionCommand, why: str) -> None:
        """A command was dropped."""

    def searched(self, search: MethodSearch, unplaced: Callable[[str], Sequence[PodFailure]] | None) -> None:
        """A method has looked at its candidates; `unplaced` tells which pods of one (a name) find no room.

        None: that may soon be otherwise.
        """

    def blocked(self, reasons: Mapping[str, Hindrance]) -> None:
        """Why nodes (names) are not looked at by consolidation."""

    def expired(self, claim: Claim) -> None:
        """A claim has reached its age."""

    def drifted(self, claim: Claim) -> None:
        """A claim no longer is what its pool would launch."""
