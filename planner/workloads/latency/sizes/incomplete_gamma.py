"""The incomplete gamma functions of scipy, without the rest of `scipy.special`.

That package also loads test tools, documents and adapters for other array libraries, which takes half as long as a
small run. Its compiled functions need none of it.
"""

import importlib
import sys
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

_PACKAGE, _COMPILED = "scipy.special", "scipy.special._ufuncs"


@cache
def incomplete_gamma() -> Any:
    """What has `gammainc`, `gammaincc` and `gammaincinv`; call it late, as loading takes its time still."""
    if _PACKAGE in sys.modules:
        return sys.modules[_PACKAGE]
    try:
        return _compiled_alone()
    except ImportError:  # other versions of scipy may keep them elsewhere
        return importlib.import_module(_PACKAGE)


def _compiled_alone() -> ModuleType:
    """The compiled functions, loaded into an empty package that gives way to the whole one afterwards."""
    spec = find_spec(_PACKAGE)
    if spec is None:
        raise ImportError(_PACKAGE)
    empty = module_from_spec(spec)

    def whole(name: str) -> object:
        """What another thread asks of the empty package, which it may have found meanwhile."""
        _give_way(empty)
        return getattr(importlib.import_module(_PACKAGE), name)

    empty.__dict__["__getattr__"] = whole
    sys.modules[_PACKAGE] = empty
    try:
        return importlib.import_module(_COMPILED)
    finally:
        _give_way(empty)


def _give_way(empty: ModuleType) -> None:
    if sys.modules.get(_PACKAGE) is empty:
        del sys.modules[_PACKAGE]
