"""The machine types that Karpenter chooses from, and where they are offered at which price."""

from enum import StrEnum

from pydantic import Field

from planner.plan.model.node_groups import MAX_PODS_PER_NODE
from planner.plan.values.fields import CpuMilli, Labels, MemoryBytes, PlanModel, required, setting


class CapacityType(StrEnum):
    """How a machine is bought; values of the label karpenter.sh/capacity-type."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"


class Architecture(StrEnum):
    """Values of the label kubernetes.io/arch."""

    AMD64 = "amd64"
    ARM64 = "arm64"


class MachineOffering(PlanModel):
    """A machine type in one zone and market."""

    zone: str = required("Zone", "Value of topology.kubernetes.io/zone.", min_length=1, max_length=63)
    capacity_type: CapacityType = setting(
        CapacityType.ON_DEMAND, "Capacity type", "spot: cheaper machines that the cloud may reclaim."
    )
    price: float = required("Price", "Price of a machine.", unit="currency/h", ge=0, le=10_000)
    capacity_score: int = setting(
        10,
        "Capacity score",
        "How much spare spot capacity there is, 1 to 10, as a Spot placement score says; counts with "
        "priceCapacityOptimized only.",
        ge=1,
        le=10,
    )
    available: bool = setting(True, "Available", "Whether the cloud has such machines when the run begins.")


class MachineType(PlanModel):
    """A type of machine, with what of it pods cannot use."""

    name: str = required("Name", "Value of node.kubernetes.io/instance-type.", min_length=1, max_length=63)
    cpu: CpuMilli = required("CPU", "CPU capacity of a machine.", unit="cores")
    memory: MemoryBytes = required("Memory", "Memory capacity of a machine.", unit="bytes")
    pods: int = setting(110, "Pods", "Maximum pods on a machine.", unit="pods", ge=1, le=MAX_PODS_PER_NODE)
    ephemeral_storage: MemoryBytes = setting(0, "Ephemeral storage", "Scratch space for pods.", unit="bytes")
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources of a machine, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )
    reserved_cpu: CpuMilli = setting(0, "Reserved CPU", "CPU that pods cannot use.", unit="cores")
    reserved_memory: MemoryBytes = setting(
        0, "Reserved memory", "Memory that pods cannot use: kubelet, system and eviction threshold.", unit="bytes"
    )
    reserved_storage: MemoryBytes = setting(0, "Reserved storage", "Scratch space that pods cannot use.", unit="bytes")
    architecture: Architecture = setting(Architecture.AMD64, "Architecture", "Value of kubernetes.io/arch.")
    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="What the provider says about the type, for example karpenter.k8s.aws/instance-family: c7g; pools "
        "and pods may ask for it.",
        json_schema_extra={"unit": ""},
    )
    offerings: tuple[MachineOffering, ...] = setting(
        (), "Offerings", "Zones and markets in which it can be had.", max_length=200
    )
