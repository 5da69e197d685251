"""The version of the program and of what it is built with."""

import importlib.metadata

_PARTS = (
    ("PySide6_Essentials", "Qt for Python", "LGPL-3.0"),
    ("pyqtgraph", "pyqtgraph", "MIT"),
    ("numpy", "NumPy", "BSD-3-Clause"),
    ("pydantic", "pydantic", "MIT"),
    ("PyYAML", "PyYAML", "MIT"),
    ("click", "click", "BSD-3-Clause"),
    ("platformdirs", "platformdirs", "MIT"),
    ("google-re2", "RE2", "BSD-3-Clause"),
)


def version() -> str:
    """Version of Headroom."""
    return _installed("headroom") or "0.1.0"


def parts() -> list[tuple[str, str, str]]:
    """Name, version ("" if unknown) and licence of the libraries inside."""
    return [(name, _installed(package), licence) for package, name, licence in _PARTS]


def _installed(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # a packaged program may come without this
        return ""
