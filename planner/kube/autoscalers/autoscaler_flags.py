"""Maps the flags of a Cluster Autoscaler Deployment to settings of the plan.

Cluster Autoscaler 1.36, config/flags/flags.go.
"""

import re
from typing import Any

from planner.kube.autoscalers.program_flags import program_flags
from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.language.translation import marked, tr
from planner.plan.derived.kubernetes.autoscaler_flags import FLAGS, OLDER_FLAGS, Treatment, settings_of
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.plan.values.fields import Spelling

PROGRAM = "cluster-autoscaler"
SECTION = "clusterAutoscaler"
_KIND = "Cluster Autoscaler"
_DISCOVERY = "node-group-auto-discovery"
_IN_CLOUD = marked("the smallest and largest sizes of discovered node pools are kept in the cloud: fill them in")
_PREFIX_RULE = re.compile(r"mig:(?=.*namePrefix=(?P<prefix>[^,]+))(?=.*min=(?P<min>\d+))(?=.*max=(?P<max>\d+))")


def read_autoscaler_flags(manifest: Field, draft: Draft) -> None:
    """Settings of the plan from the command of the container. The last one of a repeated flag counts."""
    part: Part = {}
    flags = list(program_flags(manifest, PROGRAM))
    given = {flag for _word, flag, _value in flags}
    for word, flag, value in flags:
        newer = OLDER_FLAGS.get(flag, flag)
        if newer == flag:
            _take(word, flag, value, part, draft)
        elif newer and newer not in given:
            draft.losses.take(
                tr(
                    "{kind}: --{flag} is called --{newer} in 1.36, with the same meaning",
                    kind=_KIND,
                    flag=flag,
                    newer=newer,
                )
            )
            _take(word, newer, value, part, draft)
    draft.sections[SECTION] = (manifest.source, part)


def _take(word: Field, flag: str, value: str, part: Part, draft: Draft) -> None:
    treatment = FLAGS.get(flag)
    if flag == _DISCOVERY:
        _discover(value, draft)
        return
    if treatment is Treatment.NO_EFFECT:
        return
    if treatment is not Treatment.MODELLED:
        reason = tr("the plan has no such flag") if treatment is None else tr("the flag is not modelled")
        draft.losses.add(_KIND, f"--{flag[:60]}", reason)
        return
    try:
        if flag == "nodes":
            least, most, name = value.split(":", 2)
            draft.pool_sizes[name.rsplit("/", 1)[-1]] = (int(least), int(most))
        elif flag in ("cores-total", "memory-total"):
            unit = "Gi" if flag == "memory-total" else ""
            for name, amount in zip(settings_of(flag), value.split(":", 1), strict=True):
                part[_key(name)] = f"{int(amount)}{unit}" if unit else int(amount)
        elif flag == "gpu-total":
            kind, least_gpus, most_gpus = value.rsplit(":", 2)
            limit = {"type": kind, "min": int(least_gpus), "max": int(most_gpus)}
            part.setdefault(_key("gpu_total"), []).append(limit)
        else:
            [name] = settings_of(flag)
            _set(name, flag, value, part, draft)
    except ValueError as error:
        problem = tr("The flag --{flag} cannot be read ({error}).", flag=flag, error=str(error)[:100])
        raise word.problem(problem, tr("Write it as the Cluster Autoscaler does.")) from None


def _discover(value: str, draft: Draft) -> None:
    """Groups of GCE are found by the prefix of their names, with sizes for each of them; others by tags in the cloud.

    Cluster Autoscaler 1.36, cloudprovider/gce/autoscaling_gce_client.go and cloudprovider/aws/auto_scaling_groups.go.
    """
    found = _PREFIX_RULE.match(value)
    if found is None:
        draft.losses.remark(tr(_IN_CLOUD))
    else:
        draft.pool_prefix_sizes[found["prefix"]] = (int(found["min"]), int(found["max"]))


def _set(name: str, flag: str, value: str, part: Part, draft: Draft) -> None:
    info = ClusterAutoscalerSettings.model_fields[name]
    spelling = next((mark for mark in info.metadata if isinstance(mark, Spelling)), None)
    if name == "expander":
        part[_key(name)] = _expanders(value, draft)
    elif spelling is not None:
        part[_key(name)] = spelling.format(spelling.parse(f"{int(value)}s" if flag.endswith("-sec") else value))
    elif isinstance(info.default, tuple):
        part.setdefault(_key(name), []).append(value)
    else:
        part[_key(name)] = _plain(value, info.default)


def _plain(value: str, default: Any) -> bool | int | float:
    if isinstance(default, bool):
        if value.lower() not in ("true", "t", "1", "false", "f", "0"):
            raise ValueError(tr("'{value}' is neither true nor false", value=value))
        return value.lower() in ("true", "t", "1")
    return int(value) if isinstance(default, int) else float(value)


def _expanders(value: str, draft: Draft) -> list[str]:
    known = [str(name) for name in ExpanderName]
    wanted = value.split(",")
    for name in wanted:
        if name not in known:
            draft.losses.add(_KIND, f"--expander={name[:40]}", tr("the expander is not modelled"))
    return [name for name in wanted if name in known] or [known[0]]


def _key(name: str) -> str:
    alias = ClusterAutoscalerSettings.model_fields[name].alias
    assert alias is not None  # every field of the plan has its spelling in files
    return alias
