"""How long it takes to open a snapshot of a large cluster: 5,000 nodes, 150,000 pods of 500 Deployments."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner import api

NODES, PODS, DEPLOYMENTS = 5_000, 150_000, 500
_SPEC = {
    "serviceAccountName": "default",
    "restartPolicy": "Always",
    "containers": [
        {
            "name": "main",
            "image": "registry.example/app:1",
            "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
            "volumeMounts": [{"name": "token", "mountPath": "/var/run/secrets"}],
        }
    ],
}


def _object(api_version: str, kind: str, metadata: dict[str, Any], **body: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}


def _nodes() -> Iterator[dict[str, Any]]:
    amounts = {"cpu": "16", "memory": "64Gi", "pods": "110"}
    for number in range(NODES):
        name = f"node-{number}"
        labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % 3}"}
        labels["cloud.google.com/gke-nodepool"] = "general"
        yield _object("v1", "Node", {"name": name, "labels": labels}, status={"capacity": amounts})


def _controllers() -> Iterator[dict[str, Any]]:
    for number in range(DEPLOYMENTS):
        name = f"app-{number}"
        template = {"metadata": {"labels": {"app": name}}, "spec": _SPEC}
        spec = {"replicas": PODS // DEPLOYMENTS, "selector": {"matchLabels": {"app": name}}, "template": template}
        yield _object("apps/v1", "Deployment", {"name": name, "namespace": "default"}, spec=spec)
        owner = [{"kind": "Deployment", "name": name, "controller": True}]
        yield _object("apps/v1", "ReplicaSet", {"name": f"{name}-1", "ownerReferences": owner}, spec=spec)


def _pods() -> Iterator[dict[str, Any]]:
    for number in range(PODS):
        app = f"app-{number % DEPLOYMENTS}"
        owner = [{"kind": "ReplicaSet", "name": f"{app}-1", "controller": True}]
        labels = {"app": app, "pod-template-hash": "1"}
        metadata = {"name": f"{app}-1-{number}", "labels": labels, "ownerReferences": owner}
        status = {"phase": "Running"}
        yield _object("v1", "Pod", metadata, spec={**_SPEC, "nodeName": f"node-{number % NODES}"}, status=status)


def open_snapshot() -> dict[str, float]:
    """Reading the dump, mapping it, checking the plan and placing every pod; the import is also timed alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cluster.json"
        items = [*_nodes(), *_controllers(), *_pods()]
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        del items
        started = time.perf_counter()
        plan = api.import_plan([str(path)]).plan
        imported = time.perf_counter()
        result = api.place_plan(plan)
        placed = time.perf_counter()
    assert len(result.pods) == PODS
    assert all(row["node"] is not None for row in result.pods)
    return {"open_150000": placed - started, "import_150000": imported - started}


CASES = {"open_150000": open_snapshot, "import_150000": open_snapshot}
UNITS = {"open_150000": "s", "import_150000": "s"}
