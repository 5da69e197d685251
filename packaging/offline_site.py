"""Builds the documents as a site to read offline: MkDocs makes it of docs/, as packaging/site says.

Usage: python packaging/offline_site.py [FOLDER]      default: build/site; the guide begins at guide/en/index.html
"""

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SITE = PROJECT / "build" / "site"
_NOT_NEEDED = ("sitemap.xml", "sitemap.xml.gz")
"""For search engines."""


def generator() -> str:
    """Name and version of what makes the site; empty where it is not installed."""
    try:
        return f"mkdocs {importlib.metadata.version('mkdocs')}"
    except importlib.metadata.PackageNotFoundError:
        return ""


def build(target: Path = SITE) -> Path:
    """Make the site anew; ends the program where there is a warning, such as a link that leads nowhere."""
    if not generator():
        sys.exit("headroom package: MkDocs, which makes the guide, is not installed. Type: make setup")
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    command += ["--config-file", str(PROJECT / "packaging" / "site" / "mkdocs.yml"), "--site-dir", str(target)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}headroom package: the guide could not be built, see above.")
    for name in _NOT_NEEDED:
        (target / name).unlink(missing_ok=True)
    return target


if __name__ == "__main__":
    print(build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SITE))
