"""What happened in a guided game, in a sentence, with what hands at the table do for it."""

from collections.abc import Sequence

from flask_babel import gettext as _

from scorer.nebula import WORDS
from scorer.nebula.ending import endings
from scorer.nebula.turns.actions import (
    Action,
    AdvanceToken,
    ChoosePersonal,
    Claim,
    Draw,
    EndClaims,
    EndPlacing,
    InvestTime,
    Keep,
    Place,
    PlaceOnTrack,
    ReplaceBoosted,
    TurnToChaos,
)
from scorer.nebula.turns.collecting import stars_at
from scorer.nebula.turns.setup import short_of_stars
from scorer.nebula.turns.state import Phase, State
from webapp.app.languages import language
from webapp.games.nebula import cards
from webapp.games.nebula.live.messages import format_ending, star_name, value_token_name
from webapp.web.words import spoken_name


def colour_name(star: str) -> str:
    """A star's colour in a list of stars."""
    return WORDS.word(star, language())


def cluster_name(cluster: int) -> str:
    """Which of the three clusters."""
    return (_("the top cluster"), _("the right cluster"), _("the left cluster"))[cluster]


def card_name(card: str) -> str:
    """A card's number and name."""
    return f"{card} · {cards.find(card).name.in_language(language())}"


def told(before: State, action: Action, after: State, names: Sequence[str]) -> str:
    """What somebody did, with what is to be done by hand for it; "" where it needs no word."""
    who = short_of_stars(before) if before.phase is Phase.RESERVES else before.player
    said = [_done(before, action, after, names[who]), *_follows(before, after)]
    return " ".join(one for one in said if one)


def _done(before: State, action: Action, after: State, name: str) -> str:
    """The action itself, by the player of that name."""
    match action:
        case InvestTime(moves):
            return (
                _moved(moves, name) + " " + _taken([s for s in stars_at(before, after.hours) if s])
            )
        case TurnToChaos(star):
            colour = colour_name(star)
            return _("%(name)s puts a star into the box: %(colour)s.", name=name, colour=colour)
        case Keep(stars):
            kept = _list(stars)
            return _("%(name)s keeps %(stars)s. The others go to the box.", name=name, stars=kept)
        case Place(star, space):
            old = before.seat.galaxy.stars.get(space)
            words = _(
                "%(name)s places a star on %(space)s: %(colour)s.",
                name=name,
                space=spoken_name(space),
                colour=colour_name(star),
            )
            gone = _("To the box: %(star)s.", star=star_name(old)) if old else ""
            return f"{words} {gone}".strip()
        case PlaceOnTrack():
            return _black(before, after, name)
        case ReplaceBoosted() if action.star:
            colour = colour_name(action.star)
            return _("%(name)s boosts a star of the reserve: %(colour)s.", name=name, colour=colour)
        case ReplaceBoosted("none"):
            return _("The bag holds no other colour: the boosted star stays.")
        case AdvanceToken(token):
            square = after.values.at[token]
            return _(
                "%(name)s moves a value token to square %(square)s: %(token)s.",
                name=name,
                token=value_token_name(token),
                square=square,
            )
        case Claim(card):
            first = after.claims_of(before.player)[card] == "first"
            where = _("marker on top") if first else _("marker below")
            return _(
                "%(name)s has completed %(card)s: %(where)s.",
                name=name,
                card=card_name(card),
                where=where,
            )
        case EndPlacing() if not after.fulfilled:
            return "" if before.placed else _("%(name)s places no star.", name=name)
        case Draw(star):
            return _drawn(before, star, name)
        case EndClaims() | EndPlacing() | ChoosePersonal():
            return ""
    return ""


def _drawn(before: State, star: str, name: str) -> str:
    colour = colour_name(star)
    if before.phase is Phase.BOOST_DRAW and star == before.boosted:
        return _("It has the old colour: put it back, and draw again.")
    if before.phase is Phase.BOOST_DRAW:
        return _("%(name)s draws the new boosted star: %(colour)s.", name=name, colour=colour)
    if before.phase in (Phase.FILL, Phase.CHAOS):
        return ""  # it is drawn where it lies now
    return _("%(name)s draws a star: %(colour)s.", name=name, colour=colour)


def _moved(moves: Sequence[int], name: str) -> str:
    """Which time markers move how far."""
    ways = []
    for cluster, move in enumerate(moves):
        if move:
            turn = "↻" if move > 0 else "↺"  # as the buttons that move them
            ways.append(f"{(_('top'), _('right'), _('left'))[cluster]} {turn} {abs(move)}")
    told = ", ".join(ways)
    return _("%(name)s moves time markers: %(ways)s.", name=name, ways=told)


def _taken(stars: Sequence[str]) -> str:
    if not stars:
        return _("No star lies there.")
    return _("Into the reserve: %(stars)s.", stars=_list(stars))


def _black(before: State, after: State, name: str) -> str:
    """A black star, and what beginners forget."""
    words = [_("%(name)s lays a black star on the track.", name=name)]
    if after.indicator > before.indicator:
        words.append(_("Move the black indicator to square %(square)s.", square=after.indicator))
    else:
        words.append(_("The black indicator stands at its end already."))
    if after.phase is Phase.BOOST:
        words.append(_("It is highlighted: the boosted star is replaced."))
    return " ".join(words)


def _follows(before: State, after: State) -> list[str]:
    """What comes with the next phase and is easily forgotten."""
    words = []
    if after.phase is Phase.REFILL and before.phase is not Phase.REFILL:
        words.append(_("Few stars are left: a cluster is refilled."))
    if after.noticed and not before.noticed:
        words.append(ending(after))
    return words


def ending(state: State) -> str:
    """Why this round is the last one."""
    found = endings(
        [seat.galaxy for seat in state.seats],
        state.indicator,
        state.marker_count,
        not state.bag.total,
        state.rules.edition,
    )
    why = ", ".join(format_ending(one) for one in found if one.met)
    return _("The game ends with this round: %(why)s.", why=why)


def _list(stars: Sequence[str]) -> str:
    return ", ".join(map(colour_name, stars))
