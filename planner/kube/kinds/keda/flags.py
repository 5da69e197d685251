"""Annotations of KEDA that are on or off."""

from planner.kube.files.field import Field

DOMAIN = "autoscaling.keda.sh"
PAUSED = "paused"
_FALSE = ("0", "f", "F", "false", "FALSE", "False")


def is_set(annotations: Field, name: str) -> bool:
    """Any text that is no boolean counts as true (KEDA 2.18, apis/keda/v1alpha1/scaledobject_types.go)."""
    text = annotations.at(f"{DOMAIN}/{name}").text()
    return text is not None and text not in _FALSE
