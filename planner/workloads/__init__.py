"""Load, CPU sharing, queueing and what a pod uses."""
