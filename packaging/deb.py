"""The Debian package: /opt/headroom, the command /usr/bin/headroom, and what a desktop needs to open plan files.

dpkg's own triggers renew the MIME, desktop and icon caches, so there are no scripts in the package.
"""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import icons

DESKTOP = Path(__file__).parent / "desktop"
CONTROL = """\
Package: headroom
Version: {version}
Architecture: {architecture}
Maintainer: The Headroom authors <headroom@localhost>
Installed-Size: {kibibytes}
Depends: libc6 (>= 2.34), libgl1, libegl1, libxkbcommon0, libdbus-1-3, libfontconfig1, libglib2.0-0 | libglib2.0-0t64,
 libssl3 | libssl3t64, libx11-6, libx11-xcb1, libxcb1, libstdc++6, libwayland-client0, libwayland-cursor0, libdrm2
Recommends: fonts-noto-cjk
Section: science
Priority: optional
Description: Kubernetes cluster capacity planning by simulation
 Takes a plan of node pools, workloads, load and autoscaler settings and plays
 hours or days of cluster life in seconds, with the decision rules of
 kube-scheduler, HorizontalPodAutoscaler and Cluster Autoscaler. Says what
 happened, when, at what cost, and why.
"""
LEVELS = {"xz": 6, "zstd": 10}
"""With zstd the package is made in seconds; level 15 takes ten times as long for a package two percent smaller."""
PLACES = {
    "headroom.desktop": "usr/share/applications",
    "headroom.xml": "usr/share/mime/packages",
}


def build(program: Path, work: Path, target_folder: Path, version: str, compression: str) -> Path:
    """Pack the folder `program`; returns the package."""
    shutil.rmtree(work, ignore_errors=True)
    lay_out(program, work)
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    (work / "DEBIAN").mkdir()
    kibibytes = sum(path.lstat().st_size for path in work.rglob("*") if not path.is_dir()) // 1024
    (work / "DEBIAN" / "control").write_text(
        CONTROL.format(version=version, architecture=architecture, kibibytes=kibibytes), encoding="utf-8"
    )
    target = target_folder / f"headroom_{version}_{architecture}.deb"
    how = (f"-Z{compression}", f"-z{LEVELS[compression]}")
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", *how, "--build", str(work), str(target)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return target


def lay_out(program: Path, root: Path) -> None:
    """The files of the package below `root`, as they will be below /."""
    umask = os.umask(0o022)
    try:
        shutil.copytree(program, root / "opt" / "headroom", symlinks=True)
        mend_modes(root / "opt" / "headroom")
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "headroom").symlink_to("/opt/headroom/headroom")
        for name, place in PLACES.items():
            (root / place).mkdir(parents=True)
            shutil.copyfile(DESKTOP / name, root / place / name)
        put_icons(root / "usr" / "share" / "icons" / "hicolor", program / "lib" / "resources" / "icons")
        put_documents(root / "usr" / "share", program)
    finally:
        os.umask(umask)


def put_icons(theme: Path, drawings: Path) -> None:
    pictures = theme.parent / "drawn"
    icons.draw_all(pictures)
    for name, kind, icon in (
        ("headroom", "apps", "headroom"),
        ("headroom-plan", "mimetypes", "application-vnd.headroom.plan+json"),
    ):
        for size in icons.SIZES:
            place = theme / f"{size}x{size}" / kind
            place.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pictures / str(size) / f"{name}.png", place / f"{icon}.png")
        place = theme / "scalable" / kind
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(drawings / f"{name}.svg", place / f"{icon}.svg")
    shutil.rmtree(pictures)


def put_documents(share: Path, program: Path) -> None:
    documents = share / "doc" / "headroom"
    documents.mkdir(parents=True)
    shutil.copyfile(program / "lib" / "licences" / "README.txt", documents / "copyright")
    with (documents / "copyright").open("a", encoding="utf-8") as text:
        text.write("\nThe licence texts are in /opt/headroom/lib/licences.\n")
    shutil.copytree(program / "lib" / "share", share, dirs_exist_ok=True)
    manual = share / "man" / "man1" / "headroom.1"
    manual.with_suffix(".1.gz").write_bytes(gzip.compress(manual.read_bytes(), mtime=0))
    manual.unlink()


def mend_modes(folder: Path) -> None:
    """Whatever the umask of the builder was; only the program itself is executable."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == folder / "headroom" else 0o644)
