import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SOURCE: int

class QuotaServer:
    throttled_s: float

    def __init__(self, pod: tuple[float, float, float, float, float], works: Floats) -> None: ...
    def serve(self, arrivals: Floats, responses: Floats, done_at: Floats, who: NDArray[np.int64]) -> None: ...
