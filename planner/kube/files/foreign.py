"""Files that look like manifests and are the input of a tool that writes manifests: which tool, and how to run it."""

import os
from typing import Any

from planner.errors import ImportProblem
from planner.kube.files.source import Source
from planner.language.translation import marked, tr

_KUSTOMIZE_NAMES = ("kustomization.yaml", "kustomization.yml", "kustomization")
_KUSTOMIZE_GROUP = "kustomize.config.k8s.io"
_CHART = "Chart.yaml"
_OTHER_REMEDY = marked(
    "Leave it where it is if another tool reads it. A patch of Kustomize acts through `kustomize build`."
)


def is_template(text: str) -> bool:
    """Whether the text has placeholders of a Helm chart."""
    start = text.find("{{")
    return start >= 0 and text.find("}}", start) >= 0


def template_problem(where: str) -> ImportProblem:
    """The file of a Helm chart that only Helm can turn into a manifest."""
    remedy = tr("Import what `helm template {folder}` prints.", folder=_chart_of(where))
    return ImportProblem(where, tr("This is a template of a Helm chart, not a manifest."), remedy)


def foreign_problem(value: Any, source: Source) -> ImportProblem | None:
    """Why a document is no manifest, where a known tool explains it."""
    version = value.get("apiVersion") if isinstance(value, dict) else None
    name = os.path.basename(source.file).lower()
    if name in _KUSTOMIZE_NAMES or (isinstance(version, str) and version.startswith(f"{_KUSTOMIZE_GROUP}/")):
        remedy = tr(
            "Import what `kustomize build {folder}` prints, instead of the folder.", folder=_folder(source.file)
        )
        return source.problem("", tr("This is an instruction for Kustomize, not a manifest."), remedy)
    if isinstance(value, dict) and "kind" not in value and _is_of_chart(source.file):
        remedy = tr("Import what `helm template {folder}` prints.", folder=_folder(source.file))
        return source.problem("", tr("This belongs to a Helm chart and is not a manifest."), remedy)
    keys = [one.keys() if isinstance(one, dict) else None for one in (value if isinstance(value, list) else [value])]
    if isinstance(value, list) and keys and all(each is not None and {"op", "path"} <= each for each in keys):
        return source.problem("", tr("This is a JSON patch, not a manifest."), tr(_OTHER_REMEDY))
    if keys and all(each is not None and not {"apiVersion", "kind"} & each for each in keys):
        return source.problem(
            "", tr("This has neither apiVersion nor kind, so it is not a manifest."), tr(_OTHER_REMEDY)
        )
    return None


def _is_of_chart(path: str) -> bool:
    return os.path.basename(path) == _CHART or os.path.isfile(os.path.join(os.path.dirname(path), _CHART))


def _chart_of(path: str) -> str:
    """The folder of the chart: the one above its folder of templates."""
    folder, marker, _rest = path.replace(os.sep, "/").rpartition("/templates/")
    return (folder or ".") if marker else _folder(path)


def _folder(path: str) -> str:
    return os.path.dirname(path) or "."
