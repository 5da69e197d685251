"""Writes the changes between two plans into a folder: patches, a kustomization, and what has to be done by hand."""

from collections.abc import Sequence
from pathlib import Path

from planner.disk.atomic import write_through
from planner.disk.cures import cure_of, reason_of
from planner.disk.file_set import replacing_files
from planner.disk.ownership import usual_mode
from planner.errors import ResultFileError
from planner.kube.changes.object_changes import ObjectChange, kustomization
from planner.kube.draft.draft import Part
from planner.kube.exporter import yaml_text
from planner.language.translation import tr

_KUSTOMIZATION = "kustomization.yaml"
_VALUES = "values.yaml"


def write_changes(changes: Sequence[ObjectChange], folder: Path, values: Part | None = None) -> list[Path]:
    """One file per object, a kustomization, and values of a Helm chart if there are some. Raises ResultFileError."""
    texts = {change.file_name: yaml_text([change.patch()]) for change in changes}
    texts[_KUSTOMIZATION] = yaml_text([kustomization(changes)])
    if values is not None:
        texts[_VALUES] = yaml_text([values])
    place, written = folder, []
    try:
        with replacing_files(folder, ()) as part:
            for name, text in texts.items():
                place = folder / name
                write_through(part / name, (text.encode(),))
                (part / name).chmod(usual_mode())
                written.append(place)
    except OSError as error:
        problem = tr("The file cannot be written ({reason}).", reason=reason_of(error))
        raise ResultFileError(str(place), problem, cure_of(error)) from error
    return written
