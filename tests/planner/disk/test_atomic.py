"""Attacks on a file that is being replaced."""

import errno
import os
import socket
import stat

import pytest

from planner.disk import folder_lock
from planner.disk.atomic import VersionDiffers, keep_aside, replace_file
from planner.disk.temporary import temporary_file
from planner.disk.version import ABSENT, version_of, version_of_content
from tests.attacks import killed_at_every_step, on_a_full_disk

OLD, NEW = b"old " * 5_000, b"new " * 5_000


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "plan.headroom"
    path.write_bytes(OLD)
    return path


def files_of(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("backup", ["~", "numbered", ""])
def test_a_kill_at_any_step_leaves_a_whole_file_and_the_next_write_cleans_up(path, backup):
    def check(_step):
        assert path.read_bytes() in (OLD, NEW)
        assert all(kept.read_bytes() in (OLD, NEW) for kept in path.parent.glob("plan*~"))
        replace_file(path, OLD, backup="~")
        assert not [name for name in files_of(path.parent) if name.startswith(".")]

    steps = killed_at_every_step(lambda: replace_file(path, NEW, backup=backup), check)
    assert steps >= 5
    assert path.read_bytes() == NEW


def test_a_file_is_replaced_by_its_relative_path(path, monkeypatch):
    monkeypatch.chdir(path.parent.parent)
    replace_file(path.relative_to(path.parent.parent), NEW)
    assert path.read_bytes() == NEW and files_of(path.parent) == [path.name]


@pytest.mark.parametrize("room", [0, 1, 4096, len(NEW) - 1])
def test_a_full_disk_in_the_middle_of_the_file_leaves_the_old_one(path, room):
    def write():
        with pytest.raises(OSError, match="large"):
            replace_file(path, NEW, backup="~")

    assert on_a_full_disk(write, room) == 0
    assert path.read_bytes() == OLD and files_of(path.parent) == [path.name]


@pytest.mark.parametrize("call", ["fsync", "replace", "link"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_an_error_at_any_call_leaves_the_old_file(path, monkeypatch, call, code):
    def fail(*_arguments, **_settings):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    if call == "link":  # a disk without links gets a copy
        replace_file(path, NEW, backup="~")
        assert path.with_name("plan.headroom~").read_bytes() == OLD
        return
    with pytest.raises(OSError):
        replace_file(path, NEW, backup="~")
    assert path.read_bytes() == OLD and files_of(path.parent) == [path.name]


def test_only_the_expected_version_is_replaced(path):
    read = version_of(path)
    path.write_bytes(b"theirs")
    with pytest.raises(VersionDiffers) as refused:
        replace_file(path, NEW, expected=read)
    assert refused.value.found == version_of_content(b"theirs")
    assert path.read_bytes() == b"theirs"
    path.unlink()
    with pytest.raises(VersionDiffers) as refused:
        replace_file(path, NEW, expected=read)
    assert refused.value.found == ABSENT and files_of(path.parent) == []


def test_numbered_backups_are_never_replaced(path):
    for content in (b"a", b"b", b"c"):
        replace_file(path, content, backup="numbered")
    assert keep_aside(path, b"d").name == "plan.headroom.~4~"
    kept = [path.with_name(f"plan.headroom.~{number}~").read_bytes() for number in (1, 2, 3, 4)]
    assert kept == [OLD, b"a", b"b", b"d"]


def test_a_second_writer_waits_and_then_sees_the_other_version(path):
    """Ten processes that read the same version: one of them writes, the others are refused."""
    read = version_of(path)
    children = []
    for number in range(10):
        child = os.fork()
        if child == 0:
            try:
                replace_file(path, b"writer %d" % number, expected=read)
            except VersionDiffers:
                os._exit(3)
            os._exit(0)
        children.append(child)
    codes = sorted(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    assert codes == [0] + [3] * 9
    assert path.read_bytes().startswith(b"writer") and files_of(path.parent) == [path.name]


def test_a_folder_that_cannot_be_locked_is_written_all_the_same(path, monkeypatch):
    monkeypatch.setattr(folder_lock, "_locked", lambda _folder: None)
    replace_file(path, NEW)
    assert path.read_bytes() == NEW


def test_what_another_process_is_writing_stays(path):
    inside, go_on = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        with temporary_file(path):
            os.write(inside[1], b"x")
            os.read(go_on[0], 1)
        os._exit(0)
    os.read(inside[0], 1)
    with temporary_file(path) as ours:
        replace_file(path, NEW)
        assert ours.exists() and len(files_of(path.parent)) == 3
    os.write(go_on[1], b"x")
    os.waitpid(child, 0)
    assert files_of(path.parent) == [path.name]


@pytest.mark.parametrize(("age_s", "stays"), [(0, True), (3 * 86_400, False)])
def test_a_temporary_file_of_another_machine_is_removed_once_it_is_old(path, monkeypatch, age_s, stays):
    with monkeypatch.context() as patch:
        patch.setattr(socket, "gethostname", lambda: "elsewhere")
        with temporary_file(path) as other:
            name = other.name
    left = path.with_name(name)
    left.write_bytes(b"half")
    now = path.stat().st_mtime
    os.utime(left, (now - age_s, now - age_s))
    replace_file(path, NEW)
    assert left.exists() is stays


def test_files_of_others_are_never_removed(path):
    others = [".plan.headroom.tmp", ".plan.headroom.abc.tmp", ".other.0a1b2c3d-1-abcdefgh.tmp", "plan.tmp"]
    for name in others:
        path.with_name(name).touch()
    replace_file(path, NEW)
    assert files_of(path.parent) == sorted([*others, path.name])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can write as somebody else")
def test_root_keeps_owner_group_and_permissions_of_file_and_backup(path):
    os.chown(path, 1234, 2345)
    path.chmod(0o640)
    replace_file(path, NEW, backup="~")
    for file in (path, path.with_name("plan.headroom~")):
        found = file.stat()
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o640)


def test_a_group_that_cannot_be_kept_gets_no_more_than_everybody(path, monkeypatch):
    def refuse(*_arguments):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    path.chmod(0o664)
    group = path.stat().st_gid
    monkeypatch.setattr(os, "chown", refuse)
    replace_file(path, NEW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o664  # the group is ours
    if os.getuid() == 0:
        monkeypatch.undo()
        os.chown(path, -1, group + 1)
        monkeypatch.setattr(os, "chown", refuse)
        replace_file(path, OLD)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
