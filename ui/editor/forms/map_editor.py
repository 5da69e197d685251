"""Labels and other maps: pairs of key and value."""

from itertools import islice
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from planner.plan.derived.kubernetes.versions import gate_exists
from planner.plan.files.places import Path
from planner.plan.model.versions import FeatureGate
from ui.editor.forms.editor_base import FormLink, MarkLabel, paint_mark
from ui.editor.forms.fold import IconButton
from ui.editor.forms.folded_editor import FoldedEditor, fold_place
from ui.editor.values.field_help import help_of
from ui.editor.values.inputs import LineInput
from ui.editor.values.seeds import free_name
from ui.editor.values.shapes import Shape, ShapeKind
from ui.editor.values.summaries import summary_of
from ui.editor.values.text import UnreadableText, plan_text, text_of, value_from

_PAGE = 40
"""Pairs shown at once; imported pods run on hundreds of nodes."""
_FIRST_VALUES = {ShapeKind.WHOLE: 1, ShapeKind.SWITCH: True}


class MapEditor(FoldedEditor):
    """A map from text to single values."""

    def __init__(self, shape: Shape, link: FormLink, depth: int = 0) -> None:
        super().__init__(shape, link)
        assert shape.item is not None
        self.item_shape = shape.item
        self._pairs: list[_Pair] = []
        self._most = _PAGE
        self._more = QPushButton()
        self._more.clicked.connect(self._show_more)
        self.fold.inside.addWidget(self._more)
        self.add_button = self.fold.add_button("add", self.tr("Add to {0}").format(plan_text(shape.title)))
        self.add_button.clicked.connect(self.add)

    def present(self, path: Path, value: Any) -> None:
        moved, self.path, self.value = path != self.path, path, value
        if moved:
            self._most = _PAGE
            at_start = 0 < len(value) <= _PAGE
            self.fold.set_open(self.link.folds.get(fold_place(path), at_start) and bool(value))
        elif not value:
            self.fold.set_open(False)
        self.fold.say(summary_of(self.shape, value) if value else "")
        self.fold.arrow.setEnabled(bool(value))
        if not self.fold.is_open:
            return
        shown = dict(islice(value.items(), self._most))
        self._fit(len(shown))
        for pair, (key, one) in zip(self._pairs, shown.items(), strict=True):
            pair.present((*path, key), key, one)
        left = len(value) - len(shown)
        self._more.setVisible(left > 0)
        self._more.setText(self.tr("Show {0} more of {1}").format(min(_PAGE, left), len(value)))

    def _fit(self, count: int) -> None:
        while len(self._pairs) > count:
            pair = self._pairs.pop()
            self.fold.inside.removeWidget(pair)
            pair.hide()
            pair.deleteLater()
        while len(self._pairs) < count:
            self._pairs.append(_Pair(self))
            self.fold.inside.insertWidget(len(self._pairs) - 1, self._pairs[-1])

    def _show_more(self) -> None:
        self._most += _PAGE
        self._show_again()

    def add(self) -> None:
        """Another pair, with a key that is free; its key is selected, ready to be typed over."""
        self.fold.set_open(True)
        self.link.folds[fold_place(self.path)] = True
        key = self._free_key()
        self._most = max(self._most, len(self.value) + 1)
        self.link.edits.put(self.path, self.shape, {**self.value, key: _FIRST_VALUES.get(self.item_shape.kind, "")})
        if self._pairs:
            self._pairs[-1].key.setFocus()
            self._pairs[-1].key.selectAll()

    def _free_key(self) -> str:
        """What a new pair begins with: a known name where only some are known, a node where nodes are named."""
        plan, taken = self.link.edits.document.plan, frozenset(self.value)
        if self.path[-1] == "feature_gates":
            known = (gate for gate in FeatureGate if gate_exists(gate, plan.kubernetes_version))
            return next((str(gate) for gate in known if gate not in taken), free_name("Gate", taken))
        if self.path[-1] == "starts_on" and plan.node_groups:
            return free_name(f"{plan.node_groups[0].name}-0001", taken)
        return free_name("example.com/resource" if self.item_shape.kind is ShapeKind.WHOLE else "key", taken)

    def rename(self, old: str, new: str, merge: str) -> None:
        """Another key in the same position; an empty or duplicate one is refused with a message."""
        if new == old:
            self.link.edits.forget((*self.path, old), self.item_shape)
            return
        if not new or new in self.value:
            problem = self.tr("'{0}' already exists.").format(new) if new else self.tr("The key is empty.")
            self.link.edits.refuse((*self.path, old), self.item_shape, new, problem, self.tr("Enter a different key."))
            return
        renamed = {new if key == old else key: value for key, value in self.value.items()}
        self.link.edits.put(self.path, self.shape, renamed, merge)

    def remove(self, key: str) -> None:
        """Remove a pair."""
        self.link.edits.put(self.path, self.shape, {one: value for one, value in self.value.items() if one != key})

    def shown_parts(self) -> "list[_Pair]":
        return self._pairs

    def open_way(self, path: Path) -> QWidget:
        key = path[len(self.path)] if len(path) > len(self.path) else None
        if key not in self.value:
            return self.fold.arrow if self.value else self.add_button
        index = list(self.value).index(str(key))
        self._most = max(self._most, index + 1)
        self._unfold()
        return self._pairs[index].value


class _Pair(QWidget):
    """One key and its value."""

    def __init__(self, owner: MapEditor) -> None:
        super().__init__(owner)
        self._owner = owner
        self._path: Path = ()
        self._of, self._shown = "", None
        undo = owner.link.edits.document.undo_stack
        self.key, self.value = LineInput(undo), LineInput(undo)
        self.key.setAccessibleName(owner.tr("Key"))
        self.value.setAccessibleName(owner.tr("Value"))
        self.key.setToolTip(owner.tr("Key"))
        self.value.setToolTip(help_of(owner.item_shape) or owner.tr("Value"))
        self.message = MarkLabel(owner.link.theme)
        remove = IconButton("remove", owner.tr("Remove"), owner.link.theme)
        remove.clicked.connect(lambda: owner.remove(self._of))
        self.key.typed.connect(self._rename)
        self.value.typed.connect(self._write)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.key, 3)
        row.addWidget(self.value, 2)
        row.addWidget(remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.message)

    def present(self, path: Path, key: str, value: Any) -> None:
        """Show a pair; a draft of it stays in the line that was typed into."""
        draft = self._owner.link.edits.document.drafts.get(path)
        self._path, self._of = path, key
        if not (draft and self.key.hasFocus()):
            self.key.show_text(key)
        text = text_of(self._owner.item_shape, value)
        if draft is not None and not self.key.hasFocus():
            text = draft.text
        if draft is not None or not (self.value.hasFocus() and self._same(value)):
            self.value.show_text(text)

    def _same(self, value: Any) -> bool:
        try:
            return bool(value_from(self._owner.item_shape, self.value.text()) == value)
        except UnreadableText:
            return False

    def _rename(self, text: str) -> None:
        self._owner.rename(self._of, text, f"{self._owner.path}#{self.key.visit}")
        self.mark()

    def _write(self, text: str) -> None:
        self._owner.link.edits.write(self._path, self._owner.item_shape, text, f"{self._path}#{self.value.visit}")
        self.mark()

    def mark(self) -> None:
        """Show what is wrong with the pair."""
        marks = self._owner.link.marks.at(self._path)
        paint_mark(self.value, marks)
        self.message.show_marks(marks)
