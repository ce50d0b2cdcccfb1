"""The players' points and markers in scoring phases, and what is still to come."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scorer.polaris.card import CommonCard
from scorer.polaris.edition import Edition
from scorer.polaris.phases import PhaseScore, next_gain, score_phase
from scorer.polaris.sky import Sky
from scorer.polaris.words import say
from scorer.sentence import Sentence


@dataclass(frozen=True)
class PhaseLine:
    """A player's points in a phase, whose marker starts from `before`; None if unknown."""

    seat: int
    score: PhaseScore
    before: int | None
    marker: int | None


@dataclass(frozen=True)
class CardNow:
    """A common card that is still to be scored, and its phase, numbered from 1.

    `scores` are each player's, if it were scored now; `next_gains` how many more each needs at
    least for more points, and how many more these are; None without a way to them.
    """

    card: CommonCard
    phase: int
    is_next: bool
    scores: Sequence[PhaseScore]
    next_gains: Sequence[tuple[int, int] | None]

    def next_gain(self, seat: int) -> Sentence | None:
        """In words, how many more a player needs for how many more points."""
        if (gain := self.next_gains[seat]) is None:
            return None
        return say("next_gain", more=self.card.more(gain[0]), points=gain[1])


def lines_of(
    phases: Iterable[tuple[str, Sky | None, str | None]],
    colours: Mapping[str, str],
    edition: Edition,
) -> Sequence[Sequence[PhaseLine]]:
    """Each phase's lines in seat order; none for a phase without a sky.

    `phases` are the first ones, each with its card, its sky (None if unknown, after which no marker
    is known) and the name of the telescope's holder. `colours` are the players', by name.
    """
    markers: list[int | None] = [edition.start] * len(colours)
    found: list[Sequence[PhaseLine]] = []
    for card, sky, holder in phases:
        before = markers
        if sky is None:
            markers = [None] * len(colours)
            found.append(())
            continue
        scores = score_phase(sky, card, holder, colours, edition).values()
        markers = [
            None if marker is None else marker + score.moved_from(marker)
            for marker, score in zip(before, scores, strict=True)
        ]
        lines = zip(range(len(colours)), scores, before, markers, strict=True)
        found.append([PhaseLine(*line) for line in lines])
    return found


def cards_now(
    sky: Sky,
    cards: Sequence[str],
    scored: int,
    colours: Mapping[str, str],
    edition: Edition,
    holder: str | None = None,
    done: Collection[int] = (),
) -> Sequence[CardNow]:
    """The cards left after `scored` phases; `cards` are in the order of phases.

    `holder` is the name of the player who has the telescope for the next of them, for which those
    in `done` place nothing more.
    """
    left = [(number, card) for number, card in enumerate(cards, start=1) if number > scored]
    found = []
    for number, card in left:
        is_next = number == scored + 1
        with_telescope = holder if is_next else None
        scores = list(score_phase(sky, card, with_telescope, colours, edition).values())
        more = [
            None if is_next and seat in done else next_gain(scores, seat, edition)
            for seat in range(len(scores))
        ]
        found.append(CardNow(edition.common[card], number, is_next, scores, more))
    return found
