"""The incomplete gamma functions of scipy, without the rest of scipy.

`scipy.special` also loads linear algebra, test tools, documents and adapters for other array libraries, which takes a
tenth of a small run. The file that has these functions needs none of it.
"""

import importlib
import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

_PACKAGE = "scipy.special"
_COMPILED = f"{_PACKAGE}._special_ufuncs"


@cache
def incomplete_gamma() -> Any:
    """What has `gammainc`, `gammaincc` and `gammaincinv`; call it late, as loading takes its time still."""
    try:
        found = _compiled_alone()
    except ImportError:
        found = None
    # Other versions of scipy may keep them elsewhere.
    return found if hasattr(found, "gammaincinv") else importlib.import_module(_PACKAGE)


def _compiled_alone() -> ModuleType | None:
    if _COMPILED in sys.modules:
        return sys.modules[_COMPILED]
    scipy, folder = find_spec("scipy"), _PACKAGE.rpartition(".")[2]
    places = [] if scipy is None else scipy.submodule_search_locations or []
    spec = PathFinder.find_spec(_COMPILED, [str(Path(place, folder)) for place in places])
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
