"""One question for each phase of a game, with one decision a screen."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from scorer import places
from scorer.nebula.ending import FINISHED_CONSTELLATIONS
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
from scorer.nebula.turns.collecting import DRAWN_BY_CHAOS, MOVEMENT_POINTS, hours_after, taken_by
from scorer.nebula.turns.finishing import endings_of
from scorer.nebula.turns.placing import PLACED_IN_A_TURN, PLACED_WITH_BOOSTED
from scorer.nebula.turns.setup import next_deck, short_of_stars
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import CLUSTERS, Phase, State
from scorer.nebula.words import BLACK, WORDS, say
from scorer.sentence import Value, Verbatim
from webapp.app.guided_game import Choice, Question
from webapp.games.nebula.words import card_name, phrase, star_name, value_token_name, word
from webapp.web.guide_questions import from_phrases
from webapp.web.words import spoken

TEMPLATES = "nebula/guide/"


def question(
    state: State, draft: str, begun: Sequence[str], names: Sequence[str]
) -> Question | None:
    galaxy = state.seat.galaxy.stars
    match state.phase:
        case Phase.FILL | Phase.REFILL:
            return _fill(state)
        case Phase.DEAL:
            return _deal(state)
        case Phase.COLLECT:
            return _collect(state, draft)
        case Phase.RESERVES:
            return _asked("reserves", name=names[short_of_stars(state)])
        case Phase.CHAOS:
            number, about = len(state.drawn) + 1, ("_stars", state.drawn)
            return _asked("chaos", about=about, number=number, all=DRAWN_BY_CHAOS)
        case Phase.PLACE if len(begun) > 1:
            place = _asked("space", star=star_name(begun[1]))
            where = place.hint if galaxy else phrase("guide_space_core")
            replaces = any(
                isinstance(one, Place) and one.star == begun[1] != galaxy.get(one.space, begun[1])
                for one in play.actions(state)
            )
            more = [phrase("guide_space_replacing")] if replaces else []
            rest = _rest((*state.placed, begun[1]), state)
            return replace(place, hint=" ".join([*_placed(state), where, *more, rest]))
        case Phase.PLACE:
            coloured, rule = stars_left(state.placed, state, {BLACK}), _how_many(state)
            nearest = _nearest(state, coloured, colours_left(state))
            more = [*_black(state), *nearest] if rule else []
            return Question(phrase("guide_place"), " ".join([*_placed(state), *rule, *more]))
        case Phase.BOOST:
            asked = _asked(state.phase)
            return replace(asked, hint=" ".join([asked.hint, *_how_many(state)]))
        case Phase.CLAIM:
            return _claim(state, names)
    points = state.rules.edition.personal
    return _asked(state.phase, star=star_name(state.boosted or ""), points=points)


def _placed(state: State) -> Sequence[str]:
    return [phrase("guide_placed", stars=state.placed)] if state.placed else []


def _how_many(state: State) -> Sequence[str]:
    """How many stars may be placed in the rest of this turn."""
    colour, left = state.governing or "", stars_left(state.placed, state)
    is_boosted = len(state.placed) == PLACED_IN_A_TURN and colour not in state.placed
    more_key = "more_boosted" if colour in state.placed else "more"
    key = "boosted" if is_boosted else more_key if state.placed else "hint"
    values = {"left": left, "usual": PLACED_IN_A_TURN, "boosted": PLACED_WITH_BOOSTED}
    return [phrase(f"guide_place_{key}", colour=colour, **values)] if left > 0 else []


def _black(state: State) -> Sequence[str]:
    """What a black star does, if one can be placed before the game's last square."""
    edition, square = state.rules.edition, state.indicator + 1
    following = next((one for one in edition.indicator_highlighted if one >= square), None)
    if BLACK not in state.seat.reserve.kinds or BLACK in state.placed or following is None:
        return []
    last = edition.indicator_squares
    return [phrase("guide_place_black", square=square, next=following, all=last)]


