"""Services whose pods are other ones than those that they were given, or can do other things now.

To give the others theirs again would change nothing: pods of a kind can do the same on all nodes with room for them.
"""

import numpy as np
from numpy.typing import NDArray

from planner.workloads.cpu.running_pods import NOT_RUNNING, Moved

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class OwedPods:
    """Remembers them from change to change; positions are those of the services."""

    def __init__(self, always: Bools) -> None:
        """`always`: services whose groups of pods are formed anew whenever they are given pods, be they the same."""
        self._always = always
        self._are_some_always = bool(always.any())
        self._owed: Bools = np.ones(len(always), np.bool_)
        self._cores: Ints = np.zeros(0, np.int64)

    def note(self, moved: Moved | None, service_of_kind: Ints, cores: Ints) -> None:
        """Pods have changed their kind; nodes have these milli-CPU. `service_of_kind`: -1 for those of no service."""
        if not np.array_equal(cores, self._cores):
            if not np.array_equal(cores[: len(self._cores)], self._cores):
                self._owed[:] = True
            self._cores = cores
        if moved is None:
            return
        for kind in (moved.before, moved.after):
            of = service_of_kind[kind[kind != NOT_RUNNING]]
            self._owed[of[of >= 0]] = True

    @property
    def any(self) -> bool:
        """Whether some would be given pods, were they all asked for."""
        return self._are_some_always or bool(self._owed.any())

    def of(self, positions: Ints) -> Ints:
        """Those of them that are owed their pods."""
        return positions[self._owed[positions] | self._always[positions]]

    def give(self, positions: Ints, *, lasting: bool) -> None:
        """These have their pods now; not `lasting`: what the pods can do may be something else soon."""
        self._owed[positions] = not lasting
