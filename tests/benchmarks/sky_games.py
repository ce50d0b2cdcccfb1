"""Reading of whole games of Polaris, five photographs each, with more or less known.

``python -m tests.benchmarks.sky_games DIR...``, each the folder of an edition as written by
``models.polaris.rendering.measuring_set --games``. Each game is read three times: every photograph
on its own, with the players' colours known, as from a game file, and all five classified jointly in
addition, as pages and ``stargazer score`` do.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration import Profile, load_profile
from scorer.board_state import BoardState
from scorer.polaris.words import COLOURS
from scorer.table import RolesByGame
from vision import BoardReading, NoBoardError, Reader, UnreadableBoardError, load_photo
from webapp.app.reading.reading_fusion import ONE_PIECE, agreed

HOW = ("each alone", "for who plays", "heard together")


@dataclass
class Tally:
    """Results of photographs; `questions` has the number for each."""

    places: int = 0
    wrong: int = 0
    unasked: int = 0
    perfect: int = 0
    missed: int = 0
    questions: tuple[int, ...] = ()

    def add(self, read: BoardState | None, lies: Mapping[str, str], sky: Profile) -> None:
        """Add a photograph whose true pieces are `lies`; `read` is None if it was refused."""
        if read is None:
            self.missed += 1
            return
        places = [place for place in sky.places if place.kind in ONE_PIECE]
        seen = {place.id: piece for place, piece in read.pieces.items()}
        wrong = {place.id for place in places if seen.get(place.id) != lies.get(place.id)}
        asked = {place for flag in read.flags for place in flag.spaces}
        self.places += len(places)
        self.wrong += len(wrong)
        self.unasked += len(wrong - asked)
        self.perfect += not wrong
        self.questions += (len(asked & {place.id for place in places}),)

    def __str__(self) -> str:
        median = sorted(self.questions)[len(self.questions) // 2] if self.questions else 0
        right = 100 * (1 - self.wrong / max(self.places, 1))
        return (
            f"{right:.2f} % of places, {self.perfect} of {len(self.questions)} without a mistake,"
            f" {sum(self.questions)} questions (median {median}), {self.unasked} mistakes unasked,"
            f" {self.missed} not found"
        )


def read_games(folder: Path, tallies: Mapping[str, Tally]) -> None:
    """Read the games of one edition and count the results."""
    standard = folder.name == "standard"
    sky = load_profile("polaris/standard" if standard else str(folder))
    reader = Reader.of(sky)
    for game in sorted((folder / "games").iterdir()):
        truths = [json.loads(path.read_text("utf-8")) for path in sorted(game.glob("*.json"))]
        lie = [{**own["stars"], **dict.fromkeys(map(_id, own["links"]), "link")} for own in truths]
        played = {star for own in truths for star in own["stars"].values()} & {*COLOURS}
        players = [{"colour": colour} for colour in sorted(played)]
        photographs = sorted(game.glob("*.jpg"))
        alone = [_read(reader, path, {}) for path in photographs]
        piece_roles = {sky.game.id: sky.game.piece_roles({"players": players})}
        for_players = [_read(reader, path, piece_roles) for path in photographs]
        together = agreed(for_players, [{}] * len(truths), sky.places, sky.game)
        ways: tuple[Sequence[BoardState | None], ...] = (alone, for_players, together)
        for how, reads in zip(HOW, ways, strict=True):
            for read, lies in zip(reads, lie, strict=True):
                tallies[how].add(read, lies, sky)
        print(f"{game}: {len(photographs)} photographs of {', '.join(sorted(played))}", flush=True)


def _id(written: str | Sequence[str]) -> str:
    return written if isinstance(written, str) else "-".join(written)


def _read(reader: Reader, path: Path, piece_roles: RolesByGame) -> BoardReading | None:
    try:
        return reader.read(load_photo(path), piece_roles=piece_roles).boards[0]
    except (NoBoardError, UnreadableBoardError) as error:
        print(f"{path}: {error}")
        return None


def main() -> None:
    """Read the games of all editions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    tallies = {how: Tally() for how in HOW}
    for folder in parser.parse_args().folders:
        read_games(folder, tallies)
    for how, tally in tallies.items():
        print(f"{how}: {tally}")


if __name__ == "__main__":
    main()
