"""Resizes of running pods in place: what kubelets allow, in which order, and which containers restart."""
