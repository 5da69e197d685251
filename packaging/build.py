"""Builds what users get: the program as a folder, and packages of that folder.

Usage: python packaging/build.py frozen                             dist/headroom
       python packaging/build.py deb [--compression xz|zstd]        dist/headroom_<version>_<architecture>.deb
       python packaging/build.py archive                            dist/headroom-<version>-<system>-<machine>.tar.gz
       python packaging/build.py all [--compression xz|zstd]        all that can be made on this system
With --into FOLDER packages go there. The folder is built anew when the sources it is made from have changed, else kept.
The folder and its archive (a zip on Windows) can be made on Linux, Windows and macOS, the Debian package with dpkg-deb.
"""

import argparse
import hashlib
import os
import platform
import runpy
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import about_program
import deb
import icons
import licences
import manual
import offline_site
import slimming

PROJECT = Path(__file__).resolve().parent.parent
BUILD, DIST = PROJECT / "build", PROJECT / "dist"
FROZEN = DIST / "headroom"
IS_WINDOWS = sys.platform == "win32"
PROGRAM = FROZEN / ("headroom.exe" if IS_WINDOWS else "headroom")
SYSTEM = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
STAMP = "lib/build-of-sources"
"""Inside of the built folder: the fingerprint of what it was made from."""
SOURCES = ("planner", "ui", "resources", "scenarios", "docs", "packaging/licences", "packaging/site")
SOURCE_FILES = ("pyproject.toml", "setup.py", "requirements.txt", "LICENSE", "packaging/headroom.spec",
                "packaging/start.py", "packaging/licences.py", "packaging/manual.py", "packaging/offline_site.py",
                "packaging/build.py", "packaging/about_program.py", "packaging/icons.py",
                "packaging/icon_files.py", "packaging/slimming.py", "packaging/icu_data.py",
                "packaging/symbol_tables.py", "packaging/stand_ins.py",
                "packaging/never_used/__init__.py", "SCOPE.md")  # fmt: skip


def version() -> str:
    return str(runpy.run_path(str(PROJECT / "planner" / "__init__.py"))["__version__"])


def fingerprint() -> str:
    """Changes with every source that goes into the program and with the Python that packs it."""
    total = hashlib.sha256(f"{sys.version} {offline_site.generator()}".encode())
    found = [PROJECT / name for name in SOURCE_FILES]
    for folder in SOURCES:
        found += sorted(path for path in (PROJECT / folder).rglob("*") if path.is_file())
    for path in found:
        if path.suffix not in (".pyc", ".headroom~"):
            total.update(f"{path.relative_to(PROJECT).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def is_fresh() -> bool:
    stamp = FROZEN / STAMP
    return PROGRAM.exists() and stamp.exists() and stamp.read_text() == fingerprint()


def build_frozen() -> Path:
    """The program as a folder with everything it needs, Python included."""
    if is_fresh():
        say(f"{FROZEN.relative_to(PROJECT)} is up to date.")
        return FROZEN
    began, made_from = time.monotonic(), fingerprint()
    shutil.rmtree(BUILD / "licences", ignore_errors=True)
    licences.collect(BUILD / "licences")
    shutil.rmtree(BUILD / "share", ignore_errors=True)
    manual.write(BUILD / "share")
    build_site()
    if SYSTEM != "linux":
        icons.draw_all(BUILD / "drawn")
        (BUILD / "version-resource").write_text(about_program.version_resource(version()), encoding="utf-8")
    run_pyinstaller()
    slimming.slim(FROZEN / "lib")
    (FROZEN / STAMP).write_text(made_from)
    say(f"built {FROZEN.relative_to(PROJECT)}: {mebibytes(FROZEN):.0f} MiB in {time.monotonic() - began:.0f} s.")
    return FROZEN


def build_site() -> None:
    """The guide, which Help opens; a program without it has the pages of docs/ only."""
    if offline_site.generator():
        offline_site.build(BUILD / "site")
    else:
        shutil.rmtree(BUILD / "site", ignore_errors=True)
        say("MkDocs is not installed, so the program is built without the guide. To install it, type: make setup")


def run_pyinstaller() -> None:
    """Its output is kept in a file and shown when it fails; its warnings name what is left out on purpose."""
    log = BUILD / "pyinstaller.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--workpath", str(BUILD / "frozen"),
               "--distpath", str(DIST), str(PROJECT / "packaging" / "headroom.spec")]  # fmt: skip
    environment = os.environ | {"HEADROOM_BUILD_FOLDER": str(BUILD), "HEADROOM_VERSION": version()}
    with log.open("w", encoding="utf-8") as stream:
        done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=stream, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(log.read_text(encoding="utf-8") + "headroom package: PyInstaller failed, see above.")


def build_deb(program: Path, compression: str, folder: Path) -> Path:
    """The Debian package."""
    began = time.monotonic()
    package = deb.build(program, BUILD / "deb", folder, version(), compression)
    say(f"built {name_and_size(package)} in {time.monotonic() - began:.0f} s.")
    return package


def build_archive(program: Path, folder: Path) -> Path:
    """The folder packed as it is, for systems without a package of their own."""
    name = f"headroom-{version()}-{SYSTEM}-{platform.machine().lower()}"
    target = folder / f"{name}{'.zip' if IS_WINDOWS else '.tar.gz'}"
    pack = pack_zip if IS_WINDOWS else pack_tarball
    pack(program, name, target)
    say(f"built {name_and_size(target)}.")
    return target


def pack_tarball(program: Path, name: str, target: Path) -> None:
    def owned_by_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        return member

    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        archive.add(program, arcname=name, filter=owned_by_root)


def pack_zip(program: Path, name: str, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(program.rglob("*")):
            archive.write(path, Path(name, path.relative_to(program)).as_posix())


def mebibytes(path: Path) -> float:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / 2**20


def name_and_size(path: Path) -> str:
    return f"{path.name}, {mebibytes(path):.0f} MiB"


def say(text: str) -> None:
    print(f"headroom package: {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the packages of Headroom.")
    parser.add_argument("what", choices=("frozen", "deb", "archive", "all"))
    parser.add_argument("--compression", choices=("xz", "zstd"), default="xz", help="of the Debian package")
    parser.add_argument("--into", type=Path, default=DIST, metavar="FOLDER", help="where the packages go")
    options = parser.parse_args()
    folder = options.into.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    program = build_frozen()
    if options.what == "deb" or (options.what == "all" and SYSTEM == "linux" and shutil.which("dpkg-deb")):
        build_deb(program, options.compression, folder)
    if options.what in ("archive", "all"):
        build_archive(program, folder)


if __name__ == "__main__":
    main()
