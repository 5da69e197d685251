"""KubeSchedulerConfiguration: back-offs, profiles, plugins and their arguments."""

from collections.abc import Callable, Iterator, Mapping

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.kinds.configuration.scheduler_plugin_args import ARGUMENTS, argument_manifests
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan
from planner.plan.model.scheduler import PluginName, SchedulerProfileSettings

KIND, GROUPS = "KubeSchedulerConfiguration", ("kubescheduler.config.k8s.io",)
SECTION = "scheduler"
_SERVER_FIELDS = ("leaderElection", "clientConnection", "parallelism", "enableProfiling", "enableContentionProfiling")
_ALWAYS_ON = ("PrioritySort", "SchedulingGates", "NodeName", "DefaultBinder")
_STAGES = ("multiPoint", "preFilter", "filter", "postFilter", "preScore", "score")
_REASON = marked("the plan has no rule for this plugin")


def read(manifest: Field, draft: Draft) -> None:
    """Settings of the plan's scheduler."""
    for name in _SERVER_FIELDS:
        manifest.at(name).raw()
    part = given(
        percentage_of_nodes_to_score=manifest.at("percentageOfNodesToScore").whole(),
        pod_initial_backoff=manifest.at("podInitialBackoffSeconds").seconds(),
        pod_max_backoff=manifest.at("podMaxBackoffSeconds").seconds(),
        profiles=[_profile(profile, draft) for profile in manifest.at("profiles").items()],
    )
    draft.sections[SECTION] = (manifest.source, part)


def _profile(field: Field, draft: Draft) -> Part:
    part = given(
        scheduler_name=field.at("schedulerName").text(),
        percentage_of_nodes_to_score=field.at("percentageOfNodesToScore").whole(),
        plugins=_plugins(field.at("plugins"), draft),
    )
    for entry in field.at("pluginConfig").items():
        name = entry.at("name").required_text()
        arguments = entry.at("args")
        for key in ("apiVersion", "kind"):
            arguments.at(key).text()
        take: Callable[[Field], Part] | None = ARGUMENTS.get(name)
        if take is None:
            entry.raw()
            draft.losses.add(KIND, f"profiles[].pluginConfig {name[:60]}", tr(_REASON))
        else:
            part |= take(arguments)
    return part


def _plugins(field: Field, draft: Draft) -> list[Part]:
    """A plugin is off where it is disabled and not enabled again; the weight is that of its score."""
    off: dict[str, bool] = {}
    weights: dict[str, int] = {}
    for stage in _STAGES:
        for entry in field.at(stage, "disabled").items():
            name = entry.at("name").required_text()
            for each in list(PluginName) if name == "*" else [name]:
                off[str(each)] = True
        for entry in field.at(stage, "enabled").items():
            name = entry.at("name").required_text()
            off[name] = False
            if entry.at("weight").whole():
                weights[name] = entry.at("weight").whole() or 1
    return [part for name in dict.fromkeys((*off, *weights)) if (part := _plugin(name, off, weights, draft))]


def _plugin(name: str, off: Mapping[str, bool], weights: Mapping[str, int], draft: Draft) -> Part | None:
    if name not in list(PluginName):
        if name not in _ALWAYS_ON:
            draft.losses.add(KIND, f"profiles[].plugins {name[:60]}", tr(_REASON))
        return None
    if off.get(name):
        return {"name": name, "enabled": False}
    return {"name": name, "weight": weights[name]} if name in weights else None


def write(plan: Plan) -> Iterator[Part]:
    """The configuration, if the plan sets anything of it."""
    settings = plan.scheduler
    if settings == type(settings)():
        return
    yield {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": KIND,
        "percentageOfNodesToScore": settings.percentage_of_nodes_to_score,
        "podInitialBackoffSeconds": -(-settings.pod_initial_backoff // 1_000_000),
        "podMaxBackoffSeconds": -(-settings.pod_max_backoff // 1_000_000),
        "profiles": [_profile_manifest(profile) for profile in settings.profiles],
    }


def _profile_manifest(profile: SchedulerProfileSettings) -> Part:
    off = [{"name": plugin.name.value} for plugin in profile.plugins if not plugin.enabled]
    on = [{"name": p.name.value, "weight": p.weight} for p in profile.plugins if p.enabled and p.weight is not None]
    stage = given(disabled=off + [{"name": entry["name"]} for entry in on], enabled=on)
    return given(
        scheduler_name=profile.scheduler_name,
        percentage_of_nodes_to_score=profile.percentage_of_nodes_to_score,
        plugins={"multiPoint": stage} if stage else None,
        plugin_config=argument_manifests(profile),
    )
