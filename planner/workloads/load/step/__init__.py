"""One step of pods: groups, queues, losses and latency."""
