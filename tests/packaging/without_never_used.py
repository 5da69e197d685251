"""What the packaged program leaves out of its libraries is left out of this process as well."""

import importlib.util
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.insert(0, str(PACKAGING))
NEVER_USED = frozenset(import_module("stand_ins").NEVER_USED) - {"numpy.testing"}
"""But for what tests compare arrays with."""
sys.path.remove(str(PACKAGING))


class StandIns(MetaPathFinder):
    """Finds `never_used` in the place of these modules."""

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:
        if fullname not in NEVER_USED:
            return None
        return importlib.util.spec_from_file_location(fullname, PACKAGING / "never_used" / "__init__.py")


sys.meta_path.insert(0, StandIns())
