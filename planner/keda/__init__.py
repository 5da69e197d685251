"""Scaling by events: ScaledObjects and ScaledJobs of KEDA 2.18."""
