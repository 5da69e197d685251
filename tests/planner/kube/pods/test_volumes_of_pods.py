"""Pods go where their bound volumes are, whatever their controller."""

from io import BytesIO

import pytest

from planner.api import import_plan

NODES = "".join(
    f"""---
apiVersion: v1
kind: Node
metadata: {{name: {zone}-1, labels: {{topology.kubernetes.io/zone: {zone}}}}}
status: {{allocatable: {{cpu: "4", memory: 8Gi, pods: "110"}}}}
"""
    for zone in ("a", "b", "c")
)
VOLUME = """---
apiVersion: v1
kind: PersistentVolume
metadata: {{name: {name}}}
spec:
  claimRef: {{namespace: default, name: {claim}}}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions: [{{key: topology.kubernetes.io/zone, operator: In, values: [{zone}]}}]
"""
POD = "containers: [{name: main, resources: {requests: {cpu: 100m}}}]"
CLAIMED = POD + ", volumes: [{name: data, persistentVolumeClaim: {claimName: disk}}]"
DEPLOYMENT = (
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3, selector: {matchLabels: "
    "{app: web}}, template: {metadata: {labels: {app: web}}, spec: {" + CLAIMED + "}}}\n"
)
BARE = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {" + CLAIMED + "}\n"
JOB = (
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec: {parallelism: 2, completions: 2, template: "
    "{spec: {restartPolicy: Never, " + CLAIMED + "}}}\n"
)
SET = (
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {replicas: 3, serviceName: db, selector: "
    "{matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {" + POD + "}}, volumeClaimTemplates: "
    "[{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]}\n"
)


def imported(text):
    return import_plan(["-"], BytesIO(text.encode()))


@pytest.mark.parametrize("workload", [DEPLOYMENT, BARE, JOB], ids=["Deployment", "bare pod", "Job"])
def test_pods_are_tied_to_the_zone_of_their_bound_volume(workload):
    found = imported(NODES + workload + VOLUME.format(name="pv-1", claim="disk", zone="b"))
    (term,) = found.plan.workloads[0].pod.required_node_affinity
    assert (term.match_expressions[0].key, term.match_expressions[0].values) == ("topology.kubernetes.io/zone", ("b",))
    assert not [loss for loss in found.losses if "persistentVolumeClaim" in loss.path]


def test_the_claim_names_the_volume_as_well():
    claim = "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: disk}\nspec: {volumeName: pv-1}\n"
    volume = VOLUME.format(name="pv-1", claim="disk", zone="c").replace(
        "  claimRef: {namespace: default, name: disk}\n", ""
    )
    found = imported(NODES + DEPLOYMENT + claim + volume)
    assert found.plan.workloads[0].pod.required_node_affinity[0].match_expressions[0].values == ("c",)


def test_affinity_of_the_pod_and_of_its_volume_hold_together():
    own = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
        "{matchExpressions: [{key: disk, operator: Exists}]}, {matchExpressions: [{key: gpu, operator: Exists}]}]}}}, "
    )
    both = DEPLOYMENT.replace("containers:", own + "containers:")
    plan = imported(NODES + both + VOLUME.format(name="pv-1", claim="disk", zone="b")).plan
    terms = plan.workloads[0].pod.required_node_affinity
    keys = [[requirement.key for requirement in term.match_expressions] for term in terms]
    assert keys == [["disk", "topology.kubernetes.io/zone"], ["gpu", "topology.kubernetes.io/zone"]]


def test_volumes_of_a_stateful_set_keep_each_ordinal_in_its_zone():
    volumes = VOLUME.format(name="pv-0", claim="data-db-0", zone="c") + VOLUME.format(
        name="pv-1", claim="data-db-1", zone="a"
    )
    found = imported(NODES + SET + volumes)
    assert found.plan.workloads[0].stateful.claim_zones == ("c", "a")
    assert found.plan.workloads[0].pod.zonal_claim


def test_a_claim_without_a_known_volume_is_listed_and_ties_nothing():
    found = imported(NODES + DEPLOYMENT)
    assert not found.plan.workloads[0].pod.required_node_affinity
    (loss,) = [loss for loss in found.losses if "persistentVolumeClaim" in loss.path]
    assert "not among the manifests" in loss.reason


def test_a_volume_that_every_node_reaches_ties_nothing_and_is_no_loss():
    volume = VOLUME.format(name="pv-1", claim="disk", zone="b").partition("  nodeAffinity:")[0]
    found = imported(NODES + DEPLOYMENT + volume)
    assert not found.plan.workloads[0].pod.required_node_affinity
    assert not [loss for loss in found.losses if "persistentVolumeClaim" in loss.path]
