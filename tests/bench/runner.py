"""Finds the cases, runs each in separate processes and takes medians.

A process per run makes the peak memory belong to that case alone and keeps caches of one run from
helping the next.
"""

import importlib
import json
import os
import pkgutil
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
CASES_PACKAGE = "tests.bench.cases"
RUNS_VARIABLE = "HEADROOM_BENCH_RUNS"
DEFAULT_RUNS = 3

Measure = Callable[[], dict[str, float]]


class BenchProblem(Exception):
    """An unknown figure, or a case that failed."""


@dataclass(frozen=True)
class Case:
    """One thing to measure and the figures it reports; it is named after the first of them."""

    figures: tuple[str, ...]
    measure: Measure

    @property
    def name(self) -> str:
        return self.figures[0]

    @property
    def peak_figure(self) -> str:
        return f"{self.name}_peak_mib"


@dataclass(frozen=True)
class Registry:
    """All cases in order of their modules, and the unit of every figure."""

    cases: tuple[Case, ...]
    units: dict[str, str]

    def cases_of(self, figure: str) -> tuple[Case, ...]:
        """The case of a figure, or all cases of a family: `growth` is every `growth_...`."""
        for case in self.cases:
            if figure in (*case.figures, case.peak_figure):
                return (case,)
        family = tuple(case for case in self.cases if case.name.startswith(f"{figure}_"))
        if family:
            return family
        known = sorted(figure for case in self.cases for figure in case.figures)
        raise BenchProblem(f"no figure {figure!r}. Known: {', '.join([*known, 'proxy_s'])}.")

    def unit_of(self, figure: str) -> str:
        return "MiB" if figure.endswith("_peak_mib") else self.units.get(figure, "-")


def load_registry(package: str = CASES_PACKAGE) -> Registry:
    """Read CASES and UNITS of every module in the package; a figure may have one owner only."""
    measures: dict[str, Measure] = {}
    units: dict[str, str] = {}
    for found in sorted(pkgutil.iter_modules(importlib.import_module(package).__path__), key=lambda m: m.name):
        module = importlib.import_module(f"{package}.{found.name}")
        for figure, measure in getattr(module, "CASES", {}).items():
            if figure in measures:
                raise BenchProblem(f"the figure {figure!r} is reported by two modules; one is {module.__name__}.")
            measures[figure] = measure
        units.update(getattr(module, "UNITS", {}))
    figures_of: dict[Measure, list[str]] = {}
    for figure, measure in measures.items():
        figures_of.setdefault(measure, []).append(figure)
    return Registry(tuple(Case(tuple(names), measure) for measure, names in figures_of.items()), units)


def runs_wanted() -> int:
    """How often each case runs: 3, or what the environment says."""
    text = os.environ.get(RUNS_VARIABLE, str(DEFAULT_RUNS))
    if not text.isdecimal() or int(text) < 1:
        raise BenchProblem(f"{RUNS_VARIABLE} is {text!r}; a number of at least 1 is needed.")
    return int(text)


def medians(case: Case, runs: int) -> Iterator[tuple[str, float]]:
    """The figures of a case and its peak memory, each the median over the runs."""
    results = [_run_in_child(case) for _ in range(runs)]
    for figure in results[0]:
        yield figure, statistics.median(result[figure] for result in results)


def _run_in_child(case: Case) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--child", case.name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=PROJECT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    )  # byte code is kept, as where the program is installed
    if done.returncode != 0:
        raise BenchProblem(f"the case {case.name!r} failed (exit code {done.returncode}).")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def run_here(case: Case) -> dict[str, float]:
    """Measure in this process (the child): the figures of the case, then its peak memory in MiB.

    A case that starts another program reports the peak of that instead.
    """
    figures = {name: float(value) for name, value in case.measure().items()}
    missing = [name for name in case.figures if name not in figures]
    if missing:
        raise BenchProblem(f"the case {case.name!r} did not report {', '.join(missing)}.")
    figures.setdefault(case.peak_figure, peak_mib())
    return figures


def peak_mib() -> float:
    """Peak resident memory of this process in MiB.

    Linux keeps the parent's peak in getrusage across exec, so its own counter is read first.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 1024
