"""Ultralytics, told to keep to itself: it reports trainings unless it is stopped before its import.

It also writes settings with a number made from the computer's address, and looks for fonts to
download. Here it is offline, and its settings and matplotlib's lists lie in a folder that goes
when the program ends.
"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

_folder = TemporaryDirectory(prefix="stargazer-")
os.environ.update(YOLO_OFFLINE="1", YOLO_CONFIG_DIR=_folder.name, MPLCONFIGDIR=_folder.name)

from ultralytics.models import YOLO  # noqa: E402
from ultralytics.utils import SETTINGS, USER_CONFIG_DIR  # noqa: E402

# Every switch: those of services that are used as soon as their package is installed as well.
_switches = {key: False for key, value in SETTINGS.items() if isinstance(value, bool)}
SETTINGS.update(_switches)  # type: ignore[no-untyped-call]
# It would download a font for plots, offline or not; none are drawn.
(USER_CONFIG_DIR / "Arial.ttf").touch()

__all__ = ["YOLO"]
