"""The models that read one game's boards: finder, detector and classifier.

A game's package registers a function that loads them in the group `stargazer.models`. They are
passed to a `vision.reader.Reader`; nothing here depends on the game.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.profile import owner_folder
from scorer import registry
from scorer.game import Game
from vision.detect import Detections, NoDetector, TokenDetector
from vision.locate import BoardFinder, Finder
from vision.network import Network
from vision.rectify import Canvas
from vision.set_classifier import SetClassifier

log = logging.getLogger(__name__)

GROUP = "stargazer.models"
OWN = "set-classifier"
BEGUN_WITH = "begun_with"
"""Metadata key of an owner's classifier: the digest of the shipped one it was trained from."""


class Detector(Protocol):
    """Finds pieces on a rectified board; `classes` are the pieces' ids in the order of scores."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The pieces that it distinguishes."""

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> Sequence[Detections]:
        """Detections in one or several views of the board; both (S, S, 3) uint8 on the canvas."""


class Classifier(Protocol):
    """Classifies all places of a board jointly."""

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1) log odds of classes and "empty", from `set_classifier.features` (N, F)."""


@dataclass(frozen=True)
class Models:
    """The models that a reader needs; without a classifier, the detector's scores decide.

    Without a finder, boards are found by their references' features alone.
    """

    finder: Finder | None
    detector: Detector
    classifier: Classifier | None = None

    @staticmethod
    def from_folder(folder: Path) -> "Models":
        """The exported networks in a folder of weights."""
        finder = Network(folder / "board-finder.onnx")  # loaded one by one, as they are needed
        detector = Network(folder / "token-detector.onnx")
        classifier = Network(folder / "set-classifier.onnx")
        return Models(BoardFinder(finder), TokenDetector(detector), SetClassifier(classifier))

    @staticmethod
    def of_places(game: Game[Any, Any, Any]) -> "Models":
        """Of boards that are read place by place: without a finder, and nothing is detected."""
        return Models(None, NoDetector(tuple(piece.id for piece in game.pieces)))


@cache
def load_models(game: str) -> Models:
    """The models of a game, loaded once. Raises `scorer.registry.UnknownGameError`.

    The classifier is the owner's newest, if one was trained from these models. A game without
    models gets a detector that finds nothing: its boards are read place by place.
    """
    if not brings_models(game):
        return Models.of_places(registry.find_game(game))
    found = shipped_models(game)
    own = own_classifiers(game)
    classifier = _trained_from(found, own[-1]) if own else None
    return found if classifier is None else replace(found, classifier=classifier)


def finders_of(games: Iterable[str]) -> list[Finder]:
    """The finders of those games that bring one."""
    own = [load_models(game).finder for game in dict.fromkeys(games)]
    return [finder for finder in own if finder is not None]


def brings_models(game: str) -> bool:
    """Whether a game has models of its own; boards of others are read place by place."""
    return game in registry.names(GROUP)


def newest_classifier(game: str) -> Path | None:
    """The file of the owner's classifier in use; None if the shipped one is."""
    own = own_classifiers(game)
    return own[-1] if own and _trained_from(shipped_models(game), own[-1]) else None


def shipped_models(game: str) -> Models:
    """The models shipped with a game. Raises `scorer.registry.UnknownGameError` if it has none."""
    found: Models = registry.find(GROUP, game)()
    return found


def own_weights(game: str) -> Path:
    """The folder of weights that this computer's owner trained for a game."""
    return owner_folder() / "weights" / game


def own_classifiers(game: str) -> list[Path]:
    """The set classifiers that this computer's owner trained, newest last."""
    return sorted(own_weights(game).glob(f"{OWN}-*.onnx"))


def _trained_from(shipped: Models, path: Path) -> SetClassifier | None:
    """The set classifier in a file, if it was trained from the shipped one; else None."""
    try:
        network = Network(path)
        begun_with = network.metadata.get(BEGUN_WITH)
    except Exception as error:  # any error of ONNX Runtime
        log.warning(
            "%s is damaged and not used; stargazer train --undo removes it: %s", path, error
        )
        return None
    known = shipped.classifier
    if not isinstance(known, SetClassifier) or begun_with != known.network.digest:
        reason = "was trained for another version of Stargazer and is not used"
        log.warning("%s %s; train again, or remove it with stargazer train --undo", path, reason)
        return None
    return SetClassifier(network)
