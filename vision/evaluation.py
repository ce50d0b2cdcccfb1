"""Evaluate how well labelled photographs are read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from calibration import Profile
from scorer.datafile import DataFileError, read_data_file
from scorer.places import Place
from vision.photo import load_photo
from vision.picture_file import PhotoError
from vision.reader import Reader
from vision.reading import BoardReading
from vision.refusals import NoBoardError, UnreadableBoardError

_KEYS = {"spot": "stars", "edge": "links", "dial": "regions", "region": "regions"}
"""The label key for each kind of place that is classified individually."""
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic")


_ASKED = ("uncertain", "hidden")


class NothingToEvaluateError(Exception):
    """A folder without a single labelled photograph."""


@dataclass(frozen=True)
class Mistake:
    """One space, link or region that was misread.

    The contents of a region are written as "2 red, 1 blue".
    """

    photo: str
    space: str
    truth: str | None
    read: str | None
    confidence: float


@dataclass(frozen=True)
class Judged:
    """One labelled photograph: its mistakes, or why it could not be read."""

    photo: str
    inside: bool
    failure: str | None = None
    spaces: int = 0
    mistakes: tuple[Mistake, ...] = ()
    counts_truth: Mapping[str, int] = field(default_factory=dict)
    """The number of pieces on each track."""
    counts_read: Mapping[str, int] = field(default_factory=dict)
    corner_error: float = 0.0
    """The worst corner's distance as a share of the board's mean side."""
    confidences: tuple[tuple[float, bool], ...] = ()
    read_ms: float = 0.0
    asked: frozenset[str] = frozenset()
    """The ids of the places flagged for a person to check."""

    def counted(self, track: str) -> bool:
        """Whether the pieces on a track were counted correctly."""
        return self.counts_read.get(track) == self.counts_truth[track]

    @property
    def flawless(self) -> bool:
        """Whether every space and every count is correct."""
        return self.failure is None and not self.mistakes and self.counts_read == self.counts_truth


@dataclass(frozen=True)
class Evaluation:
    """The figures for a folder. An unread board counts as wrong in every one of them."""

    judged: tuple[Judged, ...] = field(default_factory=tuple)
    unlabelled: Mapping[Path, DataFileError] = field(default_factory=dict)
    """Invalid label files with their errors: their photographs do not count."""

    def to_data(self) -> dict[str, Any]:
        boards = len(self.judged)
        spaces = sum(j.spaces for j in self.judged)
        wrong = sum(len(j.mistakes) if j.failure is None else j.spaces for j in self.judged)
        read = [j for j in self.judged if j.failure is None]
        return {
            "format": 1,
            "boards": boards,
            "spaces": spaces,
            "spaces_right": _share(spaces - wrong, spaces),
            "boards_flawless": _share(sum(j.flawless for j in self.judged), boards),
            **{
                f"{track}_right": _share(sum(j.counted(track) for j in self.judged), boards)
                for track in self.tracks
            },
            "boards_missed_inside": sum(j.failure is not None and j.inside for j in self.judged),
            "boards_missed_cropped": sum(
                j.failure is not None and not j.inside for j in self.judged
            ),
            "unasked_mistakes": sum(m.space not in j.asked for j in read for m in j.mistakes),
            "questions_median": float(np.median([len(j.asked) for j in read])) if read else None,
            "calibration_error": round(self.calibration_error(), 4),
            "corner_error_median": round(float(np.median([j.corner_error for j in read])), 4)
            if read
            else None,
            "read_ms_median": round(float(np.median([j.read_ms for j in read])), 1)
            if read
            else None,
            "mistakes": [m.__dict__ for j in self.judged for m in j.mistakes],
            "failures": [
                {"photo": j.photo, "message": j.failure} for j in self.judged if j.failure
            ],
            **{
                f"{track}_mistakes": [
                    {"photo": j.photo, "truth": j.counts_truth[track], "read": j.counts_read[track]}
                    for j in read
                    if not j.counted(track)
                ]
                for track in self.tracks
            },
        }

    @property
    def tracks(self) -> tuple[str, ...]:
        """The tracks on which pieces were counted."""
        return tuple(dict.fromkeys(track for j in self.judged for track in j.counts_truth))

    def calibration_error(self, bins: int = 10) -> float:
        """Expected calibration error of the confidences (Naeini et al., 2015), 0 to 1."""
        pairs = np.array([pair for j in self.judged for pair in j.confidences], float).reshape(
            -1, 2
        )
        if not len(pairs):
            return 0.0
        index = np.minimum((pairs[:, 0] * bins).astype(int), bins - 1)
        gaps = [
            abs(pairs[index == b, 0].mean() - pairs[index == b, 1].mean()) * (index == b).mean()
            for b in range(bins)
            if (index == b).any()
        ]
        return float(sum(gaps))

    def table(self) -> Sequence[Sequence[str]]:
        """Rows of (figure, value) to print."""
        data = self.to_data()
        rows = [
            ("boards", str(data["boards"])),
            ("spaces right", f"{data['spaces_right']:.2%} of {data['spaces']}"),
            ("boards without a mistake", f"{data['boards_flawless']:.1%}"),
            *((f"{track} count right", f"{data[f'{track}_right']:.1%}") for track in self.tracks),
            ("boards missed, wholly in the picture", str(data["boards_missed_inside"])),
            ("boards missed, cropped", str(data["boards_missed_cropped"])),
            ("mistakes that nobody is asked about", str(data["unasked_mistakes"])),
            ("questions of a photograph, median", str(data["questions_median"])),
            ("confidence off by (ECE)", f"{data['calibration_error']:.2%}"),
            ("median time to read", f"{data['read_ms_median']} ms"),
        ]
        for m in data["mistakes"]:
            rows.append(
                (
                    f"  {m['photo']} {m['space']}",
                    f"{m['truth'] or 'empty'} read as {m['read'] or 'empty'}"
                    f" ({m['confidence']:.2f})",
                )
            )
        rows += [
            (f"  {m['photo']} {track}", f"{m['truth']} read as {m['read']}")
            for track in self.tracks
            for m in data[f"{track}_mistakes"]
        ]
        rows += [(f"  {f['photo']}", f["message"]) for f in data["failures"]]
        return rows


def labelled_photographs(folder: Path) -> list[tuple[Path, Path]]:
    """A folder's labelled photographs, with their labels. Raises NothingToEvaluateError."""
    pictures = {
        path.stem: path
        for suffix in reversed(PICTURES)  # some cameras write it in capitals
        for path in folder.glob("*")
        if path.suffix.lower() == suffix and path.is_file()
    }
    pairs = [
        (pictures[labels.stem], labels)
        for labels in sorted(folder.glob("*.json"))
        if labels.stem in pictures
    ]
    if not pairs:
        raise NothingToEvaluateError(
            f"{folder} has no labelled photographs: put 0001.jpg and 0001.json there"
        )
    return pairs


