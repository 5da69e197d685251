"""Small plans with Karpenter, and what their runs recorded."""

from typing import Any

from planner.plan.model.plan import Plan
from planner.simulation.simulation import Simulation
from tests.planner.nodes.small_plan import a_workload, run_of

Json = dict[str, Any]
SIZES = {"small": 2, "medium": 4, "large": 8}


def machine(name: str, cores: int, price: float, markets: tuple[str, ...] = ("on-demand",)) -> Json:
    """A type in the zones a and b; spot costs a third."""
    return {
        "name": name,
        "cpu": str(cores),
        "memory": f"{4 * cores}Gi",
        "offerings": [
            {"zone": zone, "capacityType": market, "price": price if market == "on-demand" else price / 3}
            for zone in ("a", "b")
            for market in markets
        ],
    }


def pool(name: str = "general", **parts: Any) -> Json:
    """A pool whose nodes register after a minute and are ready at once."""
    market = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}
    return {
        "name": name,
        "requirements": [market],
        "provisioningDelay": "60s",
        "provisioningSpread": "0s",
        "readyDelay": "0s",
        "deletionDelay": "10s",
        **parts,
    }


def karpenter_plan(pools: list[Json] | None = None, machines: list[Json] | None = None, **parts: Any) -> Plan:
    """Three machine types and no other nodes; four pods of a core each."""
    settings = {
        "nodePools": pools or [pool()],
        "instanceTypes": machines or [machine(name, cores, cores * 0.05) for name, cores in SIZES.items()],
    }
    whole: Json = {
        "simulation": {"duration": "30m", "seed": 1, "discreteRequests": False},
        "karpenter": {**settings, **parts.pop("karpenter", {})},
        "workloads": [a_workload("web", 4)],
        "scheduler": {"deterministicTies": True},
        "hpaController": {"phase": "15s", "evaluationTime": "0s"},
        **parts,
    }
    return Plan.model_validate(whole)


def machines_of(sim: Simulation) -> list[str]:
    """Types of the nodes that exist, in order of their names."""
    cluster = sim.cluster
    rows = [row for row in range(cluster.nodes.count) if cluster.nodes.exists[row]]
    return [cluster.node_labels(row).get("node.kubernetes.io/instance-type", "") for row in rows]


def names_of(sim: Simulation) -> list[str]:
    """Nodes that exist."""
    return [sim.cluster.node_name(row) for row in range(sim.cluster.nodes.count) if sim.cluster.nodes.exists[row]]


def run(plan: Plan, until_s: int | None = None) -> Simulation:
    """The run after its time, or some seconds."""
    return run_of(plan, until_s)
