"""Controllers that keep pods: ReplicaSets, rollouts, StatefulSets, DaemonSets, Jobs, and the life of a pod."""