def load_labels(path: Path, profile: Profile) -> Mapping[str, Any]:
    """The labels of one photograph. Raises DataFileError with all of their mistakes."""
    data = read_data_file(path)
    if not isinstance(data, dict):
        raise DataFileError([(path.name, "must be an object with stars, counts and corners")])
    problems = []
    stars, corners = data.get("stars"), data.get("corners")
    if not isinstance(stars, dict):
        problems.append(("stars", "must map spaces to colours"))
    else:
        strange = [name for name in stars if name not in profile.spaces]
        reason = f"is no space of profile {profile.name}"
        problems += [(f"stars.{name}", reason) for name in strange]
        shapeless = [name for name, star in stars.items() if not isinstance(star, str | None)]
        problems += [(f"stars.{name}", "must be a colour") for name in shapeless]
    for track in profile.tracks:
        if type(data.get(track)) is not int:
            reason = f"must be how many pieces lie on this track of profile {profile.name}"
            problems.append((track, reason))
    try:
        shaped = np.array(corners, float).shape == (4, 2)
    except (TypeError, ValueError):
        shaped = False
    if not shaped:
        problems.append(("corners", "must be four [x, y], clockwise from the printed top-left"))
    elif not np.linalg.norm(np.diff(np.array(corners, float), axis=0), axis=1).all():
        problems.append(("corners", "must go round the board: two of them are the same"))
    if "size" in data and not _is_size(data["size"]):
        problems.append(("size", "must be the photograph's width and height in px"))
    if problems:
        raise DataFileError([(f"{path.name}: {key}", reason) for key, reason in problems])
    return data


