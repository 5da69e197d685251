"""All known flags of the Cluster Autoscaler 1.36, and how a plan treats each of them."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Treatment(StrEnum):
    """What becomes of a flag."""

    MODELLED = "modelled"
    NO_EFFECT = "without effect in a plan"
    LEFT_OUT = "left out"


OWN_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "balancing-ignore-label": "balancing_ignore_labels",
        "balancing-label": "balancing_labels",
        "cores-total": "cores_total_min, cores_total_max",
        "memory-total": "memory_total_min, memory_total_max",
        "max-graceful-termination-sec": "max_graceful_termination",
        "startup-taint": "startup_taints",
        "ignore-taint": "startup_taints",
        "status-taint": "status_taints",
        "nodes": "",
        "node-group-auto-discovery": "",
        "capacity-buffer-controller-enabled": "",
        "capacity-buffer-pod-injection-enabled": "",
    }
)
"""Modelled flags whose setting is called otherwise; empty: node pools and capacity buffers of the plan."""

_MODELLED = """
nodes node-group-auto-discovery scan-interval frequent-loops-enabled expander max-nodes-total cores-total
memory-total gpu-total max-nodes-per-scaleup expendable-pods-priority-cutoff
new-pod-scale-up-delay scale-up-from-zero enforce-node-group-min-size force-ds
fastpath-binpacking-enabled salvo-scale-up scaleup-simulation-for-skipped-node-groups-enabled
balance-similar-node-groups balancing-ignore-label balancing-label memory-difference-ratio
max-allocatable-difference-ratio max-free-difference-ratio max-node-provision-time max-node-startup-time
force-delete-unregistered-nodes initial-node-group-backoff-duration max-node-group-backoff-duration
node-group-backoff-reset-timeout ok-total-unready-count max-total-unready-percentage scale-down-enabled
scale-down-unneeded-time scale-down-unready-time scale-down-unready-enabled scale-down-utilization-threshold
scale-down-gpu-utilization-threshold ignore-daemonsets-utilization ignore-mirror-pods-utilization
skip-nodes-with-system-pods blocking-system-pod-distruption-timeout skip-nodes-with-local-storage
skip-nodes-with-custom-controller-pods min-replica-count scale-down-delay-after-add scale-down-delay-after-delete
scale-down-delay-after-failure scale-down-delay-type-local max-scale-down-parallelism max-drain-parallelism
unremovable-node-recheck-timeout node-delete-delay-after-taint max-graceful-termination-sec max-pod-eviction-time
cordon-node-before-terminating daemonset-eviction-for-occupied-nodes daemonset-eviction-for-empty-nodes
max-bulk-soft-taint-count startup-taint ignore-taint status-taint capacity-buffer-controller-enabled
capacity-buffer-pod-injection-enabled node-deletion-delay-timeout
"""
_NO_EFFECT = """
max-nodegroup-binpacking-duration max-binpacking-time salvo-scale-up-budget scale-down-simulation-timeout
max-bulk-soft-taint-time parallel-scale-up predicate-parallelism cluster-snapshot-parallelism
node-deletion-batcher-interval node-deletion-candidate-ttl node-info-cache-expire-time
scale-down-non-empty-candidates-count scale-down-candidates-pool-ratio scale-down-candidates-pool-min-count
max-inactivity max-failing-time kube-client-qps kube-client-burst kube-api-content-type kubeconfig kubernetes namespace
cluster-name cloud-config cloud-provider regional user-agent address profiling leader-elect leader-elect-lease-duration
leader-elect-renew-deadline leader-elect-retry-period leader-elect-resource-lock leader-elect-resource-name
leader-elect-resource-namespace write-status-configmap status-config-map-name record-duplicated-events
emit-per-nodegroup-metrics debugging-snapshot-enabled node-removal-latency-tracking-enabled
gce-concurrent-refreshes gce-mig-instances-min-refresh-wait-time aws-use-static-instance-list max-startup-time
bulk-mig-instances-listing-enabled clusterapi-cloud-config-authoritative max-node-skip-eval-time-tracker-enabled
capacity-buffer-pod-dry-run-enabled
"""
_LEFT_OUT = """
node-autoprovisioning-enabled max-autoprovisioned-node-group-count async-node-groups
estimator grpc-expander-url grpc-expander-cert bypassed-scheduler-names scheduler-config-file drain-priority-config
enable-dynamic-resource-allocation enable-csi-node-aware-scheduling enable-provisioning-requests
provisioning-request-initial-backoff-time provisioning-request-max-backoff-time
provisioning-request-max-backoff-cache-size check-capacity-batch-processing
check-capacity-provisioning-request-max-batch-size check-capacity-provisioning-request-batch-timebox
check-capacity-processor-instance enable-proactive-scaleup pod-injection-limit capacity-quotas-enabled
allowed-scheduler-names startup-taint-prefix scale-from-unschedulable force-delete-failed-nodes
dynamic-node-delete-delay-after-taint-enabled
"""

FLAGS: Mapping[str, Treatment] = MappingProxyType(
    {
        flag: treatment
        for treatment, text in (
            (Treatment.MODELLED, _MODELLED),
            (Treatment.NO_EFFECT, _NO_EFFECT),
            (Treatment.LEFT_OUT, _LEFT_OUT),
        )
        for flag in text.split()
    }
)
"""Every flag, without the leading dashes."""

OLDER_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "max-empty-bulk-delete": "max-scale-down-parallelism",
        "parallel-drain": "",
        "gce-expander-ephemeral-storage-support": "",
    }
)
"""Flags that version 1.36 does not have any more, and their names in it; empty: what they switched on is always on.

The first one went with 1.33 (main.go of 1.32 copies its value), parallel-drain with 1.32, the last one with 1.33.
"""


def settings_of(flag: str) -> tuple[str, ...]:
    """Fields of the settings that a modelled flag becomes."""
    names = OWN_NAMES.get(flag, flag.replace("-", "_"))
    return tuple(name for name in names.split(", ") if name)
