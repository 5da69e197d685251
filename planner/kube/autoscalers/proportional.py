"""Deployments of the cluster-proportional-autoscaler, with their config maps, to the plan's autoscalers."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from planner.kube.autoscalers.program_flags import program_flags
from planner.kube.autoscalers.proportional_parameters import MODES, UnusableParameters, read_parameters
from planner.kube.draft.draft import Draft, ObjectKey, Part, ProportionalPart, given
from planner.kube.draft.names import UniqueNames
from planner.kube.files.field import Field
from planner.kube.files.json_objects import json_value
from planner.kube.files.source import Source, Unreadable
from planner.kube.manifest import name_of, namespace_of
from planner.language.translation import marked, tr

PROGRAM = "cluster-proportional-autoscaler"
DEFAULT_POLL_S = 10
_T = TypeVar("_T")
_TITLE = "Proportional autoscaler"
_KINDS = {"deployment": "Deployment", "replicaset": "ReplicaSet"}
_NO_MAP = marked("its config map is not among the manifests, and it has no default parameters")
_SEVERAL_KEYS = marked("its config map has more than one entry, which it treats as an error at every poll")
_NO_TARGET = marked("none of its targets is among the manifests")
_REMEDY = marked("Write it as the cluster-proportional-autoscaler reads it.")


def note_proportional(manifest: Field, draft: Draft) -> None:
    """Keep what the Deployment's flags say until all config maps and targets are known."""
    given_flags = {flag: (word, value) for word, flag, value in program_flags(manifest, PROGRAM)}

    def read(flag: str, parse: Callable[[str], _T], default: _T) -> _T:
        if flag not in given_flags:
            return default
        word, value = given_flags[flag]
        try:
            return parse(value)
        except ValueError as error:
            raise word.problem(
                tr("The flag --{flag} cannot be read ({error}).", flag=flag, error=str(error)[:100]), tr(_REMEDY)
            ) from None

    draft.proportional.append(
        ProportionalPart(
            source=manifest.source,
            name=name_of(manifest),
            namespace=read("namespace", str, namespace_of(manifest)),
            config_map=read("configmap", str, ""),
            default_params=given_flags.get("default-params"),
            targets=read("target", _targets, ()),
            poll_s=read("poll-period-seconds", int, DEFAULT_POLL_S),
            node_labels=read("nodelabels", _labels, {}),
        )
    )


def _targets(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_target(part.strip()) for part in text.split(","))


def _labels(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",") if part]
    return {key.strip(): label.strip() for key, _, label in pairs}


def _target(text: str) -> tuple[str, str]:
    kind, slash, name = text.partition("/")
    if not slash or not name:
        raise ValueError(tr("{value!r} is not kind/name", value=text))
    return _KINDS.get(kind.lower(), kind), name


def proportional_autoscalers(draft: Draft, names: Mapping[ObjectKey, str]) -> Iterator[tuple[Source, Part]]:
    """The autoscalers whose mode and targets are known; unread config maps are reported as left out."""
    taken = UniqueNames()
    read: dict[tuple[str, str], None] = {}
    for part in draft.proportional:
        place = (part.namespace, part.config_map)
        config_map = draft.config_maps.get(place)
        several = config_map is not None and len(config_map.at("data").map()) > 1
        mode = None if several else _mode(config_map, part)
        if place in draft.config_maps:
            read[place] = None
        found = [names.get((kind, part.namespace, target)) for kind, target in part.targets]
        targets = [target for target in found if target is not None]
        lost = tr(_SEVERAL_KEYS) if several else tr(_NO_MAP) if mode is None else "" if targets else tr(_NO_TARGET)
        if lost:
            draft.losses.add(_TITLE, f"{part.namespace}/{part.name}", lost)
            continue
        poll_period = None if part.poll_s == DEFAULT_POLL_S else f"{part.poll_s}s"
        yield (
            part.source,
            {"name": taken.take(part.name)}
            | given(targets=targets, poll_period=poll_period, node_labels=dict(part.node_labels), mode=mode),
        )
    for place in draft.config_maps:
        if place not in read:
            draft.losses.add("ConfigMap", "", tr("configuration of programs is not simulated"))


def _mode(config_map: Field | None, part: ProportionalPart) -> Part | None:
    if config_map is not None:
        for key in MODES:
            text = config_map.at("data", key).text()
            if text:
                return _parameters(key, _json(text, config_map.at("data", key)), config_map.at("data", key))
    if part.default_params is not None:
        word, text = part.default_params
        found = _json(text, word)
        if not isinstance(found, dict):
            raise word.problem(tr("The default parameters are not a JSON object."), tr(_REMEDY))
        for key in MODES:
            if key in found:
                return _parameters(key, found[key], word)
    return None


def _json(text: str, place: Field) -> Any:
    try:
        return json_value(text)
    except Unreadable as error:
        raise place.problem(error.problem, tr(_REMEDY)) from None


def _parameters(mode: str, value: Any, place: Field) -> Part:
    try:
        return read_parameters(mode, value)
    except UnusableParameters as error:
        raise place.problem(str(error), tr(_REMEDY)) from None
