"""One question for each phase of a game, a decision a screen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from scorer.nebula import BLACK
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
from scorer.nebula.values_board import TOKENS
from scorer.places import Place as BoardPlace
from scorer.turns import SetUp
from webapp.app.guided_game import Choice, Question
from webapp.games.nebula.guide.sentences import card_name, cluster_name, colour_name
from webapp.games.nebula.live.messages import star_name, value_token_name

CLUSTERS_TEMPLATE = "nebula/guide/_clusters.html"
CARD_TEMPLATE = "nebula/guide/_card.html"
TOKEN_TEMPLATE = "nebula/guide/_token.html"
STARS_TEMPLATE = "nebula/guide/_stars.html"


@dataclass(frozen=True)
class Asked:
    """What a question is asked of: the state, what is chosen already, and who plays."""

    state: State
    draft: str
    names: Sequence[str]
    set_up: SetUp


def ask(state: State, draft: str, names: Sequence[str], set_up: SetUp) -> Question:
    """The question of a state; `draft` is what was chosen of its answer already."""
    return QUESTIONS[state.phase](Asked(state, draft, names, set_up))


@dataclass(frozen=True)
class Cluster:
    """A cluster as it is drawn: where its time marker stands or would, what is due or taken.

    `less` and `more` are the drafts that move the marker, "" where it may not.
    """

    name: str
    stars: Sequence[str | None]
    hour: int
    due: int | None = None
    taken: bool = False
    move: int = 0
    less: str = ""
    more: str = ""


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


def _drawn(state: State) -> list[Choice]:
    """A button for each star that the bag may hold."""
    possible = {action for action, _odds in play.outcomes(state)}
    return [
        Choice(colour_name(star), Draw(star), piece=star)
        for star in STARS
        if Draw(star) in possible
    ]


def _fill(asked: Asked) -> Question:
    state = asked.state
    for cluster, own in enumerate(state.clusters):
        if None in own:
            return Question(
                _("Draw a star for %(cluster)s", cluster=cluster_name(cluster)),
                _("Lay it on the space that is marked, and tap its colour here."),
                _drawn(state),
                template=CLUSTERS_TEMPLATE,
                about=_clusters(state, (cluster, own.index(None))),
            )
    return Question(
        _("Draw the boosted star"),
        _("Who places a star of its colour may place three in that turn. It may be black."),
        _drawn(state),
    )


def _deal(asked: Asked) -> Question:
    full, deck = asked.state.rules.has_values, next_deck(asked.state)
    more = _("Then four advanced cards for the slots I to IV.") if full else ""
    hidden = _("Each player takes two personal cards and keeps one, hidden from the others.")
    return Question(
        _("Turn up four career cards"),
        f"{more} {hidden}".strip(),
        [Choice(_("Choose them by their pictures"), link="cards")] if deck != "personal" else (),
    )


def _choose(asked: Asked) -> Question:
    return Question(
        _("Which personal card do you keep?"),
        _("It gives its points at the end if it is fulfilled."),
        [
            Choice(card_name(action.card), action, template=CARD_TEMPLATE, about=action.card)
            for action in play.actions(asked.state)
            if isinstance(action, ChoosePersonal)
        ],
    )


def _reserves(asked: Asked) -> Question:
    name = asked.names[short_of_stars(asked.state)]
    return Question(
        _("Draw a star for the reserve of %(name)s", name=name),
        _("The later one's turn, the more stars one begins with: none, 1, 2, 3."),
        _drawn(asked.state),
    )


def _collect(asked: Asked) -> Question:
    state, draft = asked.state, asked.draft
    if draft == "chaos":
        return Question(
            _("Which star do you give up?"),
            _("It goes to the box. You draw five and keep two of them."),
            [
                Choice(colour_name(star), TurnToChaos(star), piece=star)
                for star in state.seat.reserve.kinds
            ],
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

    clusters = [
        Cluster(cluster_name(n), own, hours[n], None, not left, moves[n], moved(n, -1), moved(n, 1))
        for n, own in enumerate(state.clusters)
    ]
    taken = [star for star in stars_at(state, hours) if star]
    words = ", ".join(map(colour_name, taken)) or _("nothing")
    choices = [Choice(_("Take %(stars)s", stars=words), InvestTime(moves))] if not left else []
    return Question(
        _("Move the time markers: %(left)s of 5 steps left", left=left),
        _("Each marker goes one way only, or stays. Empty spaces count too."),
        choices,
        template=CLUSTERS_TEMPLATE,
        about=clusters,
    )


def _chaos(asked: Asked) -> Question:
    drawn = len(asked.state.drawn)
    return Question(
        _("Draw star %(number)s of %(all)s", number=drawn + 1, all=DRAWN_BY_CHAOS),
        _("Two of them are kept."),
        _drawn(asked.state),
        template=STARS_TEMPLATE,
        about=asked.state.drawn,
    )


def _keep(asked: Asked) -> Question:
    return Question(
        _("Which two do you keep?"),
        _("The others go to the box."),
        [
            Choice(
                ", ".join(map(colour_name, action.stars)),
                action,
                template=STARS_TEMPLATE,
                about=action.stars,
            )
            for action in play.actions(asked.state)
            if isinstance(action, Keep)
        ],
    )


def _place(asked: Asked) -> Question:
    state, star = asked.state, asked.draft
    if star in state.seat.reserve.kinds and star != BLACK:
        spaces = {BoardPlace(space): Place(star, space) for space in state.rules.board.spaces}
        return Question(
            _("Where does it go: %(star)s?", star=star_name(star)),
            _("It may go where a ring is lit. Any other space says why not."),
            [Choice(_("Another star"), draft="star", aside=True)],
            spaces,
        )
    choices = [
        Choice(
            colour_name(star),
            # the first space stands for all where the star may go nowhere: the rule says why
            action if (action := _unplaceable(state, star)) else None,
            "" if action else star,
            star,
        )
        if star != BLACK
        else Choice(colour_name(star), PlaceOnTrack(), piece=star)
        for star in state.seat.reserve.kinds
    ]
    done = _("Place no star") if not state.placed else _("Place no more")
    return Question(
        _("Which star do you place?"),
        _may_place(state),
        [*choices, Choice(done, EndPlacing(), aside=True)],
    )


def _unplaceable(state: State, star: str) -> Place | None:
    """A placement that says why a star may go nowhere; None where it may go somewhere."""
    placements = [Place(star, space) for space in state.rules.board.spaces]
    broken = [play.illegal(state, action) for action in placements]
    return placements[0] if all(broken) else None


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


def _boost(asked: Asked) -> Question:
    words: Mapping[str, Callable[[ReplaceBoosted], str]] = {
        "bag": lambda _a: _("Draw it from the bag"),
        "none": lambda _a: _("The old one stays"),
        "reserve": lambda a: _("From your reserve: %(star)s", star=star_name(a.star)),
    }
    return Question(
        _("Where does the new boosted star come from?"),
        _("The old one goes to the box."),
        [
            Choice(words[action.source](action), action, piece=action.star)
            for action in play.actions(asked.state)
            if isinstance(action, ReplaceBoosted)
        ],
    )


def _boost_draw(asked: Asked) -> Question:
    old = star_name(asked.state.boosted or "")
    return Question(
        _("Draw the new boosted star"),
        _("If it is a %(star)s again, put it back and draw once more.", star=old),
        _drawn(asked.state),
    )


def _token(asked: Asked) -> Question:
    return Question(
        _("Which value token moves a square on?"),
        _("Leading tokens give points at the end: colours, constellations, advanced cards."),
        [
            Choice(
                value_token_name(token), AdvanceToken(token), template=TOKEN_TEMPLATE, about=token
            )
            for token in TOKENS
        ],
    )


def _claim(asked: Asked) -> Question:
    state = asked.state
    choices: list[Action] = list(play.actions(state))
    card = next((one.card for one in choices if isinstance(one, Claim)), None)
    if card is None:
        return Question(_("Go on"), choices=[Choice(_("Go on"), EndClaims())])
    first = not state.markers[state.career.index(card)]
    return Question(
        _("Put your marker on the card: on top") if first else _("Put your marker below the card"),
        card_name(card),
        [Choice(_("Placed"), Claim(card), template=CARD_TEMPLATE, about=card)],
    )


def _refill(asked: Asked) -> Question:
    state = asked.state
    cluster, _space = state.due[0]
    return Question(
        _("Draw a star for %(cluster)s", cluster=cluster_name(cluster)),
        _("Lay it on the space that is marked, and tap its colour here."),
        _drawn(state),
        template=CLUSTERS_TEMPLATE,
        about=_clusters(state, state.due[0]),
    )


def _over(asked: Asked) -> Question:
    return Question(
        _("The game is over"),
        _("Everyone has had the same number of turns. Now the score is counted."),
        over=True,
    )


QUESTIONS: Mapping[Phase, Callable[[Asked], Question]] = {
    Phase.FILL: _fill,
    Phase.DEAL: _deal,
    Phase.CHOOSE: _choose,
    Phase.RESERVES: _reserves,
    Phase.COLLECT: _collect,
    Phase.CHAOS: _chaos,
    Phase.KEEP: _keep,
    Phase.PLACE: _place,
    Phase.BOOST: _boost,
    Phase.BOOST_DRAW: _boost_draw,
    Phase.TOKEN: _token,
    Phase.CLAIM: _claim,
    Phase.REFILL: _refill,
    Phase.OVER: _over,
}
