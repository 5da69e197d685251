"""Saving plan files: what is kept, what is refused, and what the message says."""

import errno
import os
import stat

import pytest

from planner.disk.version import ABSENT
from planner.errors import PlanFileChanged, PlanFileError
from planner.plan.files.io import load_plan, load_version, plan_to_text, save_aside, save_plan
from planner.plan.files.saving import save_content
from tests.attacks import killed_at_every_step, on_a_full_disk
from tests.builders import a_plan


def write_atomically(path, content):
    save_content(path, content, None, False)


def files_of(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_previous_version_is_kept_as_backup(tmp_path):
    path = tmp_path / "plan.headroom"
    for content in (b"one", b"two", b"three"):
        write_atomically(path, content)
    assert path.read_bytes() == b"three"
    assert (tmp_path / "plan.headroom~").read_bytes() == b"two"
    assert files_of(tmp_path) == ["plan.headroom", "plan.headroom~"]


def test_permissions_are_kept(tmp_path):
    path = tmp_path / "plan.headroom"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_gets_the_usual_permissions(tmp_path):
    (tmp_path / "other").write_bytes(b"")
    write_atomically(tmp_path / "plan.headroom", b"new")
    assert (tmp_path / "plan.headroom").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_keeps_pointing_to_its_file(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_untouched(tmp_path, monkeypatch, call):
    path = tmp_path / "plan.headroom"
    path.write_bytes(b"old")

    def fail(*_arguments, **_settings):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(PlanFileError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert files_of(tmp_path) == ["plan.headroom"]


def test_a_disk_without_links_gets_a_copy_as_backup(tmp_path, monkeypatch):
    path = tmp_path / "plan.headroom"
    path.write_bytes(b"old")

    def no_links(*_arguments):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_atomically(path, b"new")
    assert (tmp_path / "plan.headroom~").read_bytes() == b"old"
    assert files_of(tmp_path) == ["plan.headroom", "plan.headroom~"]


def test_a_read_only_file_is_not_replaced(tmp_path):
    path = tmp_path / "plan.headroom"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PlanFileError, match="read-only"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_folder_and_a_missing_folder_are_refused(tmp_path):
    with pytest.raises(PlanFileError, match="There is a folder of that name. Save the plan under another name"):
        write_atomically(tmp_path, b"new")
    with pytest.raises(PlanFileError, match="Its folder is gone. Save the plan in another folder"):
        write_atomically(tmp_path / "no" / "plan.headroom", b"new")


@pytest.mark.parametrize(
    ("code", "cure"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EDQUOT, "Free some space"),
        (errno.EROFS, "writable disk"),
        (errno.EACCES, "permissions"),
        (errno.EBUSY, "another folder"),
        (errno.EXDEV, "another folder"),
        (errno.EIO, "failing or disconnected"),
        (errno.ENAMETOOLONG, "shorter name"),
    ],
)
def test_the_message_names_the_cure_of_each_failure(tmp_path, monkeypatch, code, cure):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(name="Old"), path)

    def fail(*_arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(PlanFileError) as refused:
        save_plan(a_plan(name="New"), path)
    assert cure in refused.value.remedy and "old file is unchanged" in refused.value.remedy
    assert load_plan(path).name == "Old"


def test_a_file_in_a_read_only_folder_is_refused_with_a_cure(tmp_path, monkeypatch):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(), path)
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda place, mode: place != tmp_path and allowed(place, mode))
    with pytest.raises(PlanFileError, match="The folder is read-only.*Make the folder writable or save in another"):
        save_plan(a_plan(), path)


def test_a_version_that_another_program_wrote_is_not_replaced(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(name="Read"), path)
    plan, version = load_version(path)
    save_plan(a_plan(name="Theirs"), path)
    with pytest.raises(PlanFileChanged, match="changed by another program in the meantime; nothing was written") as no:
        save_plan(plan, path, expected=version)
    assert load_plan(path).name == "Theirs"
    saved = save_plan(a_plan(name="Mine"), path, expected=no.value.found, foreign=True)
    for name in ("Mine again", "And again"):
        saved_later = save_plan(a_plan(name=name), path, expected=saved.version)
        saved = saved_later
    assert saved.backup == tmp_path / "plan.headroom~"
    assert load_plan(tmp_path / "plan.headroom.~1~").name == "Theirs"


def test_a_file_that_vanished_is_not_written_again_without_a_word(tmp_path):
    path = tmp_path / "plan.headroom"
    version = save_plan(a_plan(), path).version
    path.unlink()
    with pytest.raises(PlanFileChanged, match="removed or renamed") as refused:
        save_plan(a_plan(), path, expected=version)
    assert refused.value.found == ABSENT
    assert save_plan(a_plan(), path, expected=ABSENT).backup is None


def test_a_plan_is_written_aside_under_a_name_of_its_own(tmp_path):
    path = tmp_path / "plan.headroom"
    kept = [save_aside(a_plan(name=name), path) for name in ("One", "Two")]
    assert [load_plan(file).name for file in kept] == ["One", "Two"]
    assert not path.exists()


def test_a_kill_at_any_step_of_a_save_leaves_the_old_or_the_new_plan(tmp_path):
    path = tmp_path / "plan.headroom"
    old, new = a_plan(name="Old"), a_plan(name="New")
    save_plan(old, path)

    def check(_step):
        assert path.read_text() in (plan_to_text(old), plan_to_text(new))
        save_plan(old, path)
        assert files_of(tmp_path) == ["plan.headroom", "plan.headroom~"]

    assert killed_at_every_step(lambda: save_plan(new, path), check) > 5


@pytest.mark.parametrize("room", [0, 10, 200])
def test_a_full_disk_in_the_middle_of_a_save_is_an_error_and_leaves_the_old_plan(tmp_path, room):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(name="Old"), path)
    assert on_a_full_disk(lambda: save_plan(a_plan(name="New"), path), room) == 1
    assert load_plan(path).name == "Old" and files_of(tmp_path) == ["plan.headroom"]
