"""The incomplete gamma functions of scipy, without the rest of `scipy` and `scipy.special`.

These packages also load test tools, documents and adapters for other array libraries, which takes half as long as a
small run. Their compiled functions need none of it.
"""

import importlib
import sys
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

_PACKAGES, _COMPILED = ("scipy", "scipy.special"), "scipy.special._ufuncs"


@cache
def incomplete_gamma() -> Any:
    """What has `gammainc`, `gammaincc` and `gammaincinv`; call it late, as loading takes its time still."""
    whole = _PACKAGES[-1]
    if whole in sys.modules:
        return sys.modules[whole]
    try:
        return _compiled_alone()
    except ImportError:  # other versions of scipy, or builds for other systems, may need the rest
        return importlib.import_module(whole)


def _compiled_alone() -> ModuleType:
    """The compiled functions, loaded into empty packages that give way to the whole ones afterwards."""
    empty: list[ModuleType] = []
    try:
        for name in _PACKAGES:
            if name not in sys.modules:
                empty.append(_empty(name, empty))
        return importlib.import_module(_COMPILED)
    finally:
        _give_way(empty)


def _empty(name: str, beside: list[ModuleType]) -> ModuleType:
    """A package without its contents. What another thread asks of it, which it may have found meanwhile, it gets from
    the whole one, to which this one and those beside it give way."""
    spec = find_spec(name)
    if spec is None:
        raise ImportError(name)
    found = module_from_spec(spec)

    def whole(attribute: str) -> object:
        _give_way(beside)
        return getattr(importlib.import_module(name), attribute)

    found.__dict__["__getattr__"] = whole
    sys.modules[name] = found
    return found


def _give_way(empty: list[ModuleType]) -> None:
    for package in empty:
        if sys.modules.get(package.__name__) is package:
            del sys.modules[package.__name__]
