"""Keeps exceptions inside the methods that Qt calls to read a model or to paint.

One that leaves such a method stays pending while Qt goes on calling others, which ends the interpreter with a
segmentation fault; a painter that it keeps alive does so too.
"""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def guarded(method: Callable[_P, _R]) -> Callable[_P, _R]:
    """Hand what the method raises to `sys.excepthook` (logged, reported in the window) and return None instead.

    For methods that may return None: `data` of models, `paint` and `paintEvent`.
    """

    @wraps(method)
    def call(*args: _P.args, **settings: _P.kwargs) -> Any:
        try:
            return method(*args, **settings)
        except Exception as error:  # the boundary to Qt
            sys.excepthook(type(error), error, error.__traceback__)
            return None

    return call
