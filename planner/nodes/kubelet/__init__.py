"""The kubelet: what a node offers, memory and disk pressure, evictions, restarts."""
