SOURCE: int

class SpreadPoints:
    """Used by `node_choice` alone."""
