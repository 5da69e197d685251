"""A first plan out of a few answers."""
