"""The containers of a pod: what they request, and what restarts them when that changes."""

from enum import StrEnum

from pydantic import Field

from planner.plan.values.fields import (
    CpuMilli,
    MemoryBytes,
    Name,
    PlanModel,
    required,
    setting,
)


class Resources(PlanModel):
    """Amounts of resources that a container requests or may use."""

    cpu: CpuMilli | None = setting(None, "CPU", "CPU; empty means not given.", unit="cores")
    memory: MemoryBytes | None = setting(None, "Memory", "Memory; empty means not given.", unit="bytes")
    ephemeral_storage: MemoryBytes | None = setting(
        None, "Ephemeral storage", "Scratch space and logs on the node's disk; empty means not given.", unit="bytes"
    )
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )


class Protocol(StrEnum):
    """Protocol of a port."""

    TCP = "TCP"
    UDP = "UDP"
    SCTP = "SCTP"


class HostPort(PlanModel):
    """A port of the node that a container occupies; no two pods on a node can have the same."""

    port: int = required("Port", "Port number on the node.", ge=1, le=65_535)
    protocol: Protocol = setting(Protocol.TCP, "Protocol", "Ports of different protocols do not conflict.")
    host_ip: str = setting("0.0.0.0", "Host address", "Address of the node; 0.0.0.0 means all.", max_length=45)


class ResizeRestart(StrEnum):
    """What becomes of a container whose resource is changed in place."""

    NOT_REQUIRED = "NotRequired"
    RESTART_CONTAINER = "RestartContainer"


class ResizePolicy(PlanModel):
    """Whether a container restarts when its requests or limits are changed in place."""

    cpu: ResizeRestart = setting(ResizeRestart.NOT_REQUIRED, "CPU", "RestartContainer: it restarts for another CPU.")
    memory: ResizeRestart = setting(
        ResizeRestart.NOT_REQUIRED, "Memory", "RestartContainer: it restarts for other memory."
    )


class Container(PlanModel):
    """One container of a pod."""

    name: Name = setting("main", "Name", "Name of the container.")
    requests: Resources = setting(Resources(), "Requests", "What the scheduler reserves for the container.")
    limits: Resources = setting(
        Resources(), "Limits", "What the container may use at most; also its request if none is given."
    )
    host_ports: tuple[HostPort, ...] = setting((), "Host ports", "Ports of the node that it occupies.", max_length=100)
    resize_policy: ResizePolicy = setting(
        ResizePolicy(), "Resize policy", "Whether it restarts when its resources are changed in place."
    )
    cpu_use: CpuMilli = setting(
        0, "Constant CPU use", "CPU the container always uses, in addition to the pod's work.", unit="cores"
    )
    cpu_share: float = setting(
        0.0, "Share of the CPU work", "Share of the pod's work it does; the first container does the rest.",
        unit="%", ge=0, le=100,
    )  # fmt: skip
    memory_share: float = setting(
        0.0, "Share of the memory", "Share of the pod's memory it uses; the first container uses the rest.",
        unit="%", ge=0, le=100,
    )  # fmt: skip
    image: str = setting(
        "", "Image", "Image name; nodes that already hold it are preferred. Empty means unknown.", max_length=500
    )


class InitContainer(Container):
    """A container that runs before the main containers, or alongside them as a sidecar."""

    sidecar: bool = setting(
        False,
        "Sidecar",
        "Keeps running alongside the main containers (restartPolicy Always); its requests are added to theirs.",
    )
