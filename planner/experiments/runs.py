"""The runs of an experiment: looked up, else made by an executor and kept; in any order, with the same outcome."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from planner import __version__
from planner.errors import ResultFileError
from planner.experiments.execution.executor import Cancelled, Executor, J, R, Work
from planner.experiments.execution.families import Family, families, run_family
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.execution.parting import PartingJob, find_parting
from planner.experiments.execution.work import RunJob
from planner.experiments.results.results_file import ResultsFile
from planner.experiments.variants.runnable_plan import RunnablePlan

Progress = Callable[[int, int], None]
"""Called with the number of runs made and the number of runs known to be needed."""
Key = tuple[str, int, int]
"""Digest of the plan, seed, simulated time."""
Wanted = tuple[RunnablePlan, int]
"""A plan and a seed."""


def never() -> bool:
    """Nothing is cancelled."""
    return False


def unseen(_done: int, _total: int) -> None:
    """Progress that nothing shows."""


class Runs:
    """Makes the runs that an experiment wants. One for each experiment."""

    def __init__(
        self,
        executor: Executor | None = None,
        results: ResultsFile | None = None,
        on_progress: Progress = unseen,
        cancelled: Cancelled = never,
        until_us: int | None = None,
        *,
        shares_start: bool = True,
    ) -> None:
        """`until_us` stands in for the simulated time of the plans. `shares_start`: what plans have in common is run
        once where they differ only in later events; the outcomes are the same."""
        self._executor: Executor = executor if executor is not None else InProcess()
        self._results = results if results is not None else ResultsFile(None, __version__)
        self._on_progress, self._until_us = on_progress, until_us
        self.cancelled = cancelled
        self.made = 0
        """Runs that had to be made, as they were not known yet."""
        self.known = 0
        """Runs that were known already."""
        self.saved_us = 0
        """Simulated time that runs shared with others, instead of simulating it again."""
        self._shares_start = shares_start
        self.unkept: ResultFileError | None = None
        """Why results could not be read or written; the experiment goes on without its file."""
        self._done = self._total = 0

    @property
    def stopped(self) -> bool:
        """Whether the experiment was cancelled: outcomes may be missing."""
        return self.cancelled()

    def outcomes(self, wanted: Sequence[Wanted]) -> list[RunOutcome | None]:
        """The outcome of each; None only where the experiment was cancelled first.

        Runs that are wanted twice are made once. Raises PlanProblems for a drawn number that does not fit its plan.
        """
        keys, jobs, kin = list[Key](), dict[Key, RunJob](), list[Hashable]()
        found: dict[Key, RunOutcome | None] = {}
        for tested, seed in wanted:
            parcel = tested.parcel_of(seed)
            key = parcel.digest, seed, self.time_of(tested)
            keys.append(key)
            if key not in found:
                found[key] = self._kept(key)
                if found[key] is None:
                    jobs[key] = RunJob(parcel, seed, self._until_us)
                    kin.append((tested.kin, seed) if self._shares_start else len(kin))
        self._total += len(jobs)
        self.known += len(found) - len(jobs)
        self._on_progress(self._done, self._total)
        missing, made = list(jobs), list(jobs.values())
        together = families(made, kin, self._executor.lanes)
        parts = [Family(tuple(made[at] for at in members)) for members in together]
        for position, done in self._executor.results(run_family, parts, self.cancelled):
            self.saved_us += done.saved_us
            for at, outcome in zip(together[position], done.outcomes, strict=True):
                if outcome is not None:
                    found[missing[at]] = outcome
                    self._keep(outcome, missing[at][2])
        return [found[key] for key in keys]

    def _kept(self, key: Key) -> RunOutcome | None:
        """A run that is known already; none where the file cannot be read."""
        try:
            return self._results.find(*key)
        except ResultFileError as error:
            self.unkept = error
            return None

    def parting(self, a: RunnablePlan, b: RunnablePlan, seed: int) -> dict[str, Any] | None:
        """Where two plans part with that seed (`find_parting`); None if the experiment was cancelled."""
        parcels, until_us = (a.parcel_of(seed), b.parcel_of(seed)), max(self.time_of(a), self.time_of(b))
        key = parcels[0].digest, parcels[1].digest, seed, until_us
        try:
            known = self._results.find_parting(*key)
        except ResultFileError as error:
            self.unkept, known = error, None
        if known is not None:
            return known
        found = self.aside(find_parting, PartingJob(*parcels, seed, self._until_us))
        if found is not None:
            try:
                self._results.keep_parting(*key, found)
            except ResultFileError as error:
                self.unkept = error
        return found

    def aside(self, work: Work[J, R], job: J) -> R | None:
        """The result of one job that is no run of the experiment; None if the experiment was cancelled."""
        for _, found in self._executor.results(work, [job], self.cancelled):
            return found
        return None

    @property
    def until_us(self) -> int | None:
        """What stands in for the simulated time of the plans; None: nothing."""
        return self._until_us

    def time_of(self, tested: RunnablePlan) -> int:
        """Simulated time of its runs."""
        return tested.plan.simulation.duration if self._until_us is None else self._until_us

    def _keep(self, outcome: RunOutcome, until_us: int) -> None:
        self._done += 1
        self.made += 1
        self._on_progress(self._done, self._total)
        try:
            self._results.keep(outcome, until_us)
        except ResultFileError as error:
            self.unkept = error
