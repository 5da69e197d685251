"""Machine types, their offerings and prices."""
