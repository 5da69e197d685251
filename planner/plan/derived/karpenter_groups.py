"""Karpenter's pools as node groups: what else in a run is told apart by group counts for them too."""

from planner.plan.derived.machine_choice import offerings_of
from planner.plan.model.karpenter.machine_types import MachineOffering
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pricing import Market, Pricing
from planner.plan.model.scaling_marks import NodeGroupOptions


def with_karpenter_groups(plan: Plan) -> Plan:
    """The plan with a node group behind the others for every pool of Karpenter. They begin empty.

    The Cluster Autoscaler is switched off where the plan says that it does not run.
    """
    pools, settings = plan.karpenter.node_pools, plan.cluster_autoscaler
    if settings.enabled != plan.runs_cluster_autoscaler:
        off = settings.model_copy(update={"enabled": plan.runs_cluster_autoscaler})
        plan = plan.model_copy(update={"cluster_autoscaler": off})
    return plan.model_copy(update={"node_groups": (*plan.node_groups, *map(_group, pools))}) if pools else plan


def karpenter_rows(plan: Plan) -> range:
    """Rows of these groups in a plan that has them."""
    count = len(plan.node_groups)
    return range(count - len(plan.karpenter.node_pools), count)


def karpenter_offers(plan: Plan) -> dict[str, list[MachineOffering]]:
    """What each pool of Karpenter may buy, where Karpenter runs."""
    pools, machines = plan.karpenter.node_pools, plan.karpenter.instance_types
    return {pool.name: offerings_of(pool, machines) for pool in pools} if plan.runs_karpenter else {}


def _group(pool: NodePool) -> NodeGroup:
    """Sizes and amounts are those of its machines, each of which has its own template."""
    return NodeGroup(
        name=pool.name,
        min_size=0,
        max_size=0,
        initial_size=0,
        cpu=0,
        memory=0,
        labels=pool.labels,
        taints=pool.taints,
        provisioning_delay=pool.provisioning_delay,
        provisioning_spread=pool.provisioning_spread,
        ready_delay=pool.ready_delay,
        deletion_delay=pool.deletion_delay,
        scaling=NodeGroupOptions(scale_down_disabled=True),
        pricing=Pricing(
            market=Market.SPOT if pool.spot_reclaims_per_hour else Market.ON_DEMAND,
            reclaims_per_hour=pool.spot_reclaims_per_hour,
            reclaim_notice=pool.spot_reclaim_notice,
        ),
    )
