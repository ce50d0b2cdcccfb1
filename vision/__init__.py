"""Vision: a photograph becomes a reading.

>>> from calibration import load_profile
>>> from vision import Reader, load_photo
>>> reading = Reader(load_profile("standard")).read(load_photo("ana.jpg"))  # doctest: +SKIP
>>> reading.boards[0].stars["core"]                                         # doctest: +SKIP
'red'
"""

from vision.locate import FoundBoard, locate, rough_outlines
from vision.overlay import draw_overlay
from vision.photo import Photo, load_photo
from vision.picture_file import PhotoError, PictureFile, inspect_picture
from vision.reader import NoBoardError, Reader, UnreadableBoardError
from vision.reading import BoardReading, Reading, SpaceReading

__all__ = [
    "BoardReading",
    "FoundBoard",
    "NoBoardError",
    "Photo",
    "PhotoError",
    "PictureFile",
    "Reader",
    "Reading",
    "SpaceReading",
    "UnreadableBoardError",
    "draw_overlay",
    "inspect_picture",
    "load_photo",
    "locate",
    "rough_outlines",
]
