"""What the settings of a plan are called in Kubernetes: the field of an object, a flag or an annotation.

Only settings that have such a name are listed; the others are the simulation's own. Names as in Kubernetes 1.36
(staging/src/k8s.io/api), the autoscaler 1.36, KEDA 2 and Karpenter 1.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from planner.plan.derived.kubernetes.autoscaler_flags import FLAGS, OWN_NAMES

_META = "name=metadata.name namespace=metadata.namespace"
_RESOURCES = "cpu memory ephemeral_storage=ephemeral-storage"
_CONTAINER = "name image requests=resources.requests limits=resources.limits host_ports=ports[].hostPort"

_FIELDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "PriorityClass": ("PriorityClass", "name=metadata.name value global_default preemption_policy"),
    "RuntimeClass": ("RuntimeClass", "name=metadata.name overhead=overhead.podFixed"),
    "Namespace": ("Namespace", "name=metadata.name labels=metadata.labels"),
    "ResourceQuota": (
        "ResourceQuota",
        "name=metadata.name pods=spec.hard.pods requests=spec.hard.requests.* limits=spec.hard.limits.*",
    ),
    "Service": ("Service", f"{_META} selector=spec.selector"),
    "Workload": (
        "", f"{_META} kind replicas=spec.replicas pod=spec.template update_strategy=spec.strategy",
    ),
    "PodTemplate": (
        "Pod",
        "labels=metadata.labels containers=spec.containers init_containers=spec.initContainers "
        "resources=spec.resources.requests limits=spec.resources.limits runtime_class=spec.runtimeClassName "
        "scheduler_name=spec.schedulerName node_name=spec.nodeName host_network=spec.hostNetwork "
        "scheduling_gates=spec.schedulingGates priority_class=spec.priorityClassName "
        "node_selector=spec.nodeSelector "
        "required_node_affinity=spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution "
        "preferred_node_affinity=spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution "
        "required_pod_affinity=spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution "
        "required_pod_anti_affinity=spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution "
        "preferred_pod_affinity=spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution "
        "preferred_pod_anti_affinity=spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution "
        "topology_spread_constraints=spec.topologySpreadConstraints tolerations=spec.tolerations "
        "volumes=spec.volumes termination_grace_period=spec.terminationGracePeriodSeconds "
        "do_not_disrupt=metadata.annotations[karpenter.sh/do-not-disrupt] "
        "deletion_cost=metadata.annotations[controller.kubernetes.io/pod-deletion-cost]",
    ),
    "PodScalingMarks": (
        "Pod metadata.annotations",
        "safe_to_evict=cluster-autoscaler.kubernetes.io/safe-to-evict "
        "safe_local_volumes=cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes "
        "scale_up_delay=cluster-autoscaler.kubernetes.io/pod-scale-up-delay "
        "enable_ds_eviction=cluster-autoscaler.kubernetes.io/enable-ds-eviction",
    ),
    "Container": ("Pod spec.containers[]", _CONTAINER),
    "InitContainer": ("Pod spec.initContainers[]", f"{_CONTAINER} sidecar=restartPolicy"),
    "Resources": ("resources", _RESOURCES),
    "HostPort": ("Pod spec.containers[].ports[]", "port=hostPort protocol host_ip=hostIP"),
    "SchedulingGate": ("Pod spec.schedulingGates[]", "name"),
    "NodeSelectorTerm": ("nodeSelectorTerms[]", "match_expressions match_fields"),
    "NodeSelectorRequirement": ("matchExpressions[]", "key operator values"),
    "PreferredNodeTerm": ("preferredDuringSchedulingIgnoredDuringExecution[]", "weight preference"),
    "WeightedPodAffinityTerm": ("preferredDuringSchedulingIgnoredDuringExecution[]", "weight pod_affinity_term"),
    "PodAffinityTerm": (
        "podAffinityTerm",
        "topology_key label_selector namespaces namespace_selector match_label_keys mismatch_label_keys",
    ),
    "LabelSelector": ("labelSelector", "match_labels match_expressions"),
    "TopologySpreadConstraint": (
        "Pod spec.topologySpreadConstraints[]",
        "max_skew topology_key when_unsatisfiable label_selector min_domains node_affinity_policy node_taints_policy "
        "match_label_keys",
    ),
    "Toleration": ("Pod spec.tolerations[]", "key operator value effect toleration_seconds"),
    "Taint": ("Node spec.taints[]", "key value effect"),
    "UpdateStrategy": (
        "Deployment",
        "type=spec.strategy.type max_surge=spec.strategy.rollingUpdate.maxSurge "
        "max_unavailable=spec.strategy.rollingUpdate.maxUnavailable min_ready=spec.minReadySeconds",
    ),
    "StatefulSettings": (
        "StatefulSet",
        "pod_management_policy=spec.podManagementPolicy start_ordinal=spec.ordinals.start "
        "partition=spec.updateStrategy.rollingUpdate.partition on_delete=spec.updateStrategy.type",
    ),
    "JobSettings": (
        "Job",
        "completions=spec.completions backoff_limit=spec.backoffLimit active_deadline=spec.activeDeadlineSeconds",
    ),
    "CronSettings": (
        "CronJob",
        "schedule=spec.schedule time_zone=spec.timeZone concurrency_policy=spec.concurrencyPolicy "
        "starting_deadline=spec.startingDeadlineSeconds suspend=spec.suspend",
    ),
    "PodDisruptionBudget": (
        "PodDisruptionBudget",
        f"{_META} selector=spec.selector max_unavailable=spec.maxUnavailable min_available=spec.minAvailable "
        "unhealthy_pod_eviction_policy=spec.unhealthyPodEvictionPolicy",
    ),
    "HorizontalPodAutoscaler": (
        "HorizontalPodAutoscaler",
        f"{_META} scale_target=spec.scaleTargetRef.name min_replicas=spec.minReplicas max_replicas=spec.maxReplicas "
        "metrics=spec.metrics behavior=spec.behavior",
    ),
    "HpaMetric": (
        "HorizontalPodAutoscaler spec.metrics[]",
        "type resource=resource.name container=containerResource.container metric=metric.name "
        "described_kind=object.describedObject.kind target_type=target.type "
        "average_utilization=target.averageUtilization average_value=target.averageValue value=target.value",
    ),
    "HpaBehavior": ("HorizontalPodAutoscaler spec.behavior", "scale_up scale_down"),
    "ScalingRules": (
        "HorizontalPodAutoscaler spec.behavior.scaleUp|scaleDown",
        "stabilization_window=stabilizationWindowSeconds select_policy policies tolerance",
    ),
    "ScalingPolicy": (
        "HorizontalPodAutoscaler spec.behavior.*.policies[]", "type value period=periodSeconds"
    ),
    "ScaledObject": (
        "ScaledObject",
        f"{_META} polling_interval=spec.pollingInterval scale_target=spec.scaleTargetRef.name "
        "cooldown_period=spec.cooldownPeriod initial_cooldown_period=spec.initialCooldownPeriod "
        "min_replicas=spec.minReplicaCount max_replicas=spec.maxReplicaCount idle_replicas=spec.idleReplicaCount "
        "triggers=spec.triggers fallback=spec.fallback scaling_modifiers=spec.advanced.scalingModifiers "
        "behavior=spec.advanced.horizontalPodAutoscalerConfig.behavior "
        "paused=metadata.annotations[autoscaling.keda.sh/paused] "
        "paused_replicas=metadata.annotations[autoscaling.keda.sh/paused-replicas] "
        "paused_scale_in=metadata.annotations[autoscaling.keda.sh/paused-scale-in] "
        "paused_scale_out=metadata.annotations[autoscaling.keda.sh/paused-scale-out] "
        "force_activation=metadata.annotations[autoscaling.keda.sh/force-activation]",
    ),
    "CronTrigger": (
        "ScaledObject spec.triggers[]",
        "name timezone=metadata.timezone start=metadata.start end=metadata.end "
        "desired_replicas=metadata.desiredReplicas",
    ),
    "SeriesTrigger": ("ScaledObject spec.triggers[]", "name target_type=metricType use_cached_metrics"),
    "UseTrigger": (
        "ScaledObject spec.triggers[]", "name average_utilization=metadata.value container=metadata.containerName"
    ),
    "KedaFallback": ("ScaledObject spec.fallback", "failure_threshold replicas behavior"),
    "ScalingModifiers": (
        "ScaledObject spec.advanced.scalingModifiers", "formula target activation_target target_type=metricType"
    ),
    "ScaledJob": (
        "ScaledJob",
        f"{_META} polling_interval=spec.pollingInterval job_target=spec.jobTargetRef "
        "min_replicas=spec.minReplicaCount max_replicas=spec.maxReplicaCount triggers=spec.triggers "
        "strategy=spec.scalingStrategy.strategy combination=spec.scalingStrategy.multipleScalersCalculation "
        "queue_length_deduction=spec.scalingStrategy.customScalingQueueLengthDeduction "
        "running_job_percentage=spec.scalingStrategy.customScalingRunningJobPercentage "
        "paused=metadata.annotations[autoscaling.keda.sh/paused]",
    ),
    "VerticalPodAutoscaler": (
        "VerticalPodAutoscaler",
        f"{_META} target=spec.targetRef.name update_mode=spec.updatePolicy.updateMode "
        "min_replicas=spec.updatePolicy.minReplicas eviction_requirements=spec.updatePolicy.evictionRequirements "
        "container_policies=spec.resourcePolicy.containerPolicies",
    ),
    "EvictionRequirement": (
        "VerticalPodAutoscaler spec.updatePolicy.evictionRequirements[]", "resources change_requirement"
    ),
    "ContainerResourcePolicy": (
        "VerticalPodAutoscaler spec.resourcePolicy.containerPolicies[]",
        "container_name mode min_allowed max_allowed controlled_resources controlled_values",
    ),
    "LimitRange": (
        "LimitRange", f"{_META} type=spec.limits[].type min=spec.limits[].min max=spec.limits[].max "
        "default=spec.limits[].default",
    ),
    "KubeletSettings": (
        "KubeletConfiguration",
        "kube_reserved_cpu=kubeReserved.cpu kube_reserved_memory=kubeReserved.memory "
        "system_reserved_cpu=systemReserved.cpu system_reserved_memory=systemReserved.memory pods_per_core "
        "eviction_hard eviction_soft eviction_soft_grace_period eviction_minimum_reclaim "
        "eviction_max_pod_grace_period eviction_pressure_transition_period "
        "max_container_restart_period=crashLoopBackOff.maxContainerRestartPeriod shutdown_grace_period "
        "shutdown_grace_period_critical_pods",
    ),
    "SchedulerSettings": (
        "KubeSchedulerConfiguration",
        "percentage_of_nodes_to_score pod_initial_backoff=podInitialBackoffSeconds "
        "pod_max_backoff=podMaxBackoffSeconds profiles",
    ),
    "SchedulerProfileSettings": (
        "KubeSchedulerConfiguration profiles[]",
        "scheduler_name percentage_of_nodes_to_score plugins "
        "scoring_strategy=pluginConfig[NodeResourcesFit].scoringStrategy "
        "balanced_resources=pluginConfig[NodeResourcesBalancedAllocation].resources "
        "ignored_resources=pluginConfig[NodeResourcesFit].ignoredResources "
        "ignored_resource_groups=pluginConfig[NodeResourcesFit].ignoredResourceGroups "
        "defaulting_type=pluginConfig[PodTopologySpread].defaultingType "
        "default_constraints=pluginConfig[PodTopologySpread].defaultConstraints "
        "hard_pod_affinity_weight=pluginConfig[InterPodAffinity].hardPodAffinityWeight "
        "ignore_preferred_terms_of_existing_pods=pluginConfig[InterPodAffinity].ignorePreferredTermsOfExistingPods "
        "min_candidate_nodes_percentage=pluginConfig[DefaultPreemption].minCandidateNodesPercentage "
        "min_candidate_nodes_absolute=pluginConfig[DefaultPreemption].minCandidateNodesAbsolute",
    ),
    "NodePool": (
        "NodePool",
        "name=metadata.name requirements=spec.template.spec.requirements weight=spec.weight limits=spec.limits "
        "labels=spec.template.metadata.labels annotations=spec.template.metadata.annotations "
        "taints=spec.template.spec.taints "
        "startup_taints=spec.template.spec.startupTaints disruption=spec.disruption "
        "expire_after=spec.template.spec.expireAfter "
        "termination_grace_period=spec.template.spec.terminationGracePeriod",
    ),
    "PoolRequirement": ("NodePool spec.template.spec.requirements[]", "key operator values min_values"),
    "PoolLimits": ("NodePool spec.limits", "cpu memory nodes"),
    "PoolDisruption": ("NodePool spec.disruption", "consolidation_policy consolidate_after budgets"),
    "PoolBudget": ("NodePool spec.disruption.budgets[]", "nodes reasons schedule duration"),
})  # fmt: skip
"""By model: the object and, of each setting, the field in it; without "=" the setting in camel case."""

_FLAGS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "HpaControllerSettings": (
        "kube-controller-manager",
        "sync_period=horizontal-pod-autoscaler-sync-period tolerance=horizontal-pod-autoscaler-tolerance "
        "downscale_stabilization=horizontal-pod-autoscaler-downscale-stabilization "
        "cpu_initialization_period=horizontal-pod-autoscaler-cpu-initialization-period "
        "initial_readiness_delay=horizontal-pod-autoscaler-initial-readiness-delay "
        "scale_to_zero=feature-gates=HPAScaleToZero configurable_tolerance=feature-gates=HPAConfigurableTolerance "
        "pod_level_resources=feature-gates=PodLevelResources",
    ),
    "NodeLifecycleSettings": (
        "kube-controller-manager",
        "node_monitor_period node_monitor_grace_period node_eviction_rate secondary_node_eviction_rate "
        "unhealthy_zone_threshold large_cluster_size_threshold",
    ),
    "MetricsPipelineSettings": ("metrics-server", "scrape_interval=metric-resolution"),
    "VpaRecommenderSettings": (
        "vpa-recommender",
        "interval=recommender-interval target_percentile=target-cpu-percentile "
        "safety_margin=recommendation-margin-fraction pod_min_cpu=pod-recommendation-min-cpu-millicores "
        "pod_min_memory=pod-recommendation-min-memory-mb half_life=cpu-histogram-decay-half-life "
        "memory_interval=memory-aggregation-interval memory_intervals=memory-aggregation-interval-count "
        "oom_bump_up_ratio oom_min_bump_up=oom-min-bump-up-bytes",
    ),
    "VpaUpdaterSettings": (
        "vpa-updater",
        "interval=updater-interval min_replicas eviction_tolerance update_threshold=pod-update-threshold "
        "in_bounds_lifetime=in-recommendation-bounds-eviction-lifetime-threshold "
        "evict_after_oom=evict-after-oom-threshold eviction_rate_limit eviction_rate_burst",
    ),
    "KarpenterSettings": (
        "karpenter", "preference_policy min_values_policy batch_idle_duration batch_max_duration"
    ),
})  # fmt: skip
"""By model: the program and, of each setting, its flag; without "=" the setting with hyphens."""


@cache
def kubernetes_name(model: type[BaseModel], field: str) -> str:
    """As "HorizontalPodAutoscaler spec.minReplicas" or "cluster-autoscaler --scan-interval"; empty if it has none."""
    if model.__name__ == "ClusterAutoscalerSettings":
        return _autoscaler_flag(field)
    if model.__name__ in _FLAGS:
        program, settings = _FLAGS[model.__name__]
        found = _named(settings, field, field.replace("_", "-"))
        return f"{program} --{found}" if found else ""
    where, settings = _FIELDS.get(model.__name__, ("", ""))
    return f"{where} {found}".strip() if (found := _named(settings, field, to_camel(field))) else ""


def _named(settings: str, field: str, plain: str) -> str:
    for one in settings.split():
        name, _, other = one.partition("=")
        if name == field:
            return other or plain
    return ""


def _autoscaler_flag(field: str) -> str:
    flag = field.replace("_", "-")
    if flag not in FLAGS:
        flag = next((own for own, settings in OWN_NAMES.items() if field in settings.split(", ")), "")
    return f"cluster-autoscaler --{flag}" if flag else ""
