"""Gives node pools the kubelet settings of KubeletConfigurations."""

import os

from planner.kube.draft.draft import Draft, KubeletPart, Part
from planner.kube.draft.names import valid_name
from planner.language.translation import marked, tr
from planner.units import format_bytes, format_cpu, parse_count, parse_cpu_milli

_NO_POOL = marked("no node was imported, so there is no pool to set")
_SECOND = marked("another one is for the same pools; the first one is used")


def set_kubelets(pools: list[Part], draft: Draft) -> None:
    """Changes the pools: a configuration called after a pool is for that pool, the first other one for the rest."""
    if draft.kubelets and not pools:
        draft.losses.add("KubeletConfiguration", "", tr(_NO_POOL), len(draft.kubelets))
        return
    names = {pool["name"] for pool in pools}
    common: KubeletPart | None = None
    own: dict[str, KubeletPart] = {}
    for kubelet in draft.kubelets:
        name = next((each for each in _names(kubelet) if each in names), None)
        if name is not None and name not in own:
            own[name] = kubelet
        elif name is None and common is None:
            common = kubelet
        else:
            draft.losses.add("KubeletConfiguration", "", tr(_SECOND))
    for pool in pools:
        chosen = own.get(pool["name"], common)
        if chosen is not None:
            _set(pool, chosen, draft)
    if common is not None:
        draft.losses.remark(
            tr("{source}: these kubelet settings are for all pools without settings of their own", source=common.source)
        )


def _names(kubelet: KubeletPart) -> tuple[str, str]:
    """Its own name, and that of its file."""
    return valid_name(kubelet.name), valid_name(os.path.splitext(os.path.basename(kubelet.source.file))[0])


def _set(pool: Part, kubelet: KubeletPart, draft: Draft) -> None:
    """The plain reserves go: they are what the nodes show of these settings."""
    if kubelet.max_pods is not None:
        pool["pods"] = kubelet.max_pods
    reported = pool.pop("reservedCpu", "0"), pool.pop("reservedMemory", "0")
    pool["kubelet"] = kubelet.fields
    fields = kubelet.fields
    cpu = sum(parse_cpu_milli(fields.get(name, "0")) for name in ("kubeReservedCpu", "systemReservedCpu"))
    memory = sum(parse_count(fields.get(name, "0")) for name in ("kubeReservedMemory", "systemReservedMemory"))
    if cpu != parse_cpu_milli(reported[0]):
        draft.losses.remark(
            tr(
                "pool {name}: its nodes keep {reported} of cpu, the KubeletConfiguration {cpu}, which the plan has",
                name=pool["name"],
                reported=reported[0],
                cpu=format_cpu(cpu),
            )
        )
    if memory > parse_count(reported[1]):
        draft.losses.remark(
            tr(
                "pool {name}: its nodes keep {reported} of memory, the KubeletConfiguration reserves {memory}, which "
                "the plan has",
                name=pool["name"],
                reported=reported[1],
                memory=format_bytes(memory),
            )
        )
