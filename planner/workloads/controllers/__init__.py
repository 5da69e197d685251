"""Controllers that manage pods: ReplicaSets, rollouts, StatefulSets, DaemonSets, Jobs, and the life of a pod."""
