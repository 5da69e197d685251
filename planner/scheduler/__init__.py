"""kube-scheduler: queue, filters, scores, preemption, as of Kubernetes 1.36."""
