"""What is taken out of the built folder is not missed."""

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import scipy
from PySide6.QtCore import QLibraryInfo

from tests.packaging.conftest import PROJECT

ICU = ("icudata", "icuuc", "icui18n")
COMPARE = """
import ctypes, sys
libraries = [ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL) for name in sys.argv[1:]]
version = sys.argv[1].rpartition(".")[2]
opened, compare = (getattr(libraries[-1], f"ucol_{what}_{version}") for what in ("open", "strcoll"))
opened.restype = ctypes.c_void_p
compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32]
for language in (b"ko", b"en", b"de", b""):
    problem = ctypes.c_int(0)
    order = opened(language, ctypes.byref(problem))
    assert problem.value <= 0 and order, (language, problem.value)
    a, b = ("한".encode("utf-16-le"), "a".encode("utf-16-le"))
    print(language.decode(), compare(order, a, 1, b, 1))
"""


@pytest.fixture(scope="module")
def slimming():
    sys.path.insert(0, str(PROJECT / "packaging"))
    yield import_module("slimming")
    sys.path.remove(str(PROJECT / "packaging"))


@pytest.mark.skipif(sys.platform != "linux", reason="Qt has its own collation elsewhere")
def test_icu_still_orders_texts_in_every_language_and_has_little_data(slimming, tmp_path):
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.LibrariesPath))
    libraries = [Path(shutil.copy(found, tmp_path)) for name in ICU for found in folder.glob(f"lib{name}.so.*")]
    words = [sys.executable, "-c", COMPARE, *map(str, libraries)]
    before = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    size = libraries[0].stat().st_size
    assert slimming.icu_data.keep_wanted(libraries[0]) > 0.8 * size
    assert libraries[0].stat().st_size == size, "its layout stays"
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == before


def test_a_library_that_is_not_icus_is_refused(slimming, tmp_path):
    other = tmp_path / "libicudata.so.73"
    other.write_bytes(b"CmnD" * 100)
    with pytest.raises(ValueError, match="no common data"):
        slimming.icu_data.keep_wanted(other)
    assert other.read_bytes() == b"CmnD" * 100


def test_only_equal_files_of_two_folders_become_one(slimming, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, text in ((first, "a"), (second, "b")):
        folder.mkdir()
        (folder / "equal.so").write_text("x")
        (folder / "other.so").write_text(text)
    slimming.link_copies(first, second)
    assert (second / "equal.so").is_symlink() and (second / "equal.so").read_text() == "x"
    assert not (second / "other.so").is_symlink() and (second / "other.so").read_text() == "b"


@pytest.mark.skipif(sys.platform != "linux", reason="libraries elsewhere have another layout")
def test_a_library_works_without_its_symbol_tables(slimming, tmp_path):
    """A patched library of a wheel: the linear algebra of SciPy."""
    (wheel,) = Path(scipy.__file__).parent.with_name("scipy.libs").glob("libscipy_openblas-*.so")
    folder = Path(shutil.copytree(wheel.parent, tmp_path / "libraries"))
    library = folder / wheel.name
    before = library.read_bytes()
    assert before.count(b"scipy_dgemm_\0") == 2, "a name for the loader and one for debuggers"
    assert slimming.symbol_tables.clear(library) > 100_000
    after = library.read_bytes()
    assert len(after) == len(before) and after.count(b"scipy_dgemm_\0") == 1
    assert slimming.symbol_tables.clear(library) > 0 and library.read_bytes() == after
    call = f"import ctypes; assert ctypes.CDLL({str(library)!r}).scipy_openblas_get_num_threads() > 0"
    subprocess.run([sys.executable, "-c", call], check=True)


def test_a_file_that_is_no_library_stays_as_it_is(slimming, tmp_path):
    script = tmp_path / "libc.so"
    script.write_text("INPUT ( /lib/libc.so.6 )")
    assert slimming.symbol_tables.clear(script) == 0
    assert script.read_text() == "INPUT ( /lib/libc.so.6 )"
