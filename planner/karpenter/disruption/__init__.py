"""Which nodes go voluntarily: emptiness, drift, consolidation."""
