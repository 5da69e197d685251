"""Labels by which the providers of Karpenter describe a machine type, so that pools and pods can ask for them.

Sources: karpenter-provider-aws 1.13, pkg/apis/v1/labels.go and pkg/providers/instancetype/types.go;
karpenter-provider-azure, pkg/apis/v1beta1/labels.go and pkg/providers/instancetype.
"""

import re

from planner.plan.edits.machine_catalogue import Machine
from planner.plan.model.kubelet import ReservationPreset
from planner.units import GIB, MIB

_AWS, _AZURE = "karpenter.k8s.aws", "karpenter.azure.com"
_AWS_NAME = re.compile(r"(?P<family>(?P<category>[a-z]+)(?P<generation>\d+)[\w-]*)\.(?P<size>[\w-]+)")
_AZURE_NAME = re.compile(r"Standard_(?P<family>[A-Z]+)\d\S*?(?:_v(?P<version>\d+))?")


def provider_labels(machine: Machine, service: ReservationPreset) -> dict[str, str]:
    """What Karpenter's provider for the managed service says about a machine; nothing where the name is unusual."""
    if service is ReservationPreset.EKS:
        return _aws_labels(machine)
    return _azure_labels(machine) if service is ReservationPreset.AKS else {}


def _aws_labels(machine: Machine) -> dict[str, str]:
    name = _AWS_NAME.fullmatch(machine.name)
    if name is None:
        return {}
    return {
        f"{_AWS}/instance-category": name["category"],
        f"{_AWS}/instance-family": name["family"],
        f"{_AWS}/instance-generation": name["generation"],
        f"{_AWS}/instance-size": name["size"],
        f"{_AWS}/instance-cpu": str(machine.cpu // 1000),
        f"{_AWS}/instance-memory": str(machine.memory // MIB),
    }


def _azure_labels(machine: Machine) -> dict[str, str]:
    name = _AZURE_NAME.fullmatch(machine.name)
    if name is None:
        return {}
    return {
        f"{_AZURE}/sku-name": machine.name,
        f"{_AZURE}/sku-family": name["family"],
        f"{_AZURE}/sku-version": name["version"] or "1",
        f"{_AZURE}/sku-cpu": str(machine.cpu // 1000),
        f"{_AZURE}/sku-memory": str(machine.memory // GIB),
    }
