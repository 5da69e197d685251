"""A page that is made when it is first needed: a start of the program waits neither for it nor for its modules."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

_Content = TypeVar("_Content", bound=QWidget)


class LatePage(QWidget, Generic[_Content]):
    """Stands where its content will be."""

    def __init__(self, make: Callable[[], _Content], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make, self._content = make, list[_Content]()
        self._connections: list[Callable[[_Content], object]] = []
        self._around = QVBoxLayout(self)
        self._around.setContentsMargins(0, 0, 0, 0)

    @property
    def is_made(self) -> bool:
        """Whether there is a content already."""
        return bool(self._content)

    @property
    def content(self) -> _Content:
        """The content, made now if it was not needed before."""
        if not self._content:
            self._content.append(self._make())
            self._around.addWidget(self._content[0])
            while self._connections:
                self._connections.pop(0)(self._content[0])
        return self._content[0]

    def when_made(self, connect: Callable[[_Content], object]) -> None:
        """Call this with the content, as soon as there is one."""
        if self._content:
            connect(self._content[0])
        else:
            self._connections.append(connect)
