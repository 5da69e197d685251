"""What an experiment is asked for, in one row: seeds, half-width, confidence, variants."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.plan import Plan
from ui.widgets.flowing_row import FlowingRow
from ui.widgets.spin_boxes import DecimalBox, WholeBox

_MOST_SEEDS = 100_000


class SettingsRow(QWidget):
    """Signals changes; the owner makes them in the plan."""

    changed = Signal(str, object)
    """The field, as the model names it, and its new value."""
    all_wanted = Signal()
    """Show everything that can be set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self.seeds, self.half_width, self.confidence = WholeBox(), DecimalBox(), DecimalBox()
        self.variant, self.variants = QComboBox(), QToolButton()
        self.everything = QPushButton(self.tr("All settings…"))
        self._menu = QMenu(self.variants)
        self._holders: dict[str, QWidget] = {}
        """A caption and its input, by field: what is hidden takes no room."""
        self._compose()

    def _compose(self) -> None:
        self.seeds.setRange(1, _MOST_SEEDS)
        self.half_width.setRange(0.0, 1000.0)
        self.half_width.setDecimals(1)
        self.half_width.setSuffix(" %")
        self.half_width.setSpecialValueText(self.tr("off"))
        self.half_width.setToolTip(
            self.tr("Add seeds until the intervals reach this far to either side, in percent of the mean")
        )
        self.confidence.setRange(50.0, 99.99)
        self.confidence.setSuffix(" %")
        self.seeds.setToolTip(self.tr("Runs of each plan; with a half-width, the most that are made"))
        self.confidence.setToolTip(self.tr("Of the intervals"))
        self.variants.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.variants.setMenu(self._menu)
        self.variants.setProperty("popupMode", 2)
        self.everything.setToolTip(self.tr("Show the experiment in the plan, with everything that can be set"))
        parts: list[tuple[str, str, QWidget]] = [
            ("variants", self.tr("&Variants"), self.variants),
            ("variant", self.tr("&Variant"), self.variant),
            ("seeds", self.tr("&Seeds"), self.seeds),
            ("half_width", self.tr("Until &within ±"), self.half_width),
            ("confidence", self.tr("Con&fidence"), self.confidence),
        ]
        across = FlowingRow(self)
        for field, text, widget in parts:
            caption = QLabel(text)
            caption.setBuddy(widget)
            widget.setAccessibleName(text.replace("&", ""))
            holder = QWidget()
            pair = QHBoxLayout(holder)
            pair.setContentsMargins(0, 0, 8, 0)
            pair.addWidget(caption)
            pair.addWidget(widget)
            self._holders[field] = holder
            across.addWidget(holder)
        across.addWidget(self.everything)
        for box in (self.seeds, self.half_width, self.confidence):
            box.setKeyboardTracking(False)
        self.seeds.valueChanged.connect(self._tell("seeds", int))
        self.half_width.valueChanged.connect(self._tell("half_width", lambda value: value or None))
        self.confidence.valueChanged.connect(self._tell("confidence", float))
        self.variant.activated.connect(lambda _row: self._say("variant", self.variant.currentData()))
        self.everything.clicked.connect(self.all_wanted)

    def show_experiment(self, plan: Plan, experiment: Experiment) -> None:
        """The settings that this experiment has."""
        self._showing = True
        try:
            for field, holder in self._holders.items():
                holder.setVisible(field in type(experiment).model_fields)
            self.seeds.setValue(getattr(experiment, "seeds", 1))
            self.half_width.setValue(getattr(experiment, "half_width", None) or 0.0)
            self.confidence.setValue(getattr(experiment, "confidence", 95.0))
            self._show_variants(plan, experiment)
        finally:
            self._showing = False

    def _show_variants(self, plan: Plan, experiment: Experiment) -> None:
        names = [one.name for one in plan.variants]
        self.variant.clear()
        self.variant.addItem(self.tr("the plan itself"), "")
        for name in names:
            self.variant.addItem(name, name)
        self.variant.setCurrentIndex(max(0, self.variant.findData(getattr(experiment, "variant", ""))))
        chosen = getattr(experiment, "variants", ())
        text = self.tr("all ({count})").format(count=len(names))
        self.variants.setText(", ".join(chosen) if 0 < len(chosen) < 3 else str(len(chosen)) if chosen else text)
        self.variants.setEnabled(bool(names))
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(not chosen or name in chosen)
            action.toggled.connect(lambda on, name=name: self._choose(names, chosen, name, on=on))

    def _choose(self, names: list[str], chosen: tuple[str, ...], name: str, *, on: bool) -> None:
        now = [one for one in names if (one in chosen or not chosen) and one != name or (one == name and on)]
        self._say("variants", () if len(now) in (0, len(names)) else tuple(now))

    def _tell(self, field: str, value: Callable[..., object]) -> Callable[[float], None]:
        return lambda found: self._say(field, value(found))

    def _say(self, field: str, value: object) -> None:
        if not self._showing:
            self.changed.emit(field, value)
