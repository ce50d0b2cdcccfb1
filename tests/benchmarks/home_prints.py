"""Reading of boards from other people's printers, with other people's pieces.

    python -m models.nebula.rendering.measuring_set homes --out DIR --count 3
    python -m tests.benchmarks.home_prints DIR

Also for whole tables (`measuring_set tables`), with two to four boards per photograph. Each home's
boards are read without and with colour calibration ("my stars") from its photograph of the stars.
Prints the mistakes, then the spaces and boards that are right, missed boards, and how many of the
wrong spaces and counts were flagged.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration import Profile, load_profile
from calibration.colour_profile import ColourProfile
from vision import BoardReading, NoBoardError, Reader, UnreadableBoardError, load_photo
from vision.colour_calibration import calibrate_colours
from vision.locate import SAME_BOARD, overlap


@dataclass
class Tally:
    """The results of one way of reading."""

    boards: int = 0
    perfect: int = 0
    missed: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    spaces: int = 0
    wrong: int = 0
    silent: int = 0
    doubts: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        lost = 25 * len(self.missed)
        yield f"spaces right        {1 - (self.wrong + lost) / max(1, self.spaces + lost):8.2%}"
        yield f"boards perfect      {self.perfect} of {self.boards}"
        yield f"boards missed       {len(self.missed)} {' '.join(self.missed)}"
        yield f"boards invented     {len(self.invented)} {' '.join(self.invented)}"
        yield f"wrong, not flagged  {self.silent} (spaces and counts); {self.doubts} doubts in all"
        seen = np.array(self.confidences)
        bins = np.minimum((seen[:, 0] * 10).astype(int), 9)
        gaps = (abs(seen[bins == b].mean(axis=0) @ (1, -1)) * (bins == b).mean() for b in set(bins))
        yield f"calibration error   {sum(gaps):8.2%}"


def measure(folder: Path, profile: Profile) -> None:
    """Read all photographs of all homes; print mistakes and figures."""
    ways: dict[str, Tally] = {"as it comes": Tally(), "my stars": Tally()}
    reader = Reader.of(profile)
    for home in sorted(path.parent for path in folder.glob("*/labelled")):
        kits = {"as it comes": ColourProfile()}
        try:
            lesson = calibrate_colours(reader, load_photo(home / "stars" / "0000.jpg"))
            kits["my stars"] = lesson.colour_profile
        except (NoBoardError, UnreadableBoardError) as refusal:
            print(f"{home.name}: {refusal}")
        for picture in sorted((home / "labelled").glob("*.jpg")):
            truth = json.loads(picture.with_suffix(".json").read_text())["boards"]
            for way, kit in kits.items():
                reader.colour_profile = kit
                reported = f"{home.name}/{picture.stem} {way}"
                _judge(reader, picture, truth, ways[way], reported)
            reader.colour_profile = ColourProfile()
    for way, tally in ways.items():
        print(way, *tally.lines(), sep="\n  ")


def _judge(
    reader: Reader, picture: Path, truth: Sequence[Mapping[str, Any]], tally: Tally, told: str
) -> None:
    photo = load_photo(picture)
    try:
        read = list(reader.read(photo, expected=len(truth)).boards)
    except (NoBoardError, UnreadableBoardError) as refusal:
        print(f"{told}: {refusal}")
        read = []
    for number, board in enumerate(truth):
        tally.boards += 1
        corners = np.array(board["corners"])
        found = next((r for r in read if overlap(r.corners, corners) > SAME_BOARD), None)
        if found is None:
            tally.missed.append(f"{picture.parent.parent.name}/{picture.stem}#{number}")
            continue
        read.remove(found)
        mistakes = list(_mistakes(found, board, tally))
        tally.perfect += not mistakes
        for mistake in mistakes:
            print(f"{told} #{number}: {mistake}")
    tally.invented += [f"{picture.parent.parent.name}/{picture.stem}" for _ in read]


def _mistakes(read: BoardReading, truth: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    flagged = {space for flag in read.flags for space in flag.spaces}
    tally.doubts += len(flagged)
    held: dict[str, tuple[Any, Any, float]] = {
        name: (truth["stars"].get(name), space.piece, space.confidence)
        for name, space in read.spaces.items()
    }
    tally.spaces += len(held)
    for true, found, sure in held.values():
        tally.wrong += true != found
        tally.confidences.append((sure, true == found))
    held |= {name: (truth[name], t.count, t.confidence) for name, t in read.tracks.items()}
    for name, (true, found, sure) in held.items():
        if true != found:
            tally.silent += name not in flagged
            mark = "" if name in flagged else " SILENT"
            yield f"{name} {found} for {true} at {sure:.3f}{mark}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    measure(parser.parse_args().folder, load_profile("standard"))
