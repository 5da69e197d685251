"""Typical manifests without nodes: after a pool of catalogue machines was added, their pods can run."""

import pytest

from planner import api
from planner.plan.edits.machine_catalogue import find_machine, machine_catalogue

CATALOGUE = machine_catalogue()
PLACES = {
    "an operating system by selector": "nodeSelector: {kubernetes.io/os: linux}",
    "an operating system by its former label": "nodeSelector: {beta.kubernetes.io/os: linux}",
    "an architecture by affinity": """
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}]
      - matchExpressions: [{key: beta.kubernetes.io/arch, operator: In, values: [amd64, arm64]}]""",
    "a spread over zones": """
topologySpreadConstraints:
- {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
   labelSelector: {matchLabels: {app: web}}}""",
    "a spread over zones by the former label": """
topologySpreadConstraints:
- {maxSkew: 1, topologyKey: failure-domain.beta.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
   labelSelector: {matchLabels: {app: web}}}""",
    "another node for each pod": """
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}""",
    "the region": """
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: topology.kubernetes.io/region, operator: Exists}]""",
    "a machine type": """
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: node.kubernetes.io/instance-type, operator: Exists}]""",
}


def manifest(placing, requests="{cpu: 100m, memory: 128Mi, ephemeral-storage: 1Gi}"):
    inner = placing.strip().replace("\n", "\n      ")
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 3
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      {inner}
      containers:
      - {{name: main, image: web, resources: {{requests: {requests}}}}}
"""


def placed(tmp_path, text, machine, size):
    path = tmp_path / "web.yaml"
    path.write_text(text)
    plan = api.with_machine(api.import_plan([str(path)]).plan, "pool", machine, CATALOGUE, add=True)
    group = plan.node_groups[-1].model_copy(update={"initial_size": size})
    plan = plan.model_copy(update={"node_groups": (*plan.node_groups[:-1], group)})
    return [row["node"] for row in api.place_plan(plan).pods]


@pytest.mark.parametrize("name", ["m6i.xlarge", "m7g.xlarge", "e2-standard-4", "c4a-standard-4", "Standard_D4s_v5"])
@pytest.mark.parametrize("placing", PLACES.values(), ids=PLACES)
def test_pods_of_typical_manifests_run_on_catalogue_machines(tmp_path, placing, name):
    nodes = placed(tmp_path, manifest(placing), find_machine(CATALOGUE, name), size=3)
    assert len(nodes) == 3 and all(nodes)


@pytest.mark.parametrize(("name", "fits"), [("m6i.xlarge", False), ("e2-standard-4", True), ("Standard_D4s_v5", True)])
def test_scratch_space_is_what_the_service_leaves_of_the_default_disk(tmp_path, name, fits):
    text = manifest("", "{cpu: 100m, ephemeral-storage: 18Gi}")
    assert all(placed(tmp_path, text, find_machine(CATALOGUE, name), size=3)) == fits


def test_a_gpu_machine_runs_pods_that_select_its_model(tmp_path):
    placing = "nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}"
    text = manifest(placing, "{cpu: 1}, limits: {nvidia.com/gpu: 1}").replace("replicas: 3", "replicas: 2")
    assert all(placed(tmp_path, text, find_machine(CATALOGUE, "g2-standard-24"), size=1))
