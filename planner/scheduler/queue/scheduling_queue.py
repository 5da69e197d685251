"""The scheduling queue: active, backoff and unschedulable pods (kube-scheduler 1.36, backend/queue)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from planner.plan.model.scheduler import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.backoff import (
    UNSCHEDULABLE_FLUSH_US,
    UNSCHEDULABLE_TIMEOUT_US,
    backoff_end_us,
    backoff_is_over,
    first_flush_us,
)
from planner.scheduler.queue.in_turn import InTurn
from planner.scheduler.queue.queued_pod import QueuedPod, QueuePlace
from planner.scheduler.queue.wake_facts import Waiting
from planner.state.nodes import NONE
from planner.units import US_PER_S

# Looking up a member of an enum costs a call in Python 3.11.
_ACTIVE, _IN_FLIGHT = QueuePlace.ACTIVE, QueuePlace.IN_FLIGHT
_BACKOFF, _UNSCHEDULABLE = QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE
MOST_TRIES_AT_ONCE = 4
"""So many refusals in one instant, and an idle scheduler leaves the pod to its backoff.

A preemptor whose victims are replaced on the same node before its turn would otherwise preempt for ever, since cycles,
deletions and new pods take no time here.
"""


class SchedulingQueue:
    """Pods that want a node. Times are given, not read."""

    def __init__(self, profile: SchedulerProfile) -> None:
        self._profile = profile
        self._pods: dict[int, QueuedPod] = {}
        self._active: InTurn[tuple[int, int, int]] = InTurn()
        self._backoff: InTurn[tuple[int, int, int, int]] = InTurn()
        self._unschedulable: dict[int, QueuedPod] = {}
        self._refused_by: Counter[PluginName] = Counter()
        self._serial = 0
        self._ended_us, self._backoff_ends_us = -1, dict[int, int]()
        """Moment of the latest attempt that failed, and by attempts when the backoffs end that began then."""

    def __contains__(self, pod: int) -> bool:
        return pod in self._pods

    def __len__(self) -> int:
        return len(self._pods)

    def place(self, pod: int) -> QueuePlace:
        """Where the pod is. Raises KeyError if it is not queued."""
        return self._pods[pod].place

    def state(self, pod: int) -> QueuedPod:
        """The pod's standing. Raises KeyError if it is not queued."""
        return self._pods[pod]

    def count(self, place: QueuePlace) -> int:
        """How many pods are in a pool."""
        if place is _UNSCHEDULABLE or not self._pods:
            return len(self._unschedulable)
        return sum(queued.place is place for queued in self._pods.values())

    @property
    def unschedulable(self) -> int:
        """How many pods are in the unschedulable pool."""
        return len(self._unschedulable)

    def has_waiting_on(self, plugin: PluginName) -> bool:
        """Whether a pod in the unschedulable pool was refused by a plugin."""
        return self._refused_by[plugin] > 0

    def add(self, pod: int, priority: int, now_us: int) -> None:
        """A new pod wants a node."""
        self._serial += 1
        queued = self._pods[pod] = QueuedPod(pod, priority, self._serial, now_us)
        self._push_active(queued)

    def add_all(self, pods: Iterable[tuple[int, int]], now_us: int) -> None:
        """New pods, each with its priority, want nodes one after the other."""
        queue, push = self._pods, self._active.push
        for serial, (pod, priority) in enumerate(pods, self._serial + 1):
            queue[pod] = QueuedPod(pod, priority, serial, now_us)
            push((-priority, serial, pod))
            self._serial = serial

    def remove(self, pod: int) -> None:
        """The pod got a node or is gone."""
        if self._pods.pop(pod, None) is not None and pod in self._unschedulable:
            self._exit_pool(pod)

    def pop(self) -> QueuedPod | None:
        """The next pod to try: from the active queue, else at once from the backoff queue."""
        pods, active = self._pods, self._active
        while (entry := active.pop()) is not None:
            queued = pods.get(entry[2])
            if queued is not None and queued.place is _ACTIVE and queued.serial == entry[1]:
                queued.place = _IN_FLIGHT
                return queued
        return self._pop_backoff() if self._profile.pops_from_backoff else None

    def upcoming(self, most: int) -> Iterator[QueuedPod]:
        """The pods that `pop` gives next, up to `most`, as far as that is plain to see; they stay in the queue."""
        pods = self._pods
        for _, serial, pod in self._active.upcoming(most):
            queued = pods.get(pod)
            if queued is None or queued.place is not _ACTIVE or queued.serial != serial:
                return
            yield queued

    def take(self, count: int) -> None:
        """So many of the `upcoming` pods are given nodes now."""
        self._active.drop(count)

    def _pop_backoff(self) -> QueuedPod | None:
        backoff, kept, found = self._backoff, [], None
        while (entry := backoff.pop()) is not None:
            queued = self._in_backoff(entry)
            if queued is None:
                continue
            if not queued.failed and queued.tries_at_once < MOST_TRIES_AT_ONCE:
                queued.place = _IN_FLIGHT
                found = queued
                break
            kept.append(entry)
        for entry in kept:
            backoff.push(entry)
        return found

    def refused(self, pod: int, now_us: int, waiting: Waiting, nomination: int = NONE) -> None:
        """An attempt ended without a node.

        `nomination`: the node the pod was nominated to when the attempt began. The queue's copy of the pod is made
        then; what this attempt leads to reaches the API while the pod is in flight, which leaves the copy as it is.
        """
        queued = self._pods[pod]
        self.refused_together(((queued, waiting),), now_us)
        queued.nomination = nomination

    def refused_together(self, refused: Sequence[tuple[QueuedPod, Waiting]], now_us: int) -> None:
        """Attempts of pods that were not nominated ended one after the other, and nothing happened meanwhile."""
        unschedulable, serial = self._unschedulable, self._serial
        for queued, waiting in refused:
            serial += 1
            queued.nomination = NONE
            queued.attempts += 1
            queued.tries_at_once = queued.tries_at_once + 1 if queued.entered_us == now_us else 1
            queued.errors = 0
            queued.failed = False
            queued.waiting = waiting
            queued.serial = serial
            queued.entered_us = now_us
            queued.backoff_end_us = self._backoff_end_us(now_us, queued.attempts)
            queued.place = _UNSCHEDULABLE
            unschedulable[queued.pod] = queued
        self._serial = serial
        self._count_refusals([waiting for _, waiting in refused], 1)

    def _count_refusals(self, waiting: Sequence[Waiting | None], sign: int) -> None:
        """So many more or fewer pods wait on their plugins; pods of a template often wait as one object."""
        by_plugin = self._refused_by
        for one, pods in _counted(waiting):
            for plugin in one.refused_by:
                by_plugin[plugin] += sign * pods

    def failed(self, pod: int, now_us: int) -> None:
        """An attempt ended with an error."""
        queued = self._pods[pod]
        queued.errors += 1
        queued.failed = True
        self._come_back(queued, now_us, queued.errors)
        self._push_backoff(queued)

    def _come_back(self, queued: QueuedPod, now_us: int, attempts: int) -> None:
        queued.serial = self._serial = self._serial + 1
        queued.entered_us = now_us
        queued.backoff_end_us = self._backoff_end_us(now_us, attempts)

    def _backoff_end_us(self, now_us: int, attempts: int) -> int:
        if now_us != self._ended_us:
            self._ended_us = now_us
            self._backoff_ends_us.clear()
        end_us = self._backoff_ends_us.get(attempts)
        if end_us is None:
            initial, longest = self._profile.initial_backoff_us, self._profile.max_backoff_us
            end_us = self._backoff_ends_us[attempts] = backoff_end_us(now_us, attempts, initial, longest)
        return end_us

    def wake(self, now_us: int, helps: Callable[[Waiting], bool]) -> None:
        """Move the unschedulable pods that an event may help."""
        answers: dict[int, bool] = {}  # pods of a template often wait as one object, which is asked once
        woken = []
        for queued in self._unschedulable.values():
            waiting = queued.waiting
            if waiting is None:
                continue
            helped = answers.get(id(waiting))
            if helped is None:
                helped = answers[id(waiting)] = helps(waiting)
            if helped:
                woken.append(queued)
        self._leave_pool(woken, now_us)

    def flush(self, now_us: int) -> None:
        """What the queue's own timers do at a whole second."""
        self._flush_backoff(now_us)
        if now_us % UNSCHEDULABLE_FLUSH_US == 0:
            self.flush_unschedulable(now_us)

    def flush_unschedulable(self, now_us: int) -> None:
        """Move the pods that waited more than 5 minutes."""
        waited = self._unschedulable.values()
        late = [queued for queued in waited if now_us - queued.entered_us > UNSCHEDULABLE_TIMEOUT_US]
        self._leave_pool(late, now_us)

    def _flush_backoff(self, now_us: int) -> None:
        while self._backoff and backoff_is_over(now_us, self._backoff.first()[0]):
            entry = self._backoff.pop()
            queued = None if entry is None else self._in_backoff(entry)
            if queued is not None:
                self._push_active(queued)

    def next_timer_us(self, now_us: int) -> int | None:
        """Next whole second after `now_us` at which `flush` may move a pod; None if nothing waits."""
        # Pods enter the pool in order of time, so its first one has waited longest.
        longest = next(iter(self._unschedulable.values()), None)
        times = [] if longest is None else [first_flush_us(longest.entered_us)]
        while self._backoff and self._in_backoff(self._backoff.first()) is None:
            self._backoff.pop()
        if self._backoff:
            times.append(self._backoff.first()[0] + US_PER_S)
        return max(min(times), (now_us // US_PER_S + 1) * US_PER_S) if times else None

    def _leave_pool(self, leaving: Sequence[QueuedPod], now_us: int) -> None:
        over: dict[int, bool] = {}  # of pods that were refused together the backoff ends together
        unschedulable = self._unschedulable
        self._count_refusals([queued.waiting for queued in leaving], -1)
        for queued in leaving:
            del unschedulable[queued.pod]
            end_us = queued.backoff_end_us
            is_over = over.get(end_us)
            if is_over is None:
                is_over = over[end_us] = backoff_is_over(now_us, end_us)
            if is_over:
                self._push_active(queued)
            else:
                self._push_backoff(queued)

    def _exit_pool(self, pod: int) -> None:
        self._count_refusals([self._unschedulable.pop(pod).waiting], -1)

    def _push_active(self, queued: QueuedPod) -> None:
        queued.place = _ACTIVE
        self._active.push((-queued.priority, queued.serial, queued.pod))

    def _push_backoff(self, queued: QueuedPod) -> None:
        queued.place = _BACKOFF
        self._backoff.push((queued.backoff_end_us, -queued.priority, queued.serial, queued.pod))

    def _in_backoff(self, entry: tuple[int, int, int, int]) -> QueuedPod | None:
        """The pod of a heap entry, unless the entry is out of date."""
        queued = self._pods.get(entry[3])
        if queued is None or queued.place is not _BACKOFF or queued.serial != entry[2]:
            return None
        return queued


def _counted(waiting: Sequence[Waiting | None]) -> Iterable[tuple[Waiting, int]]:
    """Each of them, and how many they are, by the object."""
    if len(waiting) == 1:
        if waiting[0] is not None:
            yield waiting[0], 1
        return
    one_of = {id(one): one for one in waiting}
    for number, pods in Counter(map(id, waiting)).items():
        one = one_of[number]
        if one is not None:
            yield one, pods
