"""What the scoring phases of a game give its players, and where that leads their markers."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.polaris.edition import load_edition
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.sky import Sky
from webapp.app.session.game_document import Document
from webapp.games.polaris import document


@dataclass(frozen=True)
class PhaseLine:
    """What a phase gives a player, and where their marker stands then; None where nobody knows."""

    seat: int
    score: PhaseScore
    marker: int | None

    @property
    def points(self) -> int:
        """All of it, before the marker stops at 0."""
        return self.score.telescope + self.score.tier + self.score.bonus


def lines_of(
    kept: Document, skies: Sequence[Sky | None], telescopes: Sequence[int | None]
) -> Sequence[Sequence[PhaseLine]]:
    """Return each phase's lines in the order of the seats; none of a phase without a sky.

    `skies` are those of the first phases, None for one that nobody knows, after which no marker is
    known; `telescopes` the seats of who had it.
    """
    edition, names = load_edition(kept["edition"]), [own["name"] for own in kept["players"]]
    markers: list[int | None] = [edition.start] * len(names)
    phases: list[Sequence[PhaseLine]] = []
    for card, sky, had in zip(kept["cards"], skies, telescopes, strict=False):
        if sky is None:
            markers = [None] * len(names)
            phases.append(())
            continue
        holder = None if had is None else names[had]
        scores = score_phase(sky, card, holder, document.colours(kept), edition)
        markers = [
            None if marker is None else marker + scores[name].moved_from(marker)
            for name, marker in zip(names, markers, strict=True)
        ]
        own = [PhaseLine(seat, scores[name], markers[seat]) for seat, name in enumerate(names)]
        phases.append(own)
    return phases
