"""The photograph in a form."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from flask import request
from flask_babel import gettext as _

from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.uploads import UnwantedPictureError, arriving
from webapp.web.context import services

Found = TypeVar("Found")
Given = ParamSpec("Given")


class UnreadPhotographError(ValueError):
    """No photograph, or an unreadable one; str() says why in the user's language."""


@contextmanager
def sent_photograph(beside: int = 0) -> Iterator[bytes]:
    """Yield the request's file `photo` for storage, reserving `beside` bytes more.

    Raises UnwantedPictureError, also if there is no file.
    """
    file = request.files.get("photo")
    if file is None or not file.filename:
        raise UnwantedPictureError("missing", _("Choose a photograph."))
    services().storage.take((request.content_length or 0) + beside)
    with arriving(file.stream, services().settings) as picture:
        yield picture


@contextmanager
def passing_photograph() -> Iterator[Path]:
    """Yield where the request's photograph is while it is read; it is not stored.

    Raises UnreadPhotographError, also for what reading it raises.
    """
    try:
        with (
            sent_photograph() as picture,
            services().photographs.passing(picture) as path,
        ):
            yield path
    except UnwantedPictureError as error:
        raise UnreadPhotographError(str(error)) from error
    except UnusablePhotographError as error:
        problem = _("This photograph cannot be read. Take another one.")
        raise UnreadPhotographError(problem) from error


def read_sent(
    job: Callable[Concatenate[Path, Given], Found], *given: Given.args, **named: Given.kwargs
) -> Found:
    """Run a job in the reading process on the request's photograph; return its result.

    Raises UnreadPhotographError.
    """
    with passing_photograph() as path:
        found: Found = services().run_job(job, path, *given, **named)
        return found
