"""Collects the licence texts of everything the packaged program contains."""

import re
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parent.parent
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)
SHIPPED_TEXTS = Path(__file__).parent / "licences"

SUMMARY = """\
Headroom is licensed under the Apache License 2.0 (Headroom.txt).

It contains Qt and PySide6, used under the GNU Lesser General Public License 3 (LGPL-3.0.txt, which builds on
GPL-3.0.txt). Qt's libraries are separate files in lib/PySide6 and may be replaced by compatible ones.
Their source: https://download.qt.io/official_releases/

It also contains the following, whose licence texts are in the files of the same names:
"""


def runtime_packages(root: str) -> list[str]:
    """The distributions that `root` needs to run, without those only needed for development."""
    found: list[str] = []
    waiting = [root]
    while waiting:
        for text in metadata.requires(waiting.pop()) or ():
            requirement = Requirement(text)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if wanted and requirement.name not in found:
                found.append(requirement.name)
                waiting.append(requirement.name)
    return sorted(found, key=str.lower)


def licence_texts(package: str) -> list[str]:
    files = metadata.files(package) or ()
    chosen = [file for file in files if LICENCE_FILE.search(str(file)) and not str(file).endswith((".py", ".pyc"))]
    return [f"{file}\n\n{file.locate().read_text(encoding='utf-8', errors='replace')}" for file in chosen]


def python_licence() -> str:
    """The licence of the Python that is packed: a file beside the library, or what the interpreter says."""
    beside = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    return beside.read_text(encoding="utf-8") if beside.exists() else f"Python {sys.version}\n\n{sys.copyright}\n"


def collect(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [SUMMARY]
    (folder / "Headroom.txt").write_bytes((PROJECT / "LICENSE").read_bytes())
    (folder / "Python.txt").write_text(python_licence(), encoding="utf-8")
    lines.append(f"  Python {sys.version.split()[0]}")
    for text in sorted(SHIPPED_TEXTS.glob("*.txt")):
        (folder / text.name).write_bytes(text.read_bytes())
    for package in runtime_packages("headroom"):
        about = metadata.metadata(package)
        terms = about["License-Expression"] or about["License"] or ""
        lines.append(f"  {package} {about['Version']}  {terms}".rstrip())
        if texts := licence_texts(package):
            (folder / f"{package}.txt").write_text("\n\n".join(texts), encoding="utf-8")
    (folder / "README.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
