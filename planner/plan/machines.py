"""The machine catalogue: sizes and example list prices to begin a node pool with; the pool's own price counts."""

import json
from pathlib import Path

from planner.plan.fields import CpuMilli, MemoryBytes, PlanModel, required, setting
from planner.plan.node_groups import NodeGroup

CATALOGUE = Path(__file__).resolve().parents[2] / "resources" / "machines.json"


class Machine(PlanModel):
    """A kind of machine that clouds rent out."""

    name: str = required("Name", "What the provider calls it.", min_length=1, max_length=63)
    provider: str = required("Provider", "Who rents it out.", min_length=1, max_length=63)
    cpu: CpuMilli = required("CPU", "CPU capacity.", unit="cores")
    memory: MemoryBytes = required("Memory", "Memory capacity.", unit="bytes")
    pods: int = setting(110, "Pods", "Most pods a node runs.", unit="pods", ge=1, le=1_000)
    price_per_hour: float = required("Price", "Example of a list price.", unit="currency/h", ge=0, le=10_000)

    def as_pool(self, name: str) -> NodeGroup:
        """A pool of such machines."""
        return NodeGroup(
            name=name, cpu=self.cpu, memory=self.memory, pods=self.pods, price_per_hour=self.price_per_hour
        )


class MachineCatalogue(PlanModel):
    """Machines with example prices of a certain date."""

    date: str = required("Date", "When the prices were noted.")
    currency: str = required("Currency", "Currency of the prices.")
    note: str = setting("", "Note", "What the prices are.")
    machines: tuple[Machine, ...] = required("Machines", "What can be rented.", min_length=1)


def machine_catalogue(path: Path = CATALOGUE) -> MachineCatalogue:
    """The catalogue that comes with the program, or one's own of the same form."""
    return MachineCatalogue.model_validate(json.loads(path.read_text(encoding="utf-8")))
