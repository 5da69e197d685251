"""What was measured of the cluster, what was fitted to it, and how a run compares."""

from collections.abc import Callable, Sequence
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from planner import api
from planner.api import Plan, RunResult
from planner.measured.backtest.backtest import BackTest, back_test
from planner.measured.calibration.calibration import Calibration, calibrate, is_in, with_fits
from planner.measured.calibration.fit import Fit
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.measured_load import with_measured_load
from planner.measured.prometheus.access import access_from
from planner.measured.prometheus.fetching import Wanted, fetched
from planner.measured.prometheus.server import PrometheusServer
from planner.measured.reading import HowRead, read_measured
from planner.measured.saving import save_measured
from ui.document.plan_document import PlanDocument
from ui.process.watched_work import Watch, WatchedWork


class SeriesChoice(NamedTuple):
    """Where measured series come from: a server if there is an address, else files."""

    url: str = ""
    wanted: Wanted = Wanted(14 * 86_400)
    paths: tuple[str, ...] = ()
    zone: tzinfo = UTC


class Measuring(QObject):
    """Reads, fits and compares beside the window; views read it on `changed`."""

    changed = Signal()
    """Something else was measured, fitted or compared."""

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.work = WatchedWork("measured", self)
        self.measured: MeasuredCluster | None = None
        self.calibration: Calibration | None = None
        self.back_test: BackTest | None = None
        self.splits = False
        """Fit to the first half of the window, and test on the second."""
        document.replaced.connect(self.forget)

    def forget(self) -> None:
        """Another plan is open: what was measured belonged to the one before."""
        self.work.cancel()
        self.measured = self.calibration = self.back_test = None
        self.changed.emit()

    # -- series -----------------------------------------------------------------------------------

    def read(self, choice: SeriesChoice) -> None:
        """Bring series in, and fit the plan to them."""
        plan = self._document.plan
        if choice.url:
            what = self.tr("Asking {server}").format(server=choice.url)
            self.work.start(what, partial(_asked, choice, plan), self._take)
        else:
            names = ", ".join(Path(path).name for path in choice.paths[:3])
            what = self.tr("Reading {files}").format(files=names)
            self.work.start(what, partial(_read, choice, plan), self._take)

    def save(self, path: Path) -> None:
        """Keep the series in a file that every command reads. Failures are shown as of other work."""
        measured, plan = self.measured, self._document.plan
        if measured is not None:
            self.work.start(self.tr("Writing {file}").format(file=path.name),
                            lambda _watch: save_measured(measured, plan, path), lambda _nothing: None)  # fmt: skip

    def _take(self, measured: MeasuredCluster) -> None:
        self.measured, self.calibration, self.back_test = measured, None, None
        self.changed.emit()
        self.calibrate()

    # -- fits -------------------------------------------------------------------------------------

    def split(self, on: bool) -> None:
        """Whether one half is for fitting and the other for testing."""
        if on != self.splits:
            self.splits, self.back_test = on, None
            self.calibrate()

    def calibrate(self) -> None:
        """Fit the plan to what was measured."""
        part, plan = self._half(first=True), self._document.plan
        if part is not None:
            self.work.start(self.tr("Fitting"), lambda watch: calibrate(plan, part, watch.show), self._take_calibration)

    def accept(self, fits: Sequence[Fit]) -> None:
        """Take fitted values into the plan, as one step that can be undone."""
        plan, measured = self._document.plan, self._half(first=True)
        chosen = [fit for fit in fits if is_in(plan, fit)]
        if chosen and measured is not None:
            self._document.apply(with_fits(plan, chosen, measured), self.tr("Take measured values"))

    def accept_load(self) -> int:
        """Give all workloads their measured load; to how many."""
        if self.measured is None:
            return 0
        plan, count = with_measured_load(self._document.plan, self.measured)
        if count:
            self._document.apply(plan, self.tr("Take the measured load"))
        return count

    def _take_calibration(self, found: Calibration) -> None:
        self.calibration = found
        self.changed.emit()

    # -- back-test --------------------------------------------------------------------------------

    def test(self, seeds: int) -> None:
        """Play the measured load in the plan and compare."""
        part, plan = self._half(first=False), self._document.plan
        if part is not None:
            self.work.start(self.tr("Back-test"), partial(_tested, plan, part, seeds), self._take_test)

    def _take_test(self, found: BackTest) -> None:
        self.back_test = found
        self.changed.emit()

    def _half(self, *, first: bool) -> MeasuredCluster | None:
        measured = self.measured
        if measured is None or not self.splits or measured.steps < 2:
            return measured
        middle = measured.start_s + measured.steps // 2 * measured.step_s
        return measured.part(None, middle) if first else measured.part(middle, None)


# -- called in a thread: no Qt ------------------------------------------------------------------------


def _asked(choice: SeriesChoice, plan: Plan, watch: Watch) -> MeasuredCluster:
    return fetched(PrometheusServer(choice.url, access_from()), plan, choice.wanted, watch.show)


def _read(choice: SeriesChoice, plan: Plan, watch: Watch) -> MeasuredCluster:
    return read_measured(choice.paths, plan, HowRead(None, choice.zone), watch.show)


def _tested(plan: Plan, measured: MeasuredCluster, seeds: int, watch: Watch) -> BackTest:
    runs = iter(range(seeds))
    return back_test(
        plan, measured, seeds, lambda plan, seed: _run(plan, seed, _share(next(runs), seeds, watch), watch)
    )


def _share(number: int, seeds: int, watch: Watch) -> Callable[[int, int], None]:
    def show(now_us: int, until_us: int) -> None:
        watch.done, watch.total = number * until_us + now_us, seeds * until_us

    return show


def _run(plan: Plan, seed: int, on_progress: Callable[[int, int], None], watch: Watch) -> RunResult:
    return api.run_plan(plan, seed=seed, on_progress=on_progress, cancelled=watch.is_cancelled)
