"""The plan file: UTF-8 JSON with one value a line, read with care and written atomically."""

import codecs
import json
import os
import stat
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner.disk.version import version_of_content
from planner.errors import PlanFileError, PlanProblem, PlanProblems
from planner.language.translation import marked, tr
from planner.plan.files.json_text import MAX_FILE_BYTES, read_json
from planner.plan.files.migrations import migrate
from planner.plan.files.problems import MOST_LISTED, problems_and_count, raw_number_problems, shown
from planner.plan.files.saving import Saved, save_content, save_content_aside
from planner.plan.model.plan import SCHEMA_VERSION, Plan

_BOM = b"\xef\xbb\xbf"
_NO_PLAN = marked("Choose a file that Headroom has saved (*.headroom).")


def load_plan(path: str | os.PathLike[str]) -> Plan:
    """The plan in a file.

    Raises PlanFileError if the file cannot be read or is no plan file of this version or an older one, and
    PlanProblems with every value that is wrong. Whether the values fit together is checked by
    `validate.check_plan`, so that a plan with such problems can still be opened and fixed.
    """
    return load_version(path)[0]


def load_version(path: str | os.PathLike[str]) -> tuple[Plan, str]:
    """The plan in a file, and the version of the file that it was read from. Raises as `load_plan`."""
    where = os.fspath(path)
    content = _read_bytes(Path(path), where)
    return plan_from_text(_decoded(content, where), where), version_of_content(content)


def plan_from_text(text: str, where: str) -> Plan:
    """The plan written in `text`; `where` names its origin in messages. Raises as `load_plan`."""
    data = _current_version(read_json(text, where), where)
    plan, problems, count = None, list[PlanProblem](), 0
    try:
        plan = _validated(data)
    except ValidationError as error:
        problems, count = problems_and_count(error, Plan, data=data)
    without_unit = list(raw_number_problems(Plan, data))
    known = {problem.where for problem in without_unit}  # 90 is not "too small" but seconds or minutes
    problems = [problem for problem in problems if problem.where not in known] + without_unit
    if plan is None or problems:
        first = problems[:MOST_LISTED]
        raise PlanProblems(first, max(count, len(without_unit), len(problems)) - len(first))
    return plan


def _validated(data: dict[str, Any]) -> Plan:
    """Strict, and by the file's keys only: no "3" for 3, no max_size for maxSize."""
    return Plan.model_validate_json(json.dumps(data), strict=True, by_alias=True, by_name=False)


def plan_to_text(plan: Plan) -> str:
    """The plan as its file holds it: the version first, then what was set, in the order of the schema.

    Values that were never set stay out, so that a diff shows what the user decided.
    """
    versioned = plan.model_copy(update={"schema_version": SCHEMA_VERSION})
    return versioned.model_dump_json(by_alias=True, exclude_unset=True, indent=2) + "\n"


def save_plan(plan: Plan, path: str | os.PathLike[str], *, expected: str | None = None, foreign: bool = False) -> Saved:
    """Write the plan: all or nothing, the previous version kept with a `~` behind its name.

    `expected` is the version (`load_version`, `Saved.version`) that the file must have, None for any. `foreign` says
    that the previous version is another program's: it is kept as `name.~1~` (or the next free number), which no later
    save replaces. A link is followed; owner, group and permissions are kept where this user may. Raises
    PlanFileChanged if the version differs, PlanFileError if the file cannot be written; the old file is untouched then.
    """
    return save_content(path, plan_to_text(plan).encode("utf-8"), expected, foreign)


def save_aside(plan: Plan, path: str | os.PathLike[str]) -> Path:
    """Write the plan beside its file, as a backup with a number that no save replaces. Raises PlanFileError."""
    return save_content_aside(path, plan_to_text(plan).encode("utf-8"))


def _plan_inside(folder: Path) -> str:
    """How to name a plan file of a folder."""
    first = min((each.name for each in folder.glob("*.headroom")), default="")
    return (
        tr("Use a file inside it, such as {folder}.", folder=folder / first) if first else tr("Use a file inside it.")
    )


def _read_bytes(path: Path, where: str) -> bytes:
    try:
        status = path.stat()
        if not where:
            raise PlanFileError("plan", tr("The name of the file is empty."), tr("Give a plan file (*.headroom)."))
        if stat.S_ISDIR(status.st_mode):
            raise PlanFileError(where, tr("This is a folder, not a plan file."), _plan_inside(path))
        if not stat.S_ISREG(status.st_mode):
            raise PlanFileError(where, tr("This is not an ordinary file."), tr("Save the plan to a file and use that."))
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise PlanFileError(where, tr("There is no such file."), tr("Check the path.")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PlanFileError(
            where, tr("The file cannot be read ({reason}).", reason=reason), tr("Check path and permissions.")
        ) from None
    if len(content) > MAX_FILE_BYTES:
        size = tr("The file is larger than {max_file_bytes} MiB.", max_file_bytes=MAX_FILE_BYTES >> 20)
        raise PlanFileError(where, size, tr("A plan is far smaller; choose another file."))
    return content


def _decoded(content: bytes, where: str) -> str:
    if not content.strip():
        raise PlanFileError(where, tr("The file is empty."), tr(_NO_PLAN))
    if content.startswith(_BOM):
        problem = tr("The file begins with a byte order mark.")
        raise PlanFileError(where, problem, tr("Save it as plain UTF-8, without byte order mark."))
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or content[:2] in (b"{\0", b"\0{"):
        raise PlanFileError(where, tr("The file is UTF-16 text."), tr("Save it as UTF-8, without byte order mark."))
    if b"\0" in content:
        raise PlanFileError(where, tr("The file is binary, not a plan."), tr(_NO_PLAN))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise PlanFileError(
            where, tr("Line {line} is not UTF-8 text.", line=line), tr("Save the file as UTF-8.")
        ) from None


def _current_version(data: object, where: str) -> dict[str, Any]:
    """The object of the file, converted to the current version."""
    if not isinstance(data, dict):
        raise PlanFileError(where, tr("The file is JSON but not a plan: it does not contain an object."), tr(_NO_PLAN))
    if "schemaVersion" not in data:
        raise PlanFileError(
            where,
            tr('The file is JSON, but "schemaVersion" is missing.'),
            tr(
                '{no_plan} In a plan written by hand, begin with "schemaVersion": {schema_version}.',
                no_plan=tr(_NO_PLAN),
                schema_version=SCHEMA_VERSION,
            ),
        )
    version = data["schemaVersion"]
    if type(version) is not int or version < 1:
        problem = tr("{version} is not a valid version.", version=shown(version))
        raise PlanProblems(
            [PlanProblem("schemaVersion", problem, tr("Write {schema_version}.", schema_version=SCHEMA_VERSION))]
        )
    if version > SCHEMA_VERSION:
        raise PlanFileError(
            where,
            tr(
                "The file has schema version {version}; this program knows versions up to {schema_version}.",
                version=version,
                schema_version=SCHEMA_VERSION,
            ),
            tr("Install a newer Headroom, or save the plan with the older one."),
        )
    return _migrated(data, version, where)


def _migrated(data: dict[str, Any], version: int, where: str) -> dict[str, Any]:
    try:
        return migrate(data, version, SCHEMA_VERSION)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = tr(
            "The file of schema version {version} could not be converted to version {schema_version} ({error}).",
            version=version,
            schema_version=SCHEMA_VERSION,
            error=error,
        )
        remedy = tr("Check that the file is complete, or open it with the program that wrote it.")
        raise PlanFileError(where, problem, remedy) from None
