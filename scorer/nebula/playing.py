"""Nebula's implementation of the contract `scorer.turns.Turns`, from the modules in `turns/`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.edition import load_edition
from scorer.nebula.ending import reasons
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import MOST_PLAYERS, Game, Player
from scorer.nebula.score import Score, score_game
from scorer.nebula.strategies.turn_plan import best_rests
from scorer.nebula.turns import actions as act
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.finishing import endings_of
from scorer.nebula.turns.setup import cards_of, new_game, short_of_stars
from scorer.nebula.turns.state import CARD_BACK, FEWEST_PLAYERS, Phase, Rules, State
from scorer.nebula.values_board import TOKENS, TRACKS
from scorer.nebula.words import BLACK, say
from scorer.places import Place
from scorer.sentence import Sentence, Verbatim
from scorer.turns import SetUp, Turns

BY_ITSELF = (Phase.PLACE, Phase.BOOST, Phase.TOKEN, Phase.KEEP, Phase.CLAIM)
"""Phases in which a player with a single choice is not asked."""


class NebulaTurns(Turns[State, Action]):
    """Chance draws from the bag and deals cards; players decide everything else.

    >>> state = TURNS.start({"players": 3, "mode": "intro"})
    >>> TURNS.decides(state), TURNS.write_action(TURNS.outcomes(state)[0][0])
    (None, 'draw red')
    """

    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    options: ClassVar[Mapping[str, Sequence[str]]] = MappingProxyType(
        {"mode": ("full", "intro"), "rules": ("cs", "es")}
    )

    def start(self, set_up: SetUp, board: GalaxyBoard | None = None) -> State:
        """All stars are in the bag. `rules` names the rulebook, by default that of `language`."""
        edition = load_edition(set_up.get("edition", "standard"))
        galaxy_board = board or STANDARD_BOARD
        spoken = "es" if set_up.get("language") == "es" else "cs"
        mode, book = set_up.get("mode", "full"), set_up.get("book", set_up.get("rules", spoken))
        edition = edition.printed_on(galaxy_board) if board else edition
        return new_game(Rules(set_up["players"], mode, book, edition, galaxy_board))

    def player(self, state: State) -> int | None:
        """None during set-up; whoever draws a reserve; otherwise the player to move."""
        if state.phase in (Phase.FILL, Phase.DEAL, Phase.OVER):
            return None
        return short_of_stars(state) if state.phase is Phase.RESERVES else state.player

    actions = staticmethod(play.actions)
    outcomes = staticmethod(play.outcomes)
    illegal = staticmethod(play.illegal)
    after_legal = staticmethod(play.after_legal)

    def positions(self, state: State) -> Sequence[Galaxy]:
        return [seat.galaxy for seat in state.seats]

    def answers(self, state: State) -> Mapping[str, Any]:
        """The cards, value tokens and markers, and the personal cards that are known."""
        has_values, leaders = state.rules.has_values, state.values.leaders
        return {
            "career": list(state.career),
            "advanced": list(state.advanced),
            **{f"values.{one}": list(leaders(one)) for one in TRACKS if has_values},
            "players": [
                {
                    "career": dict(state.claims_of(number)),
                    **({} if hand.personal in (None, CARD_BACK) else {"personal": hand.personal}),
                }
                for number, hand in enumerate(state.hands)
            ],
        }

    def score(self, state: State, names: Sequence[str] = ()) -> Score:
        rules, seats = state.rules, enumerate(zip(state.seats, state.hands, strict=True))
        players = [
            Player(
                names[number] if names else str(number),
                seat.galaxy,
                personal=None if hand.personal == CARD_BACK else hand.personal,
                career=state.claims_of(number),
            )
            for number, (seat, hand) in seats
        ]
        values = state.values.values() if rules.has_values else None
        cards = state.career, state.advanced
        table = Game(tuple(players), rules.mode, *cards, values, rules.edition, rules.board)
        return score_game(table)

    def ending(self, state: State, names: Sequence[str]) -> Sentence | str:
        found = endings_of(state)
        if not any(one.met for one in found):
            return ""
        ending = say("last_round_over", why=reasons(found))
        full = [len(seat.galaxy.finished_constellations()) for seat in state.seats]
        each = tuple(Verbatim(f"{name} {n}") for name, n in zip(names, full, strict=True))
        is_full = any(one.met and one.kind == "constellations" for one in found)
        return say("full_constellations", ending=ending, each=each) if is_full else ending

    def offered(self, state: State) -> Sequence[Action]:
        """All value tokens; for a star that may be placed nowhere, a single space."""
        if state.phase is Phase.TOKEN:
            return [act.AdvanceToken(token) for token in TOKENS]
        legal = play.actions(state)
        if state.phase is not Phase.PLACE:
            return legal
        free = {one.star for one in legal if isinstance(one, act.PlaceOnTrack | act.Place)}
        stuck = [star for star in state.seat.reserve.kinds if star not in free]
        space = state.rules.board.spaces[0]
        return [
            *legal,
            *(act.PlaceOnTrack() if star == BLACK else act.Place(star, space) for star in stuck),
        ]

    def imagined(self, state: State, rng: Random) -> State:
        """The others' personal cards are drawn from those that are nowhere else."""
        known = {card for hand in state.hands for card in (*hand.dealt, hand.personal)}
        left = [c for c in cards_of(state.rules.edition, "personal") if c not in known]
        rng.shuffle(left)
        hands = []
        for hand in state.hands:
            dealt = tuple(left.pop() if card == CARD_BACK else card for card in hand.dealt)
            personal = dealt[0] if hand.personal == CARD_BACK else hand.personal
            hands.append(replace(hand, dealt=dealt, personal=personal))
        return state.but(hands=tuple(hands))

    def by_itself(self, state: State) -> Action | None:
        """A forced action, unless it is done by hand at the table."""
        if state.phase is Phase.CHOOSE and CARD_BACK in state.hands[state.player].dealt:
            return act.ChoosePersonal(CARD_BACK)
        choices = play.actions(state) if state.phase in BY_ITSELF else ()
        return choices[0] if len(choices) == 1 and not isinstance(choices[0], act.Claim) else None

    def rest_of_turn(
        self, state: State, actions: Sequence[Action]
    ) -> Iterator[tuple[Action, State]]:
        """What the best stars to place then bring, with the markers for cards fulfilled."""
        placing = act.PlaceOnTrack | act.Place | act.EndPlacing
        return best_rests(state, [one for one in actions if isinstance(one, placing)])

    def placing(self, state: State, place: Place, piece: str) -> Action | None:
        """A star on a space of the galaxy, or on the track."""
        if place.kind == "track":
            return act.PlaceOnTrack(piece)
        return super().placing(state, place, piece)


TURNS: Turns[Any, Any] = NebulaTurns()
