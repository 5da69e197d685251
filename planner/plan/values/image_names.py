"""Image names as nodes list them."""


def with_tag(image: str) -> str:
    """The name with ":latest" where it has no tag."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"