def _nearest(state: State, left: int, colours: Collection[str] | None = None) -> Iterator[str]:
    """Which unfinished constellation lacks fewest stars, and whether `left` are too few.

    If only stars of these `colours` are left to place, each that one of them fills instead.
    """
    galaxy = state.seat.galaxy
    lacking = {
        name: galaxy.empty(spaces)
        for name, spaces in state.rules.board.constellations.items()
        if 0 < len(galaxy.empty(spaces)) < len(spaces)
    }
    by_one = {name: own[0] for name, own in lacking.items() if len(own) == 1}
    if colours is not None and by_one:
        fit = {
            name: tuple(one for one in colours if galaxy.illegal(space, one) is None)
            for name, space in by_one.items()
        }
        each = [say("filled_by", constellation=one, colours=by) for one, by in fit.items() if by]
        if each:
            yield phrase("guide_place_finishes", each=tuple(each))
    elif lacking:
        name = min(lacking, key=lambda one: len(lacking[one]))
        later = "_later" if len(lacking[name]) > left else ""
        yield phrase(f"guide_place_nearest{later}", constellation=name, n=len(lacking[name]))


def colours_left(state: State) -> Sequence[str]:
    """The colours of the reserve that may still be placed in the turn in progress."""
    if not stars_left(state.placed, state, {BLACK}):
        return ()
    others = [one for one in state.seat.reserve.kinds if one not in (*state.placed, BLACK)]
    is_boosted = len(state.placed) == PLACED_IN_A_TURN and state.governing not in state.placed
    return [one for one in others if not is_boosted or one == state.governing]


def _rest(placed: Sequence[str], state: State) -> str:
    """How many more stars may follow those placed, and on what condition."""
    left, colour = stars_left(placed, state), state.governing or ""
    if not left:
        return phrase("guide_space_last")
    if colour in placed or len(placed) + left <= PLACED_IN_A_TURN:
        return phrase("guide_space_left", left=left)
    key = "guide_place_boosted" if left == 1 else "guide_space_left_boosted"
    return phrase(key, left=left, colour=colour)


def stars_left(placed: Sequence[str], state: State, without: Collection[str] = ()) -> int:
    """How many more stars of the reserve may be placed at most, with the boosted if it is there.

    Stars of the colours ``without`` are not counted.
    """
    others = [one for one in state.seat.reserve.kinds if one not in (*placed, *without)]
    is_boosted = state.governing in (*placed, *others)
    most = PLACED_WITH_BOOSTED if is_boosted else PLACED_IN_A_TURN
    return max(0, min(most - len(placed), len(others)))


def _asked(
    key: str,
    choices: Sequence[Choice] = (),
    about: tuple[str, object] = ("", None),
    whole: bool = False,
    **values: Value,
) -> Question:
    """The question of a key with its hint, and the object that a template draws."""
    template = about[0] and f"{TEMPLATES}{about[0]}.html"
    asked = from_phrases(WORDS, key, template, about[1], **values)
    return replace(asked, choices=choices, whole=whole)


def look(state: State, action: Action) -> Choice | None:
    match action:
        case Draw(star) | Place(star) | PlaceOnTrack(star):
            return Choice(word(star), piece=star)
        case ChoosePersonal(card):
            choice = _pictured(spoken(card_name(card)), "_card", card)
            family = f"means_{state.rules.edition.cards[card].family}"
            means = [phrase(family)] if family in WORDS.phrases else []
            return replace(
                choice, note=" ".join([spoken(state.rules.edition.cards[card].rule), *means])
            )
        case Claim(card):
            words = phrase("guide_marker_placed", card=card_name(card))
            note = _marker_worth(state, card) if len(state.fulfilled) > 1 else ""
            return replace(_pictured(words, "_card", card), note=note)
        case Keep(stars):
            return _pictured(", ".join(map(word, stars)), "_stars", stars)
        case AdvanceToken(token):
            return _pictured(value_token_name(token), "_token", token)
        case ReplaceBoosted():
            words = phrase(f"guide_boost_from_{action.source}", star=star_name(action.star))
            return Choice(words, piece=action.star)
        case EndPlacing():
            none = "" if state.placed else "_none"
            kept = phrase(f"guide_end_placing{none}_note")
            return Choice(phrase(f"guide_end_placing{none}"), note=kept, aside=True)
        case EndClaims():
            return Choice(phrase("guide_go_on"))
    return None


