"""Reading a photograph that a form sends and that is not kept."""

from collections.abc import Callable
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
    """No photograph, or one that cannot be read; str() says why in the player's language."""


def read_sent(
    job: Callable[Concatenate[Path, Given], Found], *given: Given.args, **named: Given.kwargs
) -> Found:
    """What a job of the reading processes finds in the file `photo` of the request.

    Raises UnreadPhotographError.
    """
    file = request.files.get("photo")
    if file is None or not file.filename:
        raise UnreadPhotographError(_("Choose a photograph."))
    services().storage.take(request.content_length or 0)
    try:
        with (
            arriving(file.stream, services().settings) as picture,
            services().photographs.passing(picture) as path,
        ):
            found: Found = services().run_job(job, path, *given, **named)
            return found
    except UnwantedPictureError as error:
        raise UnreadPhotographError(str(error)) from error
    except UnusablePhotographError as error:
        problem = _("This photograph cannot be read. Take another one.")
        raise UnreadPhotographError(problem) from error
