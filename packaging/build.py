"""Builds what users get: the program as a folder, and packages of that folder.

Usage: python packaging/build.py frozen                             dist/headroom
       python packaging/build.py deb [--compression xz|zstd]        dist/headroom_<version>_<architecture>.deb
       python packaging/build.py tarball                            dist/headroom-<version>-linux-<machine>.tar.gz
       python packaging/build.py all [--compression xz|zstd]        the three of them
With --into FOLDER packages go there. The folder is built anew when the sources it is made from have changed, else kept.
"""

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from pathlib import Path

import deb
import licences

PROJECT = Path(__file__).resolve().parent.parent
BUILD, DIST = PROJECT / "build", PROJECT / "dist"
FROZEN = DIST / "headroom"
STAMP = "lib/build-of-sources"
"""Inside of the built folder: the fingerprint of what it was made from."""
SOURCES = ("planner", "ui", "resources", "scenarios", "packaging/licences")
SOURCE_FILES = ("pyproject.toml", "constraints.txt", "LICENSE", "packaging/headroom.spec", "packaging/start.py",
                "packaging/licences.py", "packaging/build.py")  # fmt: skip


def version() -> str:
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def fingerprint() -> str:
    """Changes with every source that goes into the program and with the Python that packs it."""
    total = hashlib.sha256(sys.version.encode())
    found = [PROJECT / name for name in SOURCE_FILES]
    for folder in SOURCES:
        found += sorted(path for path in (PROJECT / folder).rglob("*") if path.is_file())
    for path in found:
        if path.suffix not in (".pyc", ".headroom~"):
            total.update(f"{path.relative_to(PROJECT)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def is_fresh() -> bool:
    stamp = FROZEN / STAMP
    return (FROZEN / "headroom").exists() and stamp.exists() and stamp.read_text() == fingerprint()


def build_frozen() -> Path:
    """The program as a folder with everything it needs, Python included."""
    if is_fresh():
        say(f"{FROZEN.relative_to(PROJECT)} is up to date.")
        return FROZEN
    began, made_from = time.monotonic(), fingerprint()
    shutil.rmtree(BUILD / "licences", ignore_errors=True)
    licences.collect(BUILD / "licences")
    subprocess.run(
        [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--workpath", str(BUILD / "frozen"),
         "--distpath", str(DIST), str(PROJECT / "packaging" / "headroom.spec")],
        check=True, cwd=PROJECT, env=os.environ | {"HEADROOM_BUILD_FOLDER": str(BUILD)},
    )  # fmt: skip
    strip_python_library()
    (FROZEN / STAMP).write_text(made_from)
    say(f"built {FROZEN.relative_to(PROJECT)}: {mebibytes(FROZEN):.0f} MiB in {time.monotonic() - began:.0f} s.")
    return FROZEN


def strip_python_library() -> None:
    """A Python that was built from source keeps its debug symbols; nothing here can use them."""
    if shutil.which("strip"):
        for library in (FROZEN / "lib").glob("libpython*.so*"):
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)


def build_deb(compression: str, folder: Path) -> Path:
    """The Debian package."""
    began = time.monotonic()
    package = deb.build(build_frozen(), BUILD / "deb", folder, version(), compression)
    say(f"built {told(package)} in {time.monotonic() - began:.0f} s.")
    return package


def build_tarball(folder: Path) -> Path:
    """The folder packed as it is, for systems without a package of their own."""
    name = f"headroom-{version()}-linux-{platform.machine()}"
    target = folder / f"{name}.tar.gz"
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        archive.add(build_frozen(), arcname=name, filter=owned_by_root)
    say(f"built {told(target)}.")
    return target


def owned_by_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def mebibytes(path: Path) -> float:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / 2**20


def told(path: Path) -> str:
    return f"{path.name}, {mebibytes(path):.0f} MiB"


def say(text: str) -> None:
    print(f"headroom package: {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the packages of Headroom.")
    parser.add_argument("what", choices=("frozen", "deb", "tarball", "all"))
    parser.add_argument("--compression", choices=("xz", "zstd"), default="xz", help="of the Debian package")
    parser.add_argument("--into", type=Path, default=DIST, metavar="FOLDER", help="where the packages go")
    options = parser.parse_args()
    folder = options.into.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.what == "frozen":
        build_frozen()
    if options.what in ("deb", "all"):
        build_deb(options.compression, folder)
    if options.what in ("tarball", "all"):
        build_tarball(folder)


if __name__ == "__main__":
    main()
