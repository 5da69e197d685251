"""Why a pod gets no room from a pool."""

from enum import StrEnum


class Failure(StrEnum):
    """What refused a pod, in the words of Karpenter's event FailedScheduling (1.13, provisioning/scheduling)."""

    TAINT = "did not tolerate taint"
    HOST_PORT = "a host port is in use"
    REQUIREMENTS = "incompatible requirements"
    VOLUME = "incompatible volume requirements"
    SPREAD = "unsatisfiable topology constraint for topology spread"
    AFFINITY = "unsatisfiable topology constraint for pod affinity"
    ANTI_AFFINITY = "unsatisfiable topology constraint for pod anti-affinity"
    TOPOLOGY = "topology constraints exclude each other"
    MIN_VALUES = "minValues requirement is not met"
    LIMITS = "all available instance types exceed limits for nodepool"
    NODE_LIMIT = "node limits have been exhausted for nodepool"
    NO_TEMPLATES = "nodepool requirements filtered out all available instance types"
    NO_TYPE_WITH_ANY = (
        "no instance type met the scheduling requirements or had enough resources or had a required offering"
    )
    NO_REQUIREMENTS_NO_ROOM = "no instance type met the scheduling requirements or had enough resources"
    NO_REQUIREMENTS_NO_OFFERING = "no instance type met the scheduling requirements or had a required offering"
    NO_ROOM_NO_OFFERING = "no instance type had enough resources or had a required offering"
    NO_REQUIREMENTS = "no instance type met all requirements"
    NO_ROOM = "no instance type has enough resources"
    NO_OFFERING = "no instance type has the required offering"
    NO_OFFERING_OF_SUITABLE = (
        "no instance type which met the scheduling requirements and had enough resources, had a required offering"
    )
    NO_REQUIREMENTS_OF_LARGE = (
        "no instance type which had enough resources and the required offering met the scheduling requirements"
    )
    NO_ROOM_OF_OFFERED = (
        "no instance type which met the scheduling requirements and the required offering had the required resources"
    )
    NO_TYPE_WITH_ALL = "no instance type met the requirements/resources/offering tuple"
    IGNORED = "ignoring pod, it asks for a label, value or field that Karpenter does not allow"
    UNINITIALIZED = "would schedule against uninitialized nodeclaim/node"
