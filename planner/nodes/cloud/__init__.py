"""The cloud: instances that boot, fail and vanish."""
