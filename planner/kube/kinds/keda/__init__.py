"""Objects of KEDA, keda.sh/v1alpha1."""
