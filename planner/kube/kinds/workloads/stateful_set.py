"""StatefulSets."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of
from planner.kube.pods.controllers import controller_manifest, read_controller, whole_seconds, workloads_of
from planner.kube.pods.volume_nodes import claim_zones
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import PodManagementPolicy, Workload, WorkloadKind

KIND, GROUPS = "StatefulSet", ("apps",)
ZONAL = marked(
    "StatefulSets: their volume claims are assumed to be disks of one zone; turn off pod.zonalClaim where they are not"
)
_MOST_ZONES = 10_000
_STRATEGIES = ("RollingUpdate", "OnDelete")
_CLAIM: Part = {
    "metadata": {"name": "data"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}


def read(manifest: Field, draft: Draft) -> None:
    """A StatefulSet becomes a workload; manifests do not say whether its volumes can leave their zone."""
    spec = manifest.at("spec")
    spec.at("selector").raw()
    strategy = spec.at("updateStrategy")
    on_delete = strategy.at("type").choice(_STRATEGIES) == "OnDelete"
    policy = spec.at("podManagementPolicy").choice(PodManagementPolicy)
    seconds = spec.at("minReadySeconds").seconds()
    stateful = given(
        pod_management_policy=None if policy == PodManagementPolicy.ORDERED_READY else policy,
        start_ordinal=spec.at("ordinals", "start").whole() or None,
        partition=strategy.at("rollingUpdate", "partition").whole() or None,
        on_delete=on_delete or None,
    )
    update = given(min_ready=None if seconds == "0s" else seconds)
    replicas = spec.at("replicas").whole()
    claims = spec.at("volumeClaimTemplates")
    has_claims, volumes = bool(claims.items()), _volumes(claims, draft)
    zones = _zones(manifest, claims, replicas, stateful.get("startOrdinal", 0), draft)
    stateful |= given(claim_zones=zones)
    claims.raw()
    if has_claims and not any(zones):
        draft.losses.remark(tr(ZONAL))
    read_controller(
        manifest, KIND, draft, WorkloadKind.STATEFUL_SET, replicas, stateful=stateful, update_strategy=update
    )
    draft.workloads[-1].fields["pod"] |= given(zonal_claim=has_claims or None, volumes=volumes)


def _volumes(claims: Field, draft: Draft) -> dict[str, int]:
    """Volumes of each pod by CSI driver, as far as the storage classes are known."""
    found: dict[str, int] = {}
    for claim in claims.items():
        driver = draft.provisioners.get(claim.at("spec", "storageClassName").text() or "")
        if driver is not None:
            found[driver] = found.get(driver, 0) + 1
    return found


def _zones(manifest: Field, claims: Field, replicas: int | None, first: int, draft: Draft) -> list[str]:
    """Zones of the volumes that its pods have already."""
    names = [name for claim in claims.items() if (name := claim.at("metadata", "name").text())]
    ordinals = range(first, first + min(1 if replicas is None else replicas, _MOST_ZONES))
    return claim_zones(names, ordinals, name_of(manifest), namespace_of(manifest), draft)


def write(plan: Plan) -> Iterator[Part]:
    """All StatefulSets of the plan."""
    for workload in workloads_of(plan, WorkloadKind.STATEFUL_SET):
        stateful = workload.stateful
        ordered = stateful.pod_management_policy is PodManagementPolicy.ORDERED_READY
        yield controller_manifest(
            workload,
            "apps/v1",
            service_name=workload.name,
            replicas=workload.replicas,
            min_ready_seconds=whole_seconds(workload.update_strategy.min_ready) or None,
            pod_management_policy=None if ordered else stateful.pod_management_policy.value,
            ordinals=given(start=stateful.start_ordinal or None),
            update_strategy=_strategy(workload),
            volume_claim_templates=[_CLAIM] if workload.pod.zonal_claim else None,
        )


def _strategy(workload: Workload) -> Part:
    if workload.stateful.on_delete:
        return {"type": "OnDelete"}
    if not workload.stateful.partition:
        return {}
    return {"type": "RollingUpdate", "rollingUpdate": {"partition": workload.stateful.partition}}
