"""Public traces of clusters: one module per trace, listed in registry.py."""
