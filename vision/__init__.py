"""Read photographs of finished boards.

>>> from calibration import load_profile
>>> from vision import Reader
>>> Reader.of(load_profile("standard")).classes[:3]
('red', 'purple', 'yellow')
"""

from vision.emptiness import occupied_spaces
from vision.locate import FoundBoard, rough_outlines
from vision.models import Models, load_models
from vision.overlay import draw_overlay
from vision.photo import Photo, load_photo
from vision.picture_file import PhotoError, PictureFile, inspect_picture
from vision.reader import Library, Reader
from vision.reading import BoardReading, Reading, profile_of
from vision.recognise import Find, Recogniser
from vision.refusals import NoBoardError, NoColoursError, UnknownBoardError, UnreadableBoardError

__all__ = [
    "BoardReading",
    "Find",
    "FoundBoard",
    "Library",
    "Models",
    "NoBoardError",
    "NoColoursError",
    "Photo",
    "PhotoError",
    "PictureFile",
    "Reader",
    "Reading",
    "Recogniser",
    "UnknownBoardError",
    "UnreadableBoardError",
    "draw_overlay",
    "inspect_picture",
    "load_models",
    "load_photo",
    "occupied_spaces",
    "profile_of",
    "rough_outlines",
]
