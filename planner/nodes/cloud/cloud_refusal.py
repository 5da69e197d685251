"""The one way in which the cloud says no."""


class CloudRefusal(Exception):
    """The cloud refused a call; whoever asked notes the failure and goes on."""
