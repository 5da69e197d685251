"""Kinds that configure autoscalers and the scheduler."""