def _is_size(value: object) -> bool:
    sides = value if isinstance(value, list) else []
    return len(sides) == 2 and all(type(side) in (int, float) for side in sides)


def evaluate(
    folder: Path, profile: Profile, progress: Callable[[int, int], None] = lambda done, total: None
) -> Evaluation:
    """Read every labelled photograph of a folder and compare the readings with the labels.

    Raises NothingToEvaluateError for a folder without any.
    """
    reader = Reader.of(profile)
    pairs = labelled_photographs(folder)
    judged, unlabelled = [], {}
    for done, (picture, labels) in enumerate(pairs, 1):
        try:
            truth = load_labels(labels, profile)
        except DataFileError as error:
            unlabelled[labels] = error
        else:
            judged.append(judge(reader, picture, truth))
        progress(done, len(pairs))
    return Evaluation(tuple(judged), unlabelled)


def judge(reader: Reader, picture: Path, truth: Mapping[str, Any]) -> Judged:
    """Read one labelled photograph and compare the nearest board with ``truth``."""
    lying = {
        place: _label(truth[_KEYS[place.kind]].get(place.id))
        for place in reader.profile.places
        if _KEYS.get(place.kind) in truth
    }
    counts = {track: truth[track] for track in reader.profile.tracks}
    corners = np.array(truth["corners"], float)
    begun = perf_counter()
    try:
        photo = load_photo(picture)
        reading = reader.read(photo)
    except (PhotoError, NoBoardError, UnreadableBoardError) as error:
        size = truth.get("size") or (np.inf, np.inf)
        inside = bool(((corners >= 0) & (corners <= size)).all())
        return Judged(picture.name, inside, str(error), len(lying), counts_truth=counts)
    spent = (perf_counter() - begun) * 1000
    inside = bool(((corners >= 0) & (corners <= photo.size)).all())
    board = min(
        reading.boards,
        key=lambda b: float(np.linalg.norm(b.corners.mean(axis=0) - corners.mean(axis=0))),
    )
    return _compare(picture.name, inside, lying, counts, corners, board, spent)


def _compare(
    photo: str,
    inside: bool,
    lying: Mapping[Place, str | None],
    counts: Mapping[str, int],
    corners: np.ndarray,
    board: BoardReading,
    spent: float,
) -> Judged:
    mistakes, confidences = [], []
    for place, true in lying.items():
        if place.kind == "region":
            region = board.regions[place.id]
            seen, confidence = _label(region.pieces), region.confidence
        else:
            seen, confidence = board.places[place].piece, board.places[place].confidence
        confidences.append((confidence, seen == true))
        if seen != true:
            mistakes.append(Mistake(photo, place.id, true, seen, confidence))
    side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    off = float(np.linalg.norm(board.corners - corners, axis=1).max()) / side
    return Judged(
        photo,
        inside,
        None,
        len(lying),
        tuple(mistakes),
        counts,
        {track: read.count for track, read in board.tracks.items()},
        off,
        tuple(confidences),
        spent,
        frozenset(s for f in board.flags if f.kind in _ASKED for s in f.spaces),
    )


def _label(lying: str | Mapping[str, int] | None) -> str | None:
    """The piece on a place, or the contents of a region in words; None for nothing."""
    if lying is None or isinstance(lying, str):
        return lying
    return ", ".join(f"{lying[piece]} {piece}" for piece in sorted(lying) if lying[piece]) or None


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0
