"""The spaces of a guided game, laid over the picture of a camera."""

import numpy as np
from playwright.sync_api import Page

from calibration import board_corners, load_profile
from tests.webapp.browser.conftest import Hands, Table
from vision.rectify import transform

POSE = np.array([[2.9, -0.45, 320.0], [0.31, 2.4, 140.0], [2.2e-4, 5.1e-4, 1.0]])
"""From a board's millimetres to the pixels of a picture of 1920 x 1080: seen at a slant."""
WITHIN_PX = 2.0


def projected(page: Page, corners: list[list[float]], at: list[list[float]]) -> np.ndarray:
    """Where the page draws places of the standard board, px."""
    width, height = load_profile("standard").size_mm
    told = page.evaluate(
        """async ({ corners, at, size }) => {
          const { projection } = await import("/static/script/projection.js");
          const project = projection(corners, ...size);
          return at.map(([x, y]) => project(x, y));
        }""",
        {"corners": corners, "at": at, "size": [width, height]},
    )
    return np.array(told) * (1920, 1080)


def test_places_in_a_picture_are_where_they_are_projected(at_phone: Hands, table: Table) -> None:
    at_phone.page.goto(f"{table.address}/games/new")
    profile = load_profile("standard")
    corners = transform(POSE, board_corners(profile.size_mm)) / (1920, 1080)
    places = np.array([shape.at for shape in profile.spaces.values()])
    found = projected(at_phone.page, corners.round(4).tolist(), places.tolist())
    assert np.abs(found - transform(POSE, places)).max() < WITHIN_PX
