"""Brings the files of a set onto this machine, with git: from the public forge, or from a folder of local mirrors.

A mirror is a bare repository at DIR/OWNER+NAME, DIR/OWNER+NAME/repo, DIR/OWNER/NAME or DIR/OWNER/NAME.git.
"""

import os
import subprocess
from pathlib import Path

from tests.public_manifests.manifest_sets import ManifestSet

FORGE = "https://github.com"
_MOST_SECONDS = 600
_PLACES = ("{owner}+{name}/repo", "{owner}+{name}", "{owner}/{name}", "{owner}/{name}.git")


class BringingProblem(Exception):
    """A set could not be brought."""


def mirror_of(mirrors: Path, repository: str) -> Path:
    """The git directory of a repository below the folder of mirrors. Raises BringingProblem."""
    owner, name = repository.split("/")
    for place in _PLACES:
        folder = mirrors / place.format(owner=owner, name=name)
        for git in (folder, folder / ".git"):
            if (git / "objects").is_dir():
                return git
    raise BringingProblem(f"{repository} is not below {mirrors}.")


def fetched(forge: str, wanted: ManifestSet, folder: Path) -> Path:
    """A git directory with the commit, without the contents of files that nobody asks for. Raises BringingProblem."""
    git = folder / "git"
    address = f"{forge}/{wanted.repository}"
    _git(git, "init", "--quiet", "--bare", str(git))
    for name, value in (("url", address), ("promisor", "true"), ("partialclonefilter", "blob:none")):
        _git(git, "config", f"remote.origin.{name}", value)
    try:
        _git(git, "fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", wanted.commit)
    except BringingProblem as problem:
        cure = "Connect to the network, or give a folder of mirrors with --mirror."
        raise BringingProblem(f"{address} at {wanted.commit} cannot be fetched ({problem}). {cure}") from None
    return git


def bring(git: Path, wanted: ManifestSet, folder: Path) -> Path:
    """Writes the manifests of the set into an empty folder; the path of the set there. Raises BringingProblem."""
    listed = _git(git, "ls-tree", "-r", "-z", "--name-only", wanted.commit)
    names = [name for name in listed.split("\0") if wanted.takes(name)]
    if not names:
        raise BringingProblem(f"{wanted.repository} has no manifests in {wanted.path} at {wanted.commit}.")
    folder.mkdir()
    chosen = ("--pathspec-from-file=-", "--pathspec-file-nul")
    options = ("--literal-pathspecs", f"--work-tree={folder}")
    _git(git, *options, "checkout", "--quiet", wanted.commit, *chosen, text="\0".join(names), index=f"{folder}.index")
    return folder if wanted.path == "." else folder / wanted.path


def _git(git: Path, *arguments: str, text: str = "", index: str = "") -> str:
    """What git prints. It asks for no password and runs no hooks. Raises BringingProblem with its first complaint."""
    command = ("git", "--git-dir", str(git), "-c", "core.hooksPath=/dev/null", *arguments)
    own = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"} | ({"GIT_INDEX_FILE": index} if index else {})
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=_MOST_SECONDS, env={**os.environ, **own}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BringingProblem(f"git failed: {error}") from None
    if done.returncode:
        complaints = [line for line in done.stderr.splitlines() if line.startswith(("fatal:", "error:"))]
        raise BringingProblem(next(iter(complaints), f"git ended with {done.returncode}"))
    return done.stdout
