"""Lists inside a row: containers, tolerations, points, policies. Items are added, removed and moved in place."""

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from planner.plan.files.places import Path
from planner.plan.model.traffic import LoadPoint
from ui.editor.forms.editor_base import Editor, FormLink
from ui.editor.forms.fold import IconButton
from ui.editor.forms.folded_editor import FoldedEditor, fold_place
from ui.editor.forms.group_editor import OPEN_AT_START, GroupEditor
from ui.editor.forms.whole_lists import first_values, names_of_values
from ui.editor.values.seeds import free_name, new_point, seed_of
from ui.editor.values.shapes import Shape, ShapeKind
from ui.editor.values.summaries import item_title, model_summary
from ui.editor.values.text import plan_text, text_of

_PAGE = 40
"""Items shown at once; a recorded load has thousands of points."""


class ListEditor(FoldedEditor):
    """A tuple of models or of single values."""

    def __init__(self, shape: Shape, link: FormLink, depth: int = 0) -> None:
        super().__init__(shape, link)
        assert shape.item is not None
        self.item_shape = shape.item
        self.value_names = names_of_values(shape)
        """Names of the values of a list that is added and removed as a whole; else none."""
        self._depth = depth + 1
        self._items: list[_Item] = []
        self._most = _PAGE
        self._known_fold: tuple[str, ...] | None = None
        self.fold.part_toggled.connect(self._on_part_toggled)
        self.add_button = self.fold.add_button("add", self.tr("Add to {0}").format(plan_text(shape.title)))
        self.add_button.clicked.connect(self.add)
        self.clear_button = self.fold.add_button("remove", self.tr("Remove all"))
        self.clear_button.clicked.connect(lambda: self.replace(()))
        self._more = QPushButton()
        self._more.clicked.connect(self._show_more)
        self.fold.inside.addWidget(self._more)

    def present(self, path: Path, value: Any) -> None:
        if path != self.path:
            self._most = _PAGE
        self.path, self.value = path, value
        self._remember_fold()
        if self.fold.box is not None:
            self.fold.box.setChecked(value is not None)
        count = len(value or ())
        title = plan_text(self.shape.title)
        self.fold.rename(self.tr("{title} ({count})").format(title=title, count=count) if count else title)
        self.fold.say(self._summary())
        self.fold.arrow.setEnabled(count > 0)
        self.add_button.setVisible(not (self.value_names and count))
        self.clear_button.setVisible(bool(self.value_names) and count > 0)
        if not self.fold.is_open:
            return
        shown = min(count, self._most)
        self._fit(shown)
        for index, item in enumerate(self._items):
            item.present((*path, index), value[index], count)
        self._more.setVisible(shown < count)
        self._more.setText(self.tr("Show {0} more of {1}").format(min(_PAGE, count - shown), count))

    def _summary(self) -> str:
        if not self.value:
            return self.tr("not set") if self.value is None else ""
        if self.item_shape.kind in (ShapeKind.GROUP, ShapeKind.VARIANT):
            return model_summary(self.value[0]) if len(self.value) == 1 else ""
        return ", ".join(text_of(self.item_shape, one) for one in self.value[:8])

    def _remember_fold(self) -> None:
        place = fold_place(self.path)
        if place != self._known_fold:
            self._known_fold = place
            self.fold.set_open(self.link.folds.get(place, place[-1] in OPEN_AT_START) and bool(self.value))
        elif not self.value:
            self.fold.set_open(False)

    def _fit(self, count: int) -> None:
        while len(self._items) > count:
            item = self._items.pop()
            self.fold.inside.removeWidget(item)
            item.hide()
            item.deleteLater()
        while len(self._items) < count:
            name = self.value_names[len(self._items)] if self.value_names else ""
            item = _Item(self, self._depth, opened=count == 1 or bool(self.fold_was_used()), name=name)
            self._items.append(item)
            self.fold.inside.insertWidget(len(self._items) - 1, item)

    def fold_was_used(self) -> bool:
        """Whether items of this list were opened by hand before."""
        return self.link.folds.get((*fold_place(self.path), "item"), False)

    def add(self) -> None:
        """A new item at the end; opened, so that it can be filled in."""
        before = self.value or ()
        self.fold.set_open(True)
        self.link.folds[fold_place(self.path)] = True
        if self.value_names:
            self.link.edits.put(self.path, self.shape, first_values(self.shape))
            return
        for item in self._candidates(before):
            self._most = max(self._most, len(before) + 1)
            if self.link.edits.put(self.path, self.shape, (*before, item)):
                break
        if self.value and len(self._items) == len(before) + 1:
            self._items[-1].open()

    def _candidates(self, before: tuple[Any, ...]) -> list[Any]:
        """What may be added: of choices one that is not there yet; names differ."""
        shape = self.item_shape
        if shape.kind is ShapeKind.CHOICE:
            return [choice for choice in shape.choices if choice not in before] or list(shape.choices[:1])
        if shape.kind is ShapeKind.GROUP and shape.model is LoadPoint:
            return [new_point(before)]
        item = seed_of(shape)
        if hasattr(item, "name"):
            taken = frozenset(one.name for one in before)
            item = item.model_copy(update={"name": free_name(item.name, taken)}) if item.name in taken else item
        return [item]

    def replace(self, items: tuple[Any, ...]) -> None:
        """Other items in the place of all; an optional list without items is None where a list may not be empty."""
        self.link.edits.put(self.path, self.shape, items if items or not self.shape.optional else None)

    def shift(self, index: int, by: int) -> None:
        """Move an item up or down."""
        items = list(self.value)
        other = index + by
        if 0 <= other < len(items):
            items[index], items[other] = items[other], items[index]
            self.replace(tuple(items))

    def remove(self, index: int) -> None:
        """Remove an item."""
        self.replace((*self.value[:index], *self.value[index + 1 :]))

    def _on_part_toggled(self, wanted: bool) -> None:
        if wanted:
            self.add()
        else:
            self.link.edits.put(self.path, self.shape, None)
        self.present(self.path, self.value)

    def _show_more(self) -> None:
        self._most += _PAGE
        self.present(self.path, self.value)

    def shown_parts(self) -> list[Editor]:
        return [item.editor for item in self._items]

    def open_way(self, path: Path) -> QWidget:
        at = len(self.path)
        index = path[at] if at < len(path) else 0
        if not isinstance(index, int) or not self.value or index >= len(self.value):
            return self.add_button
        self._most = max(self._most, index + 1)
        self._unfold()
        return self._items[index].editor.open_way(path)


