"""Which running pods are evicted or resized, in which order, and how many at once."""
