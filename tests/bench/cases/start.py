"""How long until the window answers, and how much room the program takes.

Measured on the built program (dist/headroom) where there is one, else on the sources; stderr says which. A start counts
from the call until a pressed F5 has started a run, so everything between has happened: window, plan, first answer.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.runner import PROJECT, BenchProblem
from tests.x_display import Hand, missing_tools, virtual_display, wait_until

FROZEN = PROJECT / "dist" / "headroom"
PLAN = PROJECT / "scenarios" / "flash-sale" / "plan.headroom"
OF_SOURCES = ("planner", "ui", "resources", "scenarios")


def start_cold() -> dict[str, float]:
    """The files of the program come from the disk."""
    forget_files()
    return _start("start_cold")


def start_warm() -> dict[str, float]:
    """The program ran a moment ago."""
    _start("start_warm")
    return _start("start_warm")


def installed_mib() -> dict[str, float]:
    """Room of the program's files on the disk."""
    return {"installed_mib": sum(file.lstat().st_size for file in _files()) / 2**20}


def _start(name: str) -> dict[str, float]:
    if missing := missing_tools():
        raise BenchProblem(f"{name} needs {' and '.join(missing)} (packaging/system_packages.sh test).")
    with virtual_display() as display, tempfile.TemporaryDirectory() as home:
        environment = {**_environment(home), "DISPLAY": display}
        begun = time.perf_counter()
        with subprocess.Popen([*_command(), str(PLAN)], env=environment, cwd=home) as program:
            try:
                took_s = _until_it_answers(program, Hand(display), Path(home), begun)
                return {name: took_s, f"{name}_peak_mib": _peak_mib(program.pid)}
            finally:
                program.kill()


def _until_it_answers(program: "subprocess.Popen[bytes]", hand: Hand, home: Path, begun: float) -> float:
    log = home / "headroom" / "log" / "headroom.log"

    def runs() -> bool:
        return program.poll() is None

    hand.press(hand.wait_for_window(PLAN.name, alive=runs), "F5")
    wait_until(lambda: "run 1 started" in log.read_text(encoding="utf-8"), "the start of the run", alive=runs)
    return time.perf_counter() - begun


def _command() -> list[str]:
    if (FROZEN / "headroom").exists():
        print("of the built program, dist/headroom", file=sys.stderr)
        return [str(FROZEN / "headroom")]
    print("of the sources: nothing is built (make package)", file=sys.stderr)
    return [sys.executable, "-c", "import sys; from ui.launch import main; sys.exit(main())"]


def _environment(home: str) -> Mapping[str, str]:
    mine = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    folders = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"), home)
    return mine | folders | {"LANG": "C.UTF-8", "PYTHONPATH": str(PROJECT)}


def forget_files() -> None:
    """Ask the system to drop its copies of the program's files; those in use by others stay."""
    os.sync()
    for file in _files():
        descriptor = os.open(file, os.O_RDONLY)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


def _files() -> Iterator[Path]:
    folders = [FROZEN]
    if not (FROZEN / "headroom").exists():
        libraries = (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib"))
        folders = [*(PROJECT / name for name in OF_SOURCES), *map(Path, libraries)]
    for folder in folders:
        yield from (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _peak_mib(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise BenchProblem("the system does not report the peak memory of a process.")


CASES = {"start_cold": start_cold, "start_warm": start_warm, "installed_mib": installed_mib}
UNITS = {"start_cold": "s", "start_warm": "s", "installed_mib": "MiB"}
