"""Builds the kernels (planner/kernels/*/*.pyx). Without Cython or a compiler, the project is installed without them.

What is true of the project otherwise is in pyproject.toml.
"""

import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("planner", "kernels")
# A product and a sum stay two operations, so that results are those of numpy, bit for bit. Without notes for debuggers,
# which Python's own flags ask for, compiling takes a third less time.
FLAGS = ["/O2", "/fp:precise"] if sys.platform == "win32" else ["-O2", "-ffp-contract=off", "-g0"]


def kernels() -> list[Extension]:
    """One optional extension per source: one that cannot be compiled is left out."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    sources = runpy.run_path(str(KERNELS / "sources.py"))
    found = [
        Extension(
            ".".join((*KERNELS.parts, name)),
            [KERNELS.joinpath(*name.split(".")).with_suffix(".pyx").as_posix()],
            define_macros=[("KERNEL_SOURCE", f"{sources['fingerprint'](name)}u")],
            extra_compile_args=FLAGS,
        )
        for name in sources["all_kernels"]()
    ]
    directives = {
        "language_level": 3,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
    }
    made = list(cythonize(found, build_dir="build/kernels", compiler_directives=directives, quiet=True))
    for extension in made:
        extension.optional = True  # cythonize does not take this over
    return made


setup(ext_modules=kernels(), options={"build_ext": {"parallel": True}})
