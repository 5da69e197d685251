"""From a changed plan to what has to be applied to the cluster."""
