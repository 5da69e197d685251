"""Series from a running Prometheus: opened only where the user gives its address."""
