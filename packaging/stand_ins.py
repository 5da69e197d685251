"""Modules of libraries that are left out of the packaged program although other modules import them.

Pyqtgraph draws without OpenGL here. Of SciPy, experiments and fits use statistics, special functions and roots of
functions: no linear programs, sparse matrices, interpolation, integrals or Fourier transforms. `never_used` is in the
place of these, and all tests run that way (tests/packaging/without_never_used.py).
"""

NEVER_USED = (
    "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "numpy.f2py", "numpy.testing", "scipy.fft", "scipy.integrate",
    "scipy.interpolate", "scipy.linalg._decomp_update", "scipy.linalg.interpolative", "scipy.ndimage",
    "scipy.optimize._highspy", "scipy.optimize._highspy._core", "scipy.optimize._highspy._highs_wrapper",
    "scipy.sparse._csparsetools", "scipy.sparse._sparsetools", "scipy.sparse.csgraph", "scipy.sparse.linalg",
    "scipy.spatial", "scipy.spatial.distance", "scipy.stats._biasedurn", "scipy.stats._distribution_infrastructure",
    "scipy.stats._levy_stable", "scipy.stats._morestats", "scipy.stats._new_distributions",
)  # fmt: skip
