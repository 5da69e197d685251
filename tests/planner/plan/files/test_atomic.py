import errno
import os
import stat

import pytest

from planner.errors import PlanFileError
from planner.plan.files.atomic import write_atomically


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


@pytest.mark.parametrize("call", ["fsync", "replace", "fdopen"])
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
    with pytest.raises(PlanFileError, match="not an ordinary file"):
        write_atomically(tmp_path, b"new")
    with pytest.raises(PlanFileError, match="could not be saved"):
        write_atomically(tmp_path / "no" / "plan.headroom", b"new")
