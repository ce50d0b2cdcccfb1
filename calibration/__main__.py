"""Redraw the references of the built-in profiles: `python -m calibration`.

Needed after a change to the artwork or to a built-in layout, as a test will report.
"""

import cv2

from calibration.artwork import describe_board
from calibration.drawing import rasterise
from calibration.layout import load_layout
from calibration.profile import LAYOUT_FILE, PX_PER_MM, REFERENCE_FILE, built_in_profiles

for folder in built_in_profiles().values():
    image = rasterise(describe_board(load_layout(folder / LAYOUT_FILE)), PX_PER_MM)
    cv2.imwrite(str(folder / REFERENCE_FILE), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(folder / REFERENCE_FILE)
