"""The short form of an autoscaler, as `kubectl autoscale` has it: CPU target, minimum, maximum."""

from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout

from planner.plan.files.places import Path
from planner.plan.files.problems import problems_from
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.plan.model.plan import Plan
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink, paint_mark
from ui.editor.values.inputs import LineInput
from ui.editor.values.shapes import Shape, fields_of
from ui.editor.values.text import UnreadableText, text_of, value_from

_DEFAULT_TARGET = 80
"""Percent, of an autoscaler without metrics (Kubernetes 1.36, pkg/apis/autoscaling/v2/defaults.go)."""
_LEAST_WIDTH_PX = 48
_HPA = {field.name: field.shape for field in fields_of(HorizontalPodAutoscaler)}
_TARGET = next(field.shape for field in fields_of(HpaMetric) if field.name == "average_utilization")


class QuickAutoscale(Card):
    """Three inputs in a line, and the command that would do the same; the fields below follow."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self._path: Path = ()
        self._row: HorizontalPodAutoscaler | None = None
        self.target = self._input(self.tr("CPU target"), "%")
        self.least = self._input(self.tr("Minimum"), self.tr("pods"))
        self.most = self._input(self.tr("Maximum"), self.tr("pods"))
        self.command = QLabel()
        self.command.setProperty("muted", True)
        self.command.setWordWrap(True)
        self.command.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.command.setToolTip(
            self.tr("The kubectl command that comes closest to creating this autoscaler in a cluster.")
        )
        self.target.typed.connect(self._take_target)
        self.least.typed.connect(lambda text: self._take("min_replicas", text, self.least))
        self.most.typed.connect(lambda text: self._take("max_replicas", text, self.most))
        self._lay_out()

    def _input(self, name: str, unit: str) -> LineInput:
        line = LineInput(self._link.edits.document.undo_stack)
        line.setAccessibleName(name)
        line.setMinimumWidth(_LEAST_WIDTH_PX)
        line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line.show_suffix(unit, self._link.theme.current.muted)
        line.editingFinished.connect(self._show)
        return line

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        for column, line in enumerate((self.target, self.least, self.most)):
            label = QLabel(line.accessibleName())
            label.setBuddy(line)
            grid.addWidget(label, 0, column)
            grid.addWidget(line, 1, column)
            grid.setColumnStretch(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(grid)
        layout.addWidget(self.command)

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        self._path, self._row = path, row
        self._show()
        kind = next((one.kind.value for one in plan.workloads if one.name == row.scale_target), "Deployment")
        percent = _percent(row)
        cpu = f" --cpu={percent}%" if percent is not None else ""
        bounds = f"--min={row.min_replicas} --max={row.max_replicas}"
        self.command.setText(f"kubectl autoscale {kind.lower()}/{row.scale_target}{cpu} {bounds}")

    def _show(self) -> None:
        row = self._row
        if row is None:
            return
        percent = _percent(row)
        self.target.setEnabled(percent is not None)
        tip = self.tr("Target average CPU utilization of the pods, as a percentage of their requests.")
        other = self.tr("The first metric of this autoscaler is not CPU; see Metrics below.")
        self.target.setToolTip(tip if percent is not None else other)
        shown = ((self.target, self._target_path(), _TARGET, percent),
                 (self.least, (*self._path, "min_replicas"), _HPA["min_replicas"], row.min_replicas),
                 (self.most, (*self._path, "max_replicas"), _HPA["max_replicas"], row.max_replicas))  # fmt: skip
        for line, path, shape, value in shown:
            draft = self._link.edits.document.drafts.get(path)
            if not line.hasFocus() or draft is None and not _reads(shape, line.text(), value):
                line.show_text(draft.text if draft is not None else text_of(shape, value))

    def mark(self) -> None:
        marks = self._link.marks
        paint_mark(self.target, marks.at(self._target_path()))
        paint_mark(self.least, marks.at((*self._path, "min_replicas")))
        paint_mark(self.most, marks.at((*self._path, "max_replicas")))

    def _target_path(self) -> Path:
        """Of a row without metrics, the list: a text that is no percentage makes no metric."""
        has_metric = self._row is not None and bool(self._row.metrics)
        return (*self._path, "metrics", *((0, "average_utilization") if has_metric else ()))

    def _take(self, field: str, text: str, line: LineInput) -> None:
        path = (*self._path, field)
        self._link.edits.write(path, _HPA[field], text, f"{path}#quick{line.visit}")

    def _take_target(self, text: str) -> None:
        if self._row is None:
            return
        merge = f"{self._target_path()}#quick{self.target.visit}"
        if self._row.metrics:
            self._link.edits.write(self._target_path(), _TARGET, text, merge)
            return
        try:
            metric = HpaMetric(average_utilization=value_from(_TARGET, text))
        except (UnreadableText, ValidationError) as error:
            wrong = error if isinstance(error, UnreadableText) else problems_from(error, HpaMetric)[0]
            self._link.edits.refuse(self._target_path(), _HPA["metrics"], text, wrong.problem, wrong.remedy)
            return
        self._link.edits.put((*self._path, "metrics"), _HPA["metrics"], (metric,), merge)


def _percent(row: HorizontalPodAutoscaler) -> int | None:
    """The CPU target; None if the first metric is something else."""
    if not row.metrics:
        return _DEFAULT_TARGET
    first = row.metrics[0]
    is_cpu = first.type is MetricSource.RESOURCE and first.resource == ResourceName.CPU
    return first.average_utilization if is_cpu and first.target_type is TargetType.UTILIZATION else None


def _reads(shape: Shape, text: str, value: object) -> bool:
    """Whether a text means the value already: then it stays as the user writes it."""
    try:
        return bool(value_from(shape, text) == value)
    except UnreadableText:
        return False
