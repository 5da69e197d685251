"""Why fields of a manifest that were not read are left out."""

from collections.abc import Mapping
from types import MappingProxyType

from planner.kube.draft.left_out import Losses
from planner.kube.files.field import Field
from planner.language.translation import marked, tr

_BOOKKEEPING = ("apiVersion", "kind", "metadata", "status")
"""Set by the API server, or written back by controllers; an import needs none of it."""
_WITHOUT_EFFECT = frozenset(
    """
    activeDeadlineSeconds args automountServiceAccountToken clusterIP clusterIPs command completionMode description
    dnsConfig dnsPolicy enableServiceLinks env envFrom finalizers fsGroup hostAliases hostIPC hostname hostNetwork
    hostPID hostUsers imagePullPolicy imagePullSecrets minReadySeconds name nodeName os podManagementPolicy
    podReplacementPolicy preemptionPolicy progressDeadlineSeconds protocol readOnly readOnlyRootFilesystem
    restartPolicy revisionHistoryLimit runAsUser schedulerName securityContext selector serviceAccount
    serviceAccountName serviceName setHostnameAsFQDN shareProcessNamespace stdin stdinOnce strategy subdomain suspend
    terminationMessagePath terminationMessagePolicy tty ttlSecondsAfterFinished volumeDevices volumeMounts workingDir
    """.split()
)
"""Fields that say how a program runs, not what it needs of the cluster."""
_NO_EFFECT = marked("they do not affect scheduling")
_OTHER = marked("the plan has no such setting")
_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "livenessProbe": marked("programs do not hang in a simulation"),
        "lifecycle": marked("hooks are not run; set pod.terminationTime"),
        "readinessProbe": marked("only initialDelaySeconds counts, as the readiness delay"),
        "startupProbe": marked("only initialDelaySeconds counts, as the readiness delay"),
        "persistentVolumeClaim": marked("its volume is not among the manifests, so that it ties the pods to no zone"),
        "volumeClaimTemplates": marked("volumes do not tie pods to a zone"),
        "persistentVolumeClaimRetentionPolicy": marked("volumes do not tie pods to a zone"),
        "overhead": marked("the runtime class sets it; import the RuntimeClass too"),
        "resourceClaims": marked("dynamic resource allocation is not modelled"),
        "claims": marked("dynamic resource allocation is not modelled"),
        "scheduling": marked("set node selector and tolerations in the pods themselves"),
        "rollingUpdate": marked("updates of DaemonSets are not modelled"),
        "updateStrategy": marked("updates of DaemonSets are not modelled"),
        "podFailurePolicy": marked("pods of a Job fail by job.failureRatio"),
        "backoffLimitPerIndex": marked("pods of a Job fail by job.failureRatio"),
        "successPolicy": marked("a Job ends with its completions"),
    }
)


def tell_unread(manifest: Field, kind: str, losses: Losses) -> None:
    """Adds everything of the manifest that was not taken."""
    for path in manifest.untaken():
        if path.partition(".")[0] in _BOOKKEEPING or path.startswith("spec.template.metadata"):
            continue
        steps = path.replace("[]", "").split(".")
        last, known = steps[-1], next((step for step in steps if step in _REASONS), None)
        if known is not None:
            losses.add(kind, path[: path.index(known) + len(known)], tr(_REASONS[known]))
        elif last in _WITHOUT_EFFECT or "securityContext" in path or _is_volume(path):
            losses.add(kind, tr("how its programs run (command, env, mounts and the like)"), tr(_NO_EFFECT))
        else:
            losses.add(kind, path, tr(_OTHER))


def _is_volume(path: str) -> bool:
    """Secrets, config maps and the like; claims have a separate reason."""
    return ".volumes[]." in path or path.endswith(".volumes[]") or ".ports[]." in path
