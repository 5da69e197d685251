"""What Kubernetes calls the settings of a plan, and what differs between its versions."""
