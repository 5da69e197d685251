"""What the installers of Windows and macOS read is there and agrees with the tree; they are built on those systems."""

import plistlib
import re
import subprocess
import sys
from importlib import import_module
from xml.etree import ElementTree

import pytest
import yaml
from PySide6.QtGui import QImage

from planner import __version__
from tests.packaging.conftest import PROJECT

PACKAGING = PROJECT / "packaging"
INSTALLER = (PACKAGING / "windows" / "headroom.iss").read_text(encoding="utf-8")
STEPS = yaml.safe_load((PROJECT / ".github/workflows/packages.yml").read_text(encoding="utf-8"))["jobs"]["build"][
    "steps"
]


@pytest.fixture(scope="module")
def tools():
    sys.path.insert(0, str(PACKAGING))
    yield import_module("about_program"), import_module("icons")
    sys.path.remove(str(PACKAGING))


@pytest.fixture(scope="module")
def drawn(tools, tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    tools[1].draw_all(folder)
    return folder


@pytest.mark.parametrize("name", ["headroom", "headroom-plan"])
def test_icon_files_hold_the_drawing_in_all_sizes(tools, drawn, name, qapp):
    ico, icns = ((drawn / f"{name}.{kind}").read_bytes() for kind in ("ico", "icns"))
    sizes = [ico[6 + 16 * row] or 256 for row in range(int.from_bytes(ico[4:6], "little"))]
    assert sizes == list(tools[1].SIZES)
    assert QImage(str(drawn / f"{name}.ico")).size().width() in sizes
    assert icns[:4] == b"icns" and int.from_bytes(icns[4:8], "big") == len(icns)
    assert icns.count(b"\x89PNG") == 5


class Node:
    """Stands in for the classes of PyInstaller, which it has on Windows only."""

    def __init__(self, *parts, **named):
        self.parts, self.named = parts, named


def test_the_version_resource_has_the_version_in_numbers_and_words(tools):
    names = (
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    )
    found = eval(tools[0].version_resource(__version__), dict.fromkeys(names, Node))  # as PyInstaller does
    numbers = tuple(int(part) for part in __version__.split("."))
    assert found.named["ffi"].named["filevers"] == (*numbers, 0)[:4]
    (table,) = found.named["kids"][0].parts[0]
    texts = dict(entry.parts for entry in table.parts[1])
    assert texts["ProductVersion"] == texts["FileVersion"] == __version__ and texts["ProductName"] == "Headroom"


def test_the_bundle_opens_the_type_of_plan_files_that_the_desktop_knows(tools):
    listed = plistlib.loads(plistlib.dumps(tools[0].information_list(__version__)))
    (declared,) = listed["UTExportedTypeDeclarations"]
    assert [one["LSItemContentTypes"] for one in listed["CFBundleDocumentTypes"]] == [[declared["UTTypeIdentifier"]]]
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    mime = ElementTree.parse(PACKAGING / "desktop" / "headroom.xml").getroot().find("m:mime-type", space)
    tags = declared["UTTypeTagSpecification"]
    assert tags["public.mime-type"] == [mime.get("type")]
    assert [f"*.{ending}" for ending in tags["public.filename-extension"]] == [
        mime.find("m:glob", space).get("pattern")
    ]
    assert plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())


def test_the_installer_registers_plan_files_and_takes_what_the_build_makes(tools):
    about, _icons = tools
    assert f'"Software\\Classes\\.{about.ENDING}"; ValueType: string; ValueData: "{about.PLAN_TYPE}"' in INSTALLER
    assert f"AppId={about.IDENTIFIER}\n" in INSTALLER
    read = {path.replace("\\", "/") for path in re.findall(r"\.\.\\\.\.\\([^\";\n]+)", INSTALLER)}
    assert read == {"LICENSE", "build/drawn/headroom.ico", "build/drawn/headroom-plan.ico", "dist", "dist/headroom/*"}


def test_the_workflow_makes_both():
    by_system = {step.get("if"): step["run"] for step in STEPS if "run" in step}
    assert "packaging/windows/headroom.iss" in by_system["runner.os == 'Windows'"]
    assert "packaging/macos/disk_image.sh" in by_system["runner.os == 'macOS'"]
    (upload,) = (step["with"]["path"].split() for step in STEPS if "upload-artifact" in step.get("uses", ""))
    assert "dist/headroom-*" in upload


def test_without_a_bundle_the_disk_image_says_what_to_build():
    done = subprocess.run(["sh", "packaging/macos/disk_image.sh"], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 2 and "make package" in done.stderr
