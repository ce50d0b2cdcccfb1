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
    """What an action did, with what is to be done by hand for it; "" where it needs no word."""
    said = [_done(before, action, after), *_follows(before, after)]
    words = " ".join(one for one in said if one)
    by_player = before.turn and not isinstance(action, Draw)
    return f"{names[before.player]}: {words}" if words and by_player else words


def _done(before: State, action: Action, after: State) -> str:
    """The action itself."""
    match action:
        case InvestTime(moves):
            return _moved(moves) + " " + _taken([s for s in stars_at(before, after.hours) if s])
        case TurnToChaos(star):
            return _("To the box: %(star)s.", star=star_name(star))
        case Keep(stars):
            return _("Into the reserve: %(stars)s. The others go to the box.", stars=_list(stars))
        case Place(star, space):
            old = before.seat.galaxy.stars.get(space)
            words = _("%(star)s on %(space)s.", star=star_name(star), space=spoken_name(space))
            gone = _("To the box: %(star)s.", star=star_name(old)) if old else ""
            return f"{words[:1].upper()}{words[1:]} {gone}".strip()
        case PlaceOnTrack():
            return _black(before, after)
        case ReplaceBoosted() if action.star:
            name = star_name(action.star)
            return _("From the reserve becomes the boosted star: %(star)s.", star=name)
        case ReplaceBoosted("none"):
            return _("The bag holds no other colour: the boosted star stays.")
        case AdvanceToken(token):
            square = after.values.at[token]
            name = value_token_name(token)
            return _("%(token)s moves to square %(square)s.", token=name, square=square)
        case Claim(card):
            first = after.claims_of(before.player)[card] == "first"
            where = _("marker on top") if first else _("marker below")
            return f"{card_name(card)}: {where}."
        case EndPlacing() if not after.fulfilled:
            return "" if before.placed else _("No star is placed.")
        case Draw(star):
            return _drawn(before, star)
        case EndClaims() | EndPlacing() | ChoosePersonal():
            return ""
    return ""


def _drawn(before: State, star: str) -> str:
    if before.phase is Phase.BOOST_DRAW and star == before.boosted:
        return _("It has the old colour: put it back, and draw again.")
    if before.phase is Phase.BOOST_DRAW:
        return _("New boosted star: %(star)s.", star=colour_name(star))
    if before.phase in (Phase.FILL, Phase.CHAOS):
        return ""  # it is drawn where it lies now
    return _("Drawn: %(star)s.", star=star_name(star))


def _moved(moves: Sequence[int]) -> str:
    """Which time markers move how far."""
    ways = []
    for cluster, move in enumerate(moves):
        if move:
            of = cluster_name(cluster)
            ways.append(
                _("%(num)s clockwise at %(cluster)s", num=move, cluster=of)
                if move > 0
                else _("%(num)s anticlockwise at %(cluster)s", num=-move, cluster=of)
            )
    return _("Time markers: %(ways)s.", ways=", ".join(ways))


def _taken(stars: Sequence[str]) -> str:
    if not stars:
        return _("No star lies there.")
    return _("Into the reserve: %(stars)s.", stars=_list(stars))


def _black(before: State, after: State) -> str:
    """A black star, and what beginners forget."""
    words = [_("Black star on the track.")]
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
    if after.phase is Phase.CLAIM and before.phase is Phase.PLACE and after.fulfilled:
        words.append(_("A career card is complete."))
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


def standing(state: State) -> list[str]:
    """Where the game stands, in a few words each."""
    if not state.turn:
        return [_("Setting up")]
    last = state.rules.edition.indicator_squares
    words = [_("Round %(round)s", round=state.round)]
    if state.boosted:
        words.append(_("Boosted: %(star)s", star=colour_name(state.boosted)))
    words.append(_("Indicator %(at)s of %(last)s", at=state.indicator, last=last))
    words.append(_("Bag: %(stars)s", stars=state.bag.total))
    if state.noticed:
        words.append(_("Last round"))
    return words


def _list(stars: Sequence[str]) -> str:
    return ", ".join(map(colour_name, stars))
