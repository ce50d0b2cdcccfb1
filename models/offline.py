"""Ultralytics without its telemetry, which must be turned off before the import.

It also writes settings with a number derived from the computer's address, and looks for fonts to
download. Here it is offline, and its settings and matplotlib's lists are kept in a folder that is
deleted when the program ends. It logs only errors: whoever started a training reports its
progress, and ``results.csv`` has each epoch's figures.
"""

import logging
import os
from tempfile import TemporaryDirectory

_folder = TemporaryDirectory(prefix="stargazer-")
os.environ.update(YOLO_OFFLINE="1", YOLO_CONFIG_DIR=_folder.name, MPLCONFIGDIR=_folder.name)
os.environ["YOLO_VERBOSE"] = "False"  # at its import; warnings are let through again below

from ultralytics.models import YOLO  # noqa: E402
from ultralytics.utils import LOGGER, SETTINGS, USER_CONFIG_DIR  # noqa: E402

# Every switch: those of services that are used as soon as their package is installed as well.
_switches = {key: False for key, value in SETTINGS.items() if isinstance(value, bool)}
SETTINGS.update(_switches)  # type: ignore[no-untyped-call]
# It would download a font for plots, offline or not; none are drawn.
(USER_CONFIG_DIR / "Arial.ttf").touch()
for _speaker in (LOGGER, *LOGGER.handlers):
    _speaker.setLevel(logging.WARNING)

__all__ = ["YOLO"]
