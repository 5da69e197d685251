"""Cases of kubelet, node life cycle and workload controllers."""
