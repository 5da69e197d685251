"""The Debian package: what is in it, and that a desktop opens plans with it once it is installed."""

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.packaging.conftest import MUST_INSTALL, PROJECT, must_install, needs
from tests.packaging.day_of_work import Day, work_a_day
from tests.x_display import wait_until

MOST_BYTES = 60_000_000
MIME_TYPE = "application/vnd.headroom.plan+json"
APT = {"DEBIAN_FRONTEND": "noninteractive"}


def output(*words: str, **settings) -> str:
    done = subprocess.run(words, capture_output=True, text=True, **settings)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_package_has_the_program_its_command_and_what_a_desktop_needs(package):
    files = output("dpkg-deb", "--contents", str(package))
    for wanted in (
        "./opt/headroom/headroom\n",
        "./usr/bin/headroom -> /opt/headroom/headroom\n",
        "./usr/share/applications/headroom.desktop\n",
        "./usr/share/mime/packages/headroom.xml\n",
        "./usr/share/icons/hicolor/48x48/apps/headroom.png\n",
        "./usr/share/icons/hicolor/scalable/mimetypes/application-vnd.headroom.plan+json.svg\n",
        "./usr/share/doc/headroom/copyright\n",
        "./usr/share/man/man1/headroom.1.gz\n",
        "./usr/share/bash-completion/completions/headroom\n",
        "./usr/share/zsh/site-functions/_headroom\n",
        "./usr/share/fish/vendor_completions.d/headroom.fish\n",
    ):
        assert wanted in files
    owners = {line.split()[1] for line in files.splitlines()}
    assert owners == {"root/root"}
    writable = [line for line in files.splitlines() if not line.startswith("l") and line[8] == "w"]
    assert writable == []


def test_the_package_is_small(package):
    assert package.stat().st_size < MOST_BYTES


def test_the_package_says_what_it_needs(package):
    control = output("dpkg-deb", "--field", str(package))
    assert "Package: headroom\n" in control and "libegl1" in control and "Recommends: fonts-noto-cjk" in control


def test_the_desktop_entry_is_valid():
    needs("desktop-file-validate")
    assert output("desktop-file-validate", str(PROJECT / "packaging" / "desktop" / "headroom.desktop")) == ""


@contextmanager
def installed(package: Path):
    """Installed with apt for the time of the block, then removed again."""
    assert subprocess.run(["dpkg", "-s", "headroom"], capture_output=True).returncode != 0, "remove headroom first"
    output("apt-get", "install", "-y", "-q", "--no-install-recommends", str(package), env=os.environ | APT)
    try:
        yield
    finally:
        output("apt-get", "purge", "-y", "-q", "headroom", env=os.environ | APT)


def has_ended(process: Path) -> bool:
    """Gone, or a zombie whose exit code was never collected."""
    try:
        return "\nState:\tZ" in (process / "status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return True


def open_by_desktop(words, hand, user, plan, log) -> None:
    """Open the plan like a click on it does, run it, close the window."""
    log.unlink(missing_ok=True)
    complaints = plan.with_name("complaints")  # a file: the program keeps the stream that it is given
    with complaints.open("w") as stream:
        environment = user | {"DISPLAY": hand.display}
        done = subprocess.run([*words, str(plan)], env=environment, stdout=stream, stderr=stream, timeout=60)
    assert done.returncode == 0, complaints.read_text()
    window = hand.wait_for_window(plan.name)
    process = Path("/proc") / hand.process_of(window)
    assert (process / "exe").readlink() == Path("/opt/headroom/headroom")
    hand.press(window, "F5")
    wait_until(lambda: "run 1 finished" in log.read_text(encoding="utf-8"), "the end of the run", alive=process.exists)
    hand.press(window, "ctrl+q")
    wait_until(lambda: has_ended(process), "the end of the program")
    assert "ERROR" not in log.read_text(encoding="utf-8")
    assert "Traceback" not in complaints.read_text()


@pytest.mark.skipif(not must_install(), reason=f"{MUST_INSTALL} is not set: nothing is installed on this computer")
def test_apt_installs_it_a_desktop_opens_plans_and_apt_removes_it(package, hand, user, log, plan_copy, tmp_path):
    needs("apt-get", "gio", "update-mime-database", "update-desktop-database")
    assert os.geteuid() == 0, f"{MUST_INSTALL} needs root, for apt"
    with installed(package):
        digest = output("headroom", "digest", str(plan_copy), env=user, cwd=tmp_path)
        assert len(digest.strip()) == 64
        shown = output("gio", "info", "-a", "standard::content-type,standard::icon", str(plan_copy), env=user)
        assert f"content-type: {MIME_TYPE}" in shown and "application-vnd.headroom.plan+json" in shown
        assert "headroom.desktop" in output("gio", "mime", MIME_TYPE, env=user)
        open_by_desktop(["gio", "open"], hand, user, plan_copy, log)
        day = Day(["headroom"], user, hand, log, tmp_path)
        try:
            work_a_day(day, PROJECT / "tests" / "data" / "manifests")
        finally:
            day.kill()
    for left in ("/opt/headroom", "/usr/bin/headroom", "/usr/share/applications/headroom.desktop"):
        assert not Path(left).exists() and not Path(left).is_symlink()
    assert MIME_TYPE not in output("gio", "info", "-a", "standard::content-type", str(plan_copy), env=user)
