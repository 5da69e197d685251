"""Which nodes a pod template may use, and why not the others."""
