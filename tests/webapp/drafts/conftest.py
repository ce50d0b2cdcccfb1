"""Whoever adds a board, its photograph, and a proposal that misses a little of it."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from werkzeug.test import TestResponse

from calibration import Profile, load_profile
from calibration.proposal import LayoutProposal, Missing
from tests.webapp.conftest import HERE, MakeApp, Player
from tests.webapp.live.conftest import eventually
from webapp.app.boards import draft_jobs

EDGE = 40  # px of table around the board in the photograph


@pytest.fixture(scope="module")
def standard() -> Profile:
    return load_profile("standard")


@pytest.fixture(scope="module")
def photograph(standard: Profile) -> bytes:
    """The standard board, empty, on a grey table: 800 x 960 px and some table around."""
    picture = cv2.copyMakeBorder(
        standard.require_reference(),
        EDGE,
        EDGE,
        EDGE,
        EDGE,
        cv2.BORDER_CONSTANT,
        value=(90, 90, 90),
    )
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, standard: Profile) -> None:
    """Nobody's own profiles; a proposal that finds all of the standard board but one space."""

    def propose(
        image: np.ndarray, game: str, *, corners: Any = None, beginnings: Any = ()
    ) -> LayoutProposal:
        low, right, bottom = EDGE, image.shape[1] - EDGE, image.shape[0] - EDGE
        found = np.array([[low, low], [right, low], [right, bottom], [low, bottom]], np.float32)
        return LayoutProposal(
            corners=found if corners is None else np.asarray(corners, np.float32),
            size_mm=standard.size_mm,
            size_known=False,
            draft=standard.layout,
            confidence={},
            missing=(
                Missing("ar3", "space ar3 is not surely seen"),
                Missing("black/8", "space 9 of the track is not surely seen"),
            ),
            notes=(),
            upright=0,
            is_board=bool(image.mean() > 60),
            unread=(Missing("black/numbers", "are not read"), Missing("marks", "cannot be told")),
        )

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(draft_jobs, "propose_layout", propose)
    monkeypatch.setattr(
        draft_jobs, "load_models", lambda game: SimpleNamespace(finder=None, detector=None)
    )
    monkeypatch.setattr(draft_jobs, "occupied_spaces", lambda *given: ())
    monkeypatch.setattr(draft_jobs, "rough_outlines", lambda finder, image: ())


class Owner(Player):
    """Whoever owns a board, at the computer that serves."""

    def add(self, photograph: bytes, game: str = "nebula") -> str:
        """Send a photograph; return the draft's address once its layout is proposed."""
        sent = {"photo": (io.BytesIO(photograph), "x.jpg"), "game": game}
        answer = self.post("/my-boards/add", sent)
        assert answer.status_code == 303, answer.text
        draft = answer.headers["Location"]
        self.proposed(draft)
        return draft

    def proposed(self, draft: str) -> dict[str, Any]:
        """Wait until a layout is proposed, or none can be; return the state then."""
        eventually(lambda: self.state(draft)["state"] != "waiting")
        return self.state(draft)

    def state(self, draft: str) -> dict[str, Any]:
        """What the editor begins with."""
        return self.get(f"{draft}/state").json

    def numbered(self, draft: str) -> dict[str, Any]:
        """The layout as it was proposed, the numbers of its track typed."""
        layout: dict[str, Any] = self.state(draft)["layout"]
        layout["black_track"] |= {"points": [0, 1, 2, 4, 6, 9, 12, 15, 18, 22], "full": 26}
        return layout

    def send(self, address: str, data: Any) -> TestResponse:
        """Send JSON as the editor does."""
        headers = {"X-CSRFToken": self.token(), "X-Partial": "1"}
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self.client.post(address, base_url=HERE, data=body, headers=headers)


@pytest.fixture
def owner(make_app: MakeApp) -> Iterator[Owner]:
    app = make_app(rate_limits=False)
    yield Owner(app.test_client())
    app.extensions["stargazer"].drafts.close()
