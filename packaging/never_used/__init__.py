"""Stands in for modules that libraries import and the program never uses; headroom.spec names them.

What is imported from it can be imported, inherited and looked into, and refuses to be used.
"""

from typing import NoReturn


class _NeverUsed(type):
    def __getattr__(cls, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return NeverUsed

    def __call__(cls, *_given: object, **_named: object) -> NoReturn:
        raise ImportError("The packaged program was built without this part of a library.")


class NeverUsed(metaclass=_NeverUsed):
    """Any class, function or constant of such a module."""


def __getattr__(name: str) -> type:
    if name.startswith("__"):
        raise AttributeError(name)
    return NeverUsed
