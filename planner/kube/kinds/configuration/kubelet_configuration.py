"""KubeletConfiguration: reservations, thresholds and bounds of the pools' kubelets."""

from planner.kube.draft.draft import Draft, KubeletPart, Part, given
from planner.kube.files.field import Field
from planner.kube.pods.pod_template import resources
from planner.language.translation import marked, tr
from planner.plan.values.thresholds import DEFAULT_HARD, SIMULATED_SIGNALS

KIND, GROUPS = "KubeletConfiguration", ("kubelet.config.k8s.io",)
_WITHOUT_EFFECT = frozenset(
    """
    address authentication authorization cgroupDriver cgroupRoot cgroupsPerQOS clusterDNS clusterDomain
    containerLogMaxFiles containerLogMaxSize containerRuntimeEndpoint contentType enableDebuggingHandlers enableServer
    enforceNodeAllocatable eventBurst eventRecordQPS failSwapOn healthzBindAddress healthzPort imageServiceEndpoint
    kubeAPIBurst kubeAPIQPS kubeReservedCgroup logging maxOpenFiles memorySwap oomScoreAdj podCIDR podPidsLimit port
    protectKernelDefaults providerID readOnlyPort registerNode registryBurst registryPullQPS resolvConf
    rotateCertificates runtimeRequestTimeout serializeImagePulls serverTLSBootstrap staticPodPath
    streamingConnectionIdleTimeout systemReservedCgroup tlsCertFile tlsCipherSuites tlsMinVersion
    tlsPrivateKeyFile volumePluginDir
    """.split()
)
_EXCLUSIVE = {"cpuManagerPolicy": "none", "memoryManagerPolicy": "None", "topologyManagerPolicy": "none"}
_NO_EXCLUSIVE = marked("exclusive cores and NUMA nodes are not simulated; pods share all cores of their node")
_NOT_MEASURED = marked("no run measures this signal")
_BY_SIGNAL = ("evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim")


def read(manifest: Field, draft: Draft) -> None:
    """Settings for the pool that the object or its file is called after, or else for all pools."""
    for name in manifest.map():
        if name in _WITHOUT_EFFECT:
            manifest.at(name).raw()
    for name, usual in _EXCLUSIVE.items():
        if manifest.at(name).text() not in (None, "", usual):
            draft.losses.add(KIND, name, tr(_NO_EXCLUSIVE))
    fields = _reservations(manifest, draft) | given(
        pods_per_core=manifest.at("podsPerCore").whole() or None,
        eviction_hard=_hard(manifest, draft),
        eviction_max_pod_grace_period=manifest.at("evictionMaxPodGracePeriod").seconds(),
        eviction_pressure_transition_period=manifest.at("evictionPressureTransitionPeriod").text(),
        max_container_restart_period=manifest.at("crashLoopBackOff", "maxContainerRestartPeriod").text(),
        shutdown_grace_period=manifest.at("shutdownGracePeriod").text(),
        shutdown_grace_period_critical_pods=manifest.at("shutdownGracePeriodCriticalPods").text(),
    )
    for name in _BY_SIGNAL:
        fields |= given(**{name: _signals(manifest.at(name), draft)})
    for name, on in manifest.at("featureGates").map().items():
        draft.losses.add(KIND, f"featureGates.{name[:60]}={on}", tr("gates of the plan are in featureGates"))
    manifest.at("featureGates").raw()
    own_name = manifest.at("metadata", "name").text() or ""
    draft.kubelets.append(KubeletPart(manifest.source, own_name, fields, manifest.at("maxPods").whole()))


def _reservations(manifest: Field, draft: Draft) -> Part:
    found: Part = {}
    for name in ("kubeReserved", "systemReserved"):
        amounts = resources(manifest.at(name), draft.losses)
        found |= given(**{f"{name}Cpu": amounts.get("cpu"), f"{name}Memory": amounts.get("memory")})
        if "ephemeralStorage" in amounts:
            draft.losses.add(KIND, f"{name}.ephemeral-storage", tr("reservations of a disk are not simulated"))
    return found


def _hard(manifest: Field, draft: Draft) -> dict[str, str]:
    """A configuration that gives any of them has no defaults, unless it asks for both."""
    merges = manifest.at("mergeDefaultEvictionSettings").flag() or False
    own = _signals(manifest.at("evictionHard"), draft)
    usual = {str(name): text for name, text in DEFAULT_HARD.items() if name in SIMULATED_SIGNALS}
    return usual | own if merges and own else own


def _signals(field: Field, draft: Draft) -> dict[str, str]:
    found = field.labels()
    for name in found:
        if name not in SIMULATED_SIGNALS:
            draft.losses.add(KIND, f"{field.path}.{name[:60]}", tr(_NOT_MEASURED))
    return {name: text for name, text in found.items() if name in SIMULATED_SIGNALS}
