"""One question for each phase of a game, a decision a screen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from scorer.nebula.turns import play
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
from scorer.nebula.turns.collecting import (
    DRAWN_BY_CHAOS,
    MOVEMENT_POINTS,
    hours_after,
    stars_at,
)
from scorer.nebula.turns.placing import PLACED_IN_A_TURN, PLACED_WITH_BOOSTED
from scorer.nebula.turns.setup import next_deck, short_of_stars
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import CLUSTERS, Phase, State
from webapp.app.guided_game import Choice, Question
from webapp.games.nebula.guide.sentences import card_name, cluster_name, colour_name
from webapp.games.nebula.live.messages import star_name, value_token_name

CLUSTERS_TEMPLATE = "nebula/guide/_clusters.html"
CARD_TEMPLATE = "nebula/guide/_card.html"
TOKEN_TEMPLATE = "nebula/guide/_token.html"
STARS_TEMPLATE = "nebula/guide/_stars.html"


def question(
    state: State, draft: str, begun: Sequence[str], names: Sequence[str]
) -> Question | None:
    """What is said over what a phase asks."""
    if state.phase is Phase.DEAL:
        return _deal(state)
    if state.phase is Phase.COLLECT:
        return _collect(state, draft)
    said = HEADINGS.get(state.phase)
    return said and said(state, begun, names)


def look(state: State, action: Action) -> Choice | None:
    """The button of an action."""
    match action:
        case Draw(star) | Place(star) | PlaceOnTrack(star):
            return Choice(colour_name(star), piece=star)
        case ChoosePersonal(card):
            return Choice(card_name(card), template=CARD_TEMPLATE, about=card)
        case Claim(card):
            return Choice(_("Placed"), template=CARD_TEMPLATE, about=card)
        case Keep(stars):
            words = ", ".join(map(colour_name, stars))
            return Choice(words, template=STARS_TEMPLATE, about=stars)
        case AdvanceToken(token):
            return Choice(value_token_name(token), template=TOKEN_TEMPLATE, about=token)
        case ReplaceBoosted():
            words = {"bag": _("Draw it from the bag"), "none": _("The old one stays")}.get(
                action.source, _("From your reserve: %(star)s", star=star_name(action.star))
            )
            return Choice(words, piece=action.star)
        case EndPlacing():
            return Choice(_("Place no more") if state.placed else _("Place no star"), aside=True)
        case EndClaims():
            return Choice(_("Go on"))
    return None


@dataclass(frozen=True)
class Cluster:
    """A cluster as it is drawn: where its time marker stands or would, what is due or taken.

    `less` and `more` are the drafts that move the marker, "" where it may not; `to` has for each
    space the draft that moves it there, once no more than that is to be done with one tap.
    """

    name: str
    stars: Sequence[str | None]
    hour: int
    due: int | None = None
    taken: bool = False
    move: int = 0
    less: str = ""
    more: str = ""
    to: Sequence[str] = ()


def _clusters(state: State, due: tuple[int, int] | None = None) -> list[Cluster]:
    return [
        Cluster(
            cluster_name(number),
            own,
            state.hours[number],
            due[1] if due and due[0] == number else None,
        )
        for number, own in enumerate(state.clusters)
    ]


def _fill(state: State, _begun: Sequence[str], _names: Sequence[str]) -> Question:
    due = next(((n, own.index(None)) for n, own in enumerate(state.clusters) if None in own), None)
    if due is not None:
        return _for_cluster(state, due)
    return Question(
        _("Draw the boosted star"),
        _("Who places a star of its colour may place three in that turn. It may be black."),
    )


def _for_cluster(state: State, due: tuple[int, int]) -> Question:
    return Question(
        _("Draw a star for %(cluster)s", cluster=cluster_name(due[0])),
        _("Lay it on the space that is marked, and tap its colour here."),
        template=CLUSTERS_TEMPLATE,
        about=_clusters(state, due),
    )


def _deal(state: State) -> Question:
    full, deck = state.rules.has_values, next_deck(state)
    more = _("Then four advanced cards for the slots I to IV.") if full else ""
    hidden = _("Each player takes two personal cards and keeps one, hidden from the others.")
    return Question(
        _("Turn up four career cards"),
        f"{more} {hidden}".strip(),
        [Choice(_("Choose them by their pictures"), link="cards")] if deck != "personal" else (),
        whole=True,
    )


def _reserves(state: State, _begun: Sequence[str], names: Sequence[str]) -> Question:
    return Question(
        _("Draw a star for the reserve of %(name)s", name=names[short_of_stars(state)]),
        _("The later one's turn, the more stars one begins with: none, 1, 2, 3."),
    )


def _collect(state: State, draft: str) -> Question:
    if draft == "chaos":
        return Question(
            _("Which star do you give up?"),
            _("It goes to the box. You draw five and keep two of them."),
            [
                Choice(colour_name(star), TurnToChaos(star), piece=star)
                for star in state.seat.reserve.kinds
            ],
            whole=True,
        )
    if draft.startswith("time"):
        return _time(state, _moves(draft))
    chaos = _("By chaos: give a star up, draw five, keep two")
    return Question(
        _("How do you collect stars?"),
        _("All that lies in front of the time markers is taken, moved or not."),
        [
            Choice(_("By time: move the markers, take what lies there"), draft="time"),
            # without a star there is nothing to give up: the rule says so
            Choice(chaos, draft="chaos")
            if state.seat.reserve.total
            else Choice(chaos, TurnToChaos(STARS[0])),
        ],
        template=CLUSTERS_TEMPLATE,
        about=_clusters(state),
        whole=True,
    )


def _moves(draft: str) -> tuple[int, ...]:
    """The moves of a draft such as `time:2,-1,0`; none where it is no such draft."""
    parts = draft.partition(":")[2].split(",")
    try:
        moves = tuple(max(-MOVEMENT_POINTS, min(MOVEMENT_POINTS, int(part))) for part in parts)
    except ValueError:
        return (0,) * CLUSTERS
    spent = sum(map(abs, moves))
    return moves if len(moves) == CLUSTERS and spent <= MOVEMENT_POINTS else (0,) * CLUSTERS


def _time(state: State, moves: tuple[int, ...]) -> Question:
    left = MOVEMENT_POINTS - sum(map(abs, moves))
    hours = hours_after(state, moves)

    def moved(cluster: int, by: int) -> str:
        other = [*moves[:cluster], moves[cluster] + by, *moves[cluster + 1 :]]
        is_free = sum(map(abs, other)) <= MOVEMENT_POINTS
        return f"time:{','.join(map(str, other))}" if is_free else ""

    def there(cluster: int, space: int) -> str:
        """To a space: by the way that uses all steps up, else by the shorter one."""
        spaces = len(state.clusters[cluster])
        ahead = (space - state.hours[cluster]) % spaces
        rest = sum(map(abs, moves)) - abs(moves[cluster])
        ways = sorted((ahead, ahead - spaces), key=abs)
        free = [way for way in ways if rest + abs(way) <= MOVEMENT_POINTS]
        exact = [way for way in free if rest + abs(way) == MOVEMENT_POINTS]
        return "".join(moved(cluster, way - moves[cluster]) for way in (exact or free)[:1])

    clusters = [
        Cluster(
            cluster_name(n),
            own,
            hours[n],
            None,
            not left,
            moves[n],
            moved(n, -1),
            moved(n, 1),
            [there(n, space) for space in range(len(own))],
        )
        for n, own in enumerate(state.clusters)
    ]
    taken = [star for star in stars_at(state, hours) if star]
    words = ", ".join(map(colour_name, taken)) or _("nothing")
    choices = [Choice(_("Take %(stars)s", stars=words), InvestTime(moves))] if not left else []
    return Question(
        _("Move the time markers: %(left)s of 5 steps left", left=left),
        _("Tap the star that a marker is to stop at. Each goes one way only, or stays."),
        choices,
        template=CLUSTERS_TEMPLATE,
        about=clusters,
        whole=True,
    )


def _chaos(state: State, _begun: Sequence[str], _names: Sequence[str]) -> Question:
    return Question(
        _("Draw star %(number)s of %(all)s", number=len(state.drawn) + 1, all=DRAWN_BY_CHAOS),
        _("Two of them are kept."),
        template=STARS_TEMPLATE,
        about=state.drawn,
    )


def _place(state: State, begun: Sequence[str], _names: Sequence[str]) -> Question:
    if len(begun) > 1:
        return Question(
            _("Where does it go: %(star)s?", star=star_name(begun[1])),
            _("It may go where a ring is lit. Any other space says why not."),
        )
    return Question(_("Which star do you place?"), _may_place(state))


def _may_place(state: State) -> str:
    boosted = colour_name(state.governing or "")
    rule = _(
        "Up to %(usual)s stars of different colours; up to %(boosted)s if one is the boosted"
        " colour: %(colour)s.",
        usual=PLACED_IN_A_TURN,
        boosted=PLACED_WITH_BOOSTED,
        colour=boosted,
    )
    if not state.placed:
        return rule
    return _("Placed: %(stars)s.", stars=", ".join(map(colour_name, state.placed))) + " " + rule


def _boost_draw(state: State, _begun: Sequence[str], _names: Sequence[str]) -> Question:
    old = star_name(state.boosted or "")
    return Question(
        _("Draw the new boosted star"),
        _("If it is a %(star)s again, put it back and draw once more.", star=old),
    )


def _claim(state: State, _begun: Sequence[str], _names: Sequence[str]) -> Question:
    cards = [one.card for one in play.actions(state) if isinstance(one, Claim)]
    if not cards:
        return Question(_("Go on"))
    first = not state.markers[state.career.index(cards[0])]
    return Question(
        _("Put your marker on the card: on top") if first else _("Put your marker below the card"),
        card_name(cards[0]),
    )


HEADINGS: Mapping[Phase, Callable[[State, Sequence[str], Sequence[str]], Question]] = {
    Phase.FILL: _fill,
    Phase.CHOOSE: lambda *_about: Question(
        _("Which personal card do you keep?"),
        _("It gives its points at the end if it is fulfilled."),
    ),
    Phase.RESERVES: _reserves,
    Phase.CHAOS: _chaos,
    Phase.KEEP: lambda *_about: Question(
        _("Which two do you keep?"), _("The others go to the box.")
    ),
    Phase.PLACE: _place,
    Phase.BOOST: lambda *_about: Question(
        _("Where does the new boosted star come from?"), _("The old one goes to the box.")
    ),
    Phase.BOOST_DRAW: _boost_draw,
    Phase.TOKEN: lambda *_about: Question(
        _("Which value token moves a square on?"),
        _("Leading tokens give points at the end: colours, constellations, advanced cards."),
    ),
    Phase.CLAIM: _claim,
    Phase.REFILL: lambda state, *_about: _for_cluster(state, state.due[0]),
}
