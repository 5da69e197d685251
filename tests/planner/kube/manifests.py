"""Manifests for tests: imported from text, and the plan that comes of them."""

import io
from pathlib import Path

import yaml

from planner.kube.importer import Imported, import_paths

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "manifests"


def imported(text: str | bytes, strict: bool = False) -> Imported:
    """What standard input becomes."""
    return import_paths(["-"], io.BytesIO(text.encode() if isinstance(text, str) else text), strict=strict)


def imported_objects(*objects, strict: bool = False) -> Imported:
    """What objects become, written as YAML documents."""
    return imported(yaml.safe_dump_all(objects), strict)


def a_deployment(name="web", namespace="default", replicas=2, **pod_spec):
    """A Deployment of one small container."""
    container = {"name": "main", "resources": {"requests": {"cpu": "100m"}}}
    spec = {"containers": [container]} | pod_spec
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"replicas": replicas, "template": {"metadata": {"labels": {"app": name}}, "spec": spec}},
    }


def a_node(name, memory="16Gi", labels=None, **spec):
    """A node of four cores."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name} | (labels or {})},
        "spec": spec,
        "status": {"capacity": {"cpu": "4", "memory": memory, "pods": "110"}},
    }


def losses_of(result: Imported) -> dict[tuple[str, str], int]:
    """Left-out things by kind and path."""
    return {(loss.kind, loss.path): loss.count for loss in result.losses}