def _marker_worth(state: State, card: str) -> str:
    """Where on a career card the marker goes, and its points there."""
    first, later = state.rules.edition.career_points(card)
    if state.markers[state.career.index(card)]:
        return phrase("guide_marker_below", points=later)
    return phrase("guide_marker_on_top", points=first)


def _pictured(words: str, template: str, about: object) -> Choice:
    return Choice(words, template=f"{TEMPLATES}{template}.html", about=about)


@dataclass(frozen=True)
class Cluster:
    """A cluster to draw, with its time marker where it is or would be, and the space due or taken.

    `less` and `more` are the drafts that move the marker, "" if it may not move; `to` has for each
    space the draft that moves it there in one tap, if possible.
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

    @property
    def count(self) -> int:
        return len(self.stars) - self.stars.count(None)


def clusters_of(state: State) -> Sequence[Cluster]:
    """The clusters with the time markers where they are."""
    return _clusters(state)[1]


def _clusters(state: State, due: tuple[int, int] | None = None) -> tuple[str, list[Cluster]]:
    at = dict([due] if due else [])
    return "_clusters", [
        Cluster(phrase(f"cluster_{n}"), own, state.hours[n], at.get(n))
        for n, own in enumerate(state.clusters)
    ]


def _fill(state: State) -> Question:
    empty = [(n, own.index(None)) for n, own in enumerate(state.clusters) if None in own]
    due = next(iter(state.due or empty), None)
    if due is None:
        return _asked("boosted")
    asked = _asked("fill", about=_clusters(state, due), cluster=say(f"cluster_{due[0]}"))
    return replace(asked, hint="") if state.turn else asked  # known by then


def _deal(state: State) -> Question:
    more = [phrase("guide_deal_advanced")] if state.rules.has_values else []
    by_picture = Choice(phrase("guide_deal_choose"), link="cards")
    asked = Question(
        phrase("guide_deal"),
        " ".join([*more, phrase("guide_deal_hint")]),
        [by_picture] if next_deck(state) != "personal" else (),
        whole=True,
    )
    if state.career:
        return asked
    template, about = _clusters(state)
    return replace(asked, template=f"{TEMPLATES}{template}.html", about=about)


def _collect(state: State, draft: str) -> Question:
    if draft == "chaos":
        stars = state.seat.reserve.kinds
        choices = [Choice(word(star), TurnToChaos(star), piece=star) for star in stars]
        return _asked("give", choices, whole=True)
    if draft.startswith("time"):
        return _time(state, _moves(draft))
    by_chaos = Choice(phrase("guide_by_chaos"), draft="chaos")
    if not state.seat.reserve.total:  # illegal without a star to give up, as the rule explains
        by_chaos = Choice(by_chaos.words, TurnToChaos(STARS[0]))
    by_time = Choice(phrase("guide_by_time"), draft="time")
    clusters = [replace(one, less="", more="") for one in _moved(state, (0,) * CLUSTERS)]
    asked = _asked("collect", [by_time, by_chaos], ("_clusters", clusters), whole=True)
    full = len(state.seat.galaxy.finished_constellations())
    nearest = _nearest(state, PLACED_WITH_BOOSTED) if full == FINISHED_CONSTELLATIONS - 1 else ()
    return replace(asked, hint=" ".join([asked.hint, *nearest]))


def _moves(draft: str) -> tuple[int, ...]:
    """The moves of a draft such as `time:2,-1,0`; zeros for any other draft."""
    parts = draft.partition(":")[2].split(",")
    try:
        moves = tuple(max(-MOVEMENT_POINTS, min(MOVEMENT_POINTS, int(part))) for part in parts)
    except ValueError:
        return (0,) * CLUSTERS
    spent = sum(map(abs, moves))
    return moves if len(moves) == CLUSTERS and spent <= MOVEMENT_POINTS else (0,) * CLUSTERS


def _time(state: State, moves: tuple[int, ...]) -> Question:
    left = MOVEMENT_POINTS - sum(map(abs, moves))
    words = phrase("guide_take", stars=taken_by(state, moves) or (say("guide_nothing"),))
    choices = [] if left else [Choice(words, InvestTime(moves))]
    clusters = _moved(state, moves)
    return _asked("time", choices, ("_clusters", clusters), whole=True, left=left)


def _moved(state: State, moves: tuple[int, ...]) -> list[Cluster]:
    """The clusters after these moves, with the further moves of each marker."""
    hours = hours_after(state, moves)

    def moved(cluster: int, by: int) -> str:
        other = [*moves[:cluster], moves[cluster] + by, *moves[cluster + 1 :]]
        is_free = sum(map(abs, other)) <= MOVEMENT_POINTS
        return f"time:{','.join(map(str, other))}" if is_free else ""

    def there(cluster: int, space: int) -> str:
        """To a space by the shorter way; from there, the other way round."""
        spaces = len(state.clusters[cluster])
        ahead = (space - state.hours[cluster]) % spaces
        rest = sum(map(abs, moves)) - abs(moves[cluster])
        ways = sorted((ahead, ahead - spaces), key=lambda way: (way == moves[cluster], abs(way)))
        free = [way for way in ways if rest + abs(way) <= MOVEMENT_POINTS]
        return "".join(moved(cluster, way - moves[cluster]) for way in free[:1])

    return [
        Cluster(
            phrase(f"cluster_{n}"),
            own,
            hours[n],
            taken=sum(map(abs, moves)) == MOVEMENT_POINTS,
            move=moves[n],
            less=moved(n, -1),
            more=moved(n, 1),
            to=[there(n, space) for space in range(len(own))],
        )
        for n, own in enumerate(state.clusters)
    ]


def _claim(state: State, names: Sequence[str]) -> Question:
    cards = [one.card for one in play.actions(state) if isinstance(one, Claim)]
    if not cards:
        return _asked("go_on")
    earlier = state.markers[state.career.index(cards[0])]
    points, later = state.rules.edition.career_points(cards[0])
    if earlier:
        who = Verbatim(names[earlier[0]])
        worth = [phrase("guide_claim_worth_later", points=later, first=points, name=who)]
    else:
        worth = [
            phrase("guide_claim_worth", points=points),
            phrase("guide_claim_first_only", later=later),
        ]
    markers = next(one for one in endings_of(state) if one.kind == "markers")
    more = []
    if not state.noticed:
        counts = {"n": markers.reached + 1, "needed": markers.needed}
        more.append(phrase("guide_claim_markers", **counts))
    cards_of, own = state.rules.edition.cards, state.seat.galaxy
    left = {
        card: cards_of[card].check(own)
        for card, owners in zip(state.career, state.markers, strict=True)
        if card not in cards and state.player not in owners
    }
    if left:
        nearest = max(left, key=lambda card: left[card].progress)
        counted = left[nearest].calculation
        values = {"card": cards_of[nearest].name, "counted": counted}
        more.append(phrase("guide_claim_nearest", **values))
    if len(cards) > 1:
        return Question(phrase("guide_claim_several", n=len(cards)), " ".join(more))
    return Question(
        phrase("guide_claim_later" if earlier else "guide_claim_first"),
        " ".join([f"{spoken(card_name(cards[0]))}.", *worth, *more]),
        shown=[places.Place(space) for space in cards_of[cards[0]].check(own).spaces],
    )
