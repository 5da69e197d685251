"""An independent reference: the same small cluster simulated request by request, and how far Headroom is from it.

`pods`, `pipeline`, `formula`, `experiments` and `run` are the reference and share no code with `planner/`: every
request has its own arrival and its own work, every pod is a worker under a CFS quota, every kubelet samples at its own
times, and the autoscaler is the published formula. `planned` runs the same experiments in Headroom, `comparison`
measures the distance.

Times are whole microseconds; CPU is in microseconds of work.
"""
