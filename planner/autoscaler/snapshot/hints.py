"""Where pods were put in the loops before."""

from collections.abc import Mapping, Sequence


class Hints:
    """Where pods were put in the last loop; entries not used for two loops are dropped."""

    def __init__(self) -> None:
        self._current: dict[int, int] = {}
        self._old: dict[int, int] = {}

    def get(self, pod: int) -> int | None:
        """Key of the node the pod was put on."""
        key = self._current.get(pod)
        return self._old.get(pod) if key is None else key

    def get_all(self, pods: Sequence[int]) -> list[int | None]:
        """The same of several pods."""
        current, old = self._current.get, self._old.get
        return [old(pod) if (key := current(pod)) is None else key for pod in pods]

    def set(self, pod: int, key: int) -> None:
        """Remember where a pod was put."""
        self._current[pod] = key

    @property
    def is_empty(self) -> bool:
        """Whether no pod has one."""
        return not self._current and not self._old

    def set_all(self, keys: Mapping[int, int]) -> None:
        """Remember where several pods were put."""
        self._current.update(keys)

    def tables(self) -> tuple[dict[int, int], dict[int, int]]:
        """The keys of this loop by pod, and those of the last one."""
        return self._current, self._old

    def drop_old(self) -> None:
        """End of a loop."""
        self._old, self._current = self._current, {}