class _Item(QWidget):
    """An item with its buttons."""

    def __init__(self, owner: ListEditor, depth: int, opened: bool, name: str) -> None:
        """`name`: of its value, in a list that is given as a whole."""
        super().__init__(owner)
        self._owner, self._index = owner, 0
        shape, link = replace(owner.item_shape, title=name) if name else owner.item_shape, owner.link
        self.editor = link.make(shape, link, depth)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.editor, 1)
        self._up = self._button("up", owner.tr("Move up"))
        self._down = self._button("down", owner.tr("Move down"))
        self._remove = self._button("remove", owner.tr("Remove"))
        self._up.clicked.connect(lambda: owner.shift(self._index, -1))
        self._down.clicked.connect(lambda: owner.shift(self._index, 1))
        self._remove.clicked.connect(lambda: owner.remove(self._index))
        if isinstance(self.editor, GroupEditor):
            self.editor.fold.set_open(opened)
        elif not name:
            for button in (self._up, self._down, self._remove):
                row.addWidget(button)

    def _button(self, name: str, tip: str) -> QToolButton:
        if isinstance(self.editor, GroupEditor):
            return self.editor.fold.add_button(name, tip)
        return IconButton(name, tip, self._owner.link.theme)

    def open(self) -> None:
        """Unfold a new item."""
        if isinstance(self.editor, GroupEditor) and not self.editor.fold.is_open:
            self.editor.fold.set_open(True)
            self.editor.present(self.editor.path, self.editor.value)

    def present(self, path: Path, value: Any, count: int) -> None:
        """Show an item of a list with `count` items."""
        self._index = int(path[-1])
        is_loose = not self._owner.value_names
        self._up.setVisible(is_loose and count > 1)
        self._down.setVisible(is_loose and count > 1)
        self._remove.setVisible(is_loose)
        self._up.setEnabled(self._index > 0)
        self._down.setEnabled(self._index < count - 1)
        if isinstance(self.editor, GroupEditor):
            self.editor.fold.rename(self._title(value))
        self.editor.present(path, value)

    def _title(self, value: Any) -> str:
        return item_title(value) or f"#{self._index + 1}"
