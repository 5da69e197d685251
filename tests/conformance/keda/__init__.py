"""Cases of KEDA."""
