"""Programs that a Deployment runs, and the flags it starts them with."""

from collections.abc import Iterator

from planner.kube.files.field import Field


def runs_program(manifest: Field, program: str) -> bool:
    """By the image of a container, whatever registry it comes from."""
    return any(True for _ in _containers(manifest, program))


def program_flags(manifest: Field, program: str) -> Iterator[tuple[Field, str, str]]:
    """Word, flag and value of the containers that run the program: --name=value, --name value, --name (true)."""
    for container in _containers(manifest, program):
        yield from _flags([*container.at("command").items(), *container.at("args").items()])


def _containers(manifest: Field, program: str) -> Iterator[Field]:
    for container in manifest.at("spec", "template", "spec", "containers").items():
        if _image_name(container.at("image").text() or "") == program:
            yield container


def _image_name(image: str) -> str:
    """The last part of the path, without tag, digest and the processor's name."""
    return image.rsplit("/", 1)[-1].partition("@")[0].partition(":")[0].removesuffix("-amd64").removesuffix("-arm64")


def _flags(words: list[Field]) -> Iterator[tuple[Field, str, str]]:
    waiting: tuple[Field, str] | None = None
    for word in words:
        text = word.text() or ""
        if not text.startswith("-"):
            if waiting is not None:
                yield waiting[0], waiting[1], text
                waiting = None
            continue
        if waiting is not None:
            yield waiting[0], waiting[1], "true"
            waiting = None
        name, equals, value = text.lstrip("-").partition("=")
        if equals:
            yield word, name, value
        else:
            waiting = (word, name)
    if waiting is not None:
        yield waiting[0], waiting[1], "true"
