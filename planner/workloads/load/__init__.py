"""Load of workloads over time: demand, calls, queues and the load step."""
