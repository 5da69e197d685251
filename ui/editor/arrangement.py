"""Navigator, table and form one below the other in the slim column, or side by side in the workspace Plan."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from ui.editor.boxes import FormBox, TableBox

_SLIM_PX = (210, 120, 330)
_NAVIGATOR_PX, _FORM_PX, _TABLE_PX, _PREVIEWS_PX = 230, 360, 370, 310
_SLIM_GAP_PX, _WIDE_GAP_PX = 8, 10


class EditorParts(QSplitter):
    """Gives each part its room and remembers it. No part ever gets another parent: that takes long."""

    def __init__(self, navigator: QWidget, table: TableBox, previews: QWidget, form: FormBox) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.table, self.previews, self.form = table, previews, form
        self.middle = QSplitter(Qt.Orientation.Vertical)
        for part in (table, previews):
            self.middle.addWidget(part)
        for part in (navigator, self.middle, form):
            self.addWidget(part)
        for splitter in (self, self.middle):
            splitter.setChildrenCollapsible(False)
        previews.hide()
        self.is_wide, self._has_table, self._has_form = False, True, True
        self._rooms = {False: list(_SLIM_PX)}
        self._share_room()

    def arrange(self, is_wide: bool) -> None:
        """Side by side with larger previews, or one below the other."""
        self._remember()
        self.is_wide = is_wide
        self.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        if is_wide:
            self.middle.setSizes([_TABLE_PX, _PREVIEWS_PX])
        else:
            self.table.filter.show_all()
            self.form.only_set.setChecked(False)
            self.previews.hide()
        for part in (self.table.filter, self.form.only_set):
            part.setVisible(is_wide)
        self._share_room()

    def show_parts(self, *, has_table: bool, has_form: bool) -> None:
        """Which of table and form there is something to show in; the others take the room, the navigator none of it."""
        if (has_table, has_form) == (self._has_table, self._has_form):
            return
        self._remember()
        self._has_table, self._has_form = has_table, has_form
        self.table.setVisible(has_table)
        self.middle.setVisible(has_table)
        self.form.setVisible(has_form)
        self._share_room()

    def _remember(self) -> None:
        """Sizes as the user left them, where all parts share the room."""
        if self._has_table and self._has_form:
            self._rooms[self.is_wide] = self.sizes()

    def _room(self) -> list[int]:
        table_px = max(self.window().width() - _NAVIGATOR_PX - _FORM_PX, _FORM_PX)
        return self._rooms.get(self.is_wide, [_NAVIGATOR_PX, table_px, _FORM_PX])

    def _share_room(self) -> None:
        """Sizes as they were when the parts were last arranged like this."""
        navigator, table, form = self._room()
        self.setHandleWidth(_WIDE_GAP_PX if self.is_wide else _SLIM_GAP_PX)
        self.middle.setHandleWidth(_WIDE_GAP_PX)
        shares = (1, 0, 2) if not self.is_wide else (0, 1, 0) if self._has_table else (0, 0, 1)
        for number, share in enumerate(shares):
            self.setStretchFactor(number, share)
        self.setSizes([navigator, table, form] if self._has_table else [navigator, 0, table + form])
