"""Actions as short lines of text, as lesson files, addresses and forms have them.

place red ar1       place black track     time 2 -3 0         chaos blue
keep red black      boost bag             boost red           token white
end placing         claim V7              end claims          choose O3
draw red            deal V7
"""

from collections.abc import Callable, Mapping

from scorer.nebula.turns.actions import (
    Action,
    AdvanceToken,
    ChoosePersonal,
    Claim,
    Deal,
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

TRACK = "track"
"""Where a star is placed that goes on the black-star track."""
LONGEST = 100  # characters; the longest action has about 20


class NotationError(ValueError):
    """A text that is no action; the text is the reason."""


def read_action(text: str) -> Action:
    """The action of a line of text, legal or not. NotationError for what is none.

    >>> read_action("place red ar1")
    Place(star='red', space='ar1')
    >>> read_action("time 2 -3 0"), read_action("boost bag")
    (InvestTime(moves=(2, -3, 0)), ReplaceBoosted(source='bag', star=None))
    """
    verb, *words = text[:LONGEST].split()[:10] or [""]
    try:
        return _READERS[verb](*words)
    except (KeyError, TypeError, ValueError):
        known = ", ".join(_READERS)
        raise NotationError(f"{text[:LONGEST]!r} is no action; one begins with {known}") from None


def write_action(action: Action) -> str:
    """The line of text of an action; `read_action` reads it back.

    >>> write_action(PlaceOnTrack())
    'place black track'
    """
    match action:
        case Place(star, space):
            return f"place {star} {space}"
        case PlaceOnTrack(star):
            return f"place {star} {TRACK}"
        case InvestTime(moves):
            return " ".join(map(str, ("time", *moves)))
        case TurnToChaos(star):
            return f"chaos {star}"
        case Keep(stars):
            return " ".join(("keep", *stars))
        case ReplaceBoosted(source, star):
            return f"boost {star if source == 'reserve' else source}"
        case AdvanceToken(token):
            return f"token {token}"
        case EndPlacing():
            return "end placing"
        case EndClaims():
            return "end claims"
        case Claim(card):
            return f"claim {card}"
        case ChoosePersonal(card):
            return f"choose {card}"
        case Draw(star):
            return f"draw {star}"
        case Deal(card):
            return f"deal {card}"


def _place(star: str, where: str) -> Action:
    return PlaceOnTrack(star) if where == TRACK else Place(star, where)


def _boost(source: str) -> Action:
    if source in ("bag", "none"):
        return ReplaceBoosted("bag" if source == "bag" else "none")
    return ReplaceBoosted("reserve", source)


def _end(step: str) -> Action:
    ends: Mapping[str, Action] = {"placing": EndPlacing(), "claims": EndClaims()}
    return ends[step]


_READERS: Mapping[str, Callable[..., Action]] = {
    "place": _place,
    "time": lambda *moves: InvestTime(tuple(int(move) for move in moves)),
    "chaos": lambda star: TurnToChaos(star),
    "keep": lambda *stars: Keep(stars),
    "boost": _boost,
    "token": lambda token: AdvanceToken(token),
    "end": _end,
    "claim": lambda card: Claim(card),
    "choose": lambda card: ChoosePersonal(card),
    "draw": lambda star: Draw(star),
    "deal": lambda card: Deal(card),
}
