"""kube-scheduler: queue, filters, scores, preemption (spec/scheduler.md)."""
