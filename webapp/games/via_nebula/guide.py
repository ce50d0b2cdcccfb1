"""Via Nebula's implementation of `GuidedGame`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.objective import Objective
from scorer.sentence import Sentence, Verbatim
from scorer.via_nebula.board import half_named
from scorer.via_nebula.edition import FOREST, STANDARD
from scorer.via_nebula.game import contract_card
from scorer.via_nebula.legal import goods_at, illegal
from scorer.via_nebula.state import A_TURN, Build, Carry, Craftsman, Explore, Site, State
from scorer.via_nebula.words import say
from webapp.app.game_pages import Document
from webapp.app.game_words import said
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.web.words import as_sentence, as_title, spoken


class GuidedViaNebula(GuidedGame):
    """From the tokens on the meadows to the fifth building."""

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """A contract's power, what a token brings, and what fewer players or actions change."""
        if state.power:
            words = as_title(spoken(say(f"by_power_{state.power}")))
            return Question(words, spoken(say("by_power_hint")))
        kind, hints = next(iter(begun), ""), list[Sentence]()
        if kind == "craftsman":
            tokens = {(state.worth(id), own.points) for id, own in state.edition.tokens.items()}
            hints += [
                say("token_gives", n=brought, points=points)
                for brought, points in sorted(tokens)
                if points
            ]
            if state.setup.fewer:
                hints.append(say("fewer_craftsman"))
            hints.append(say("counts_later"))
        if kind == "site" and state.setup.room == 1:
            hints.append(say("fewer_site"))
        if kind == "explore" and (pile := _next_pile(state, state.mover)):
            hints.append(say("next_tile", pile=pile, n=state.edition.explorer))
        if kind == "build":
            hints.append(say("build_gives"))
            if state.seat.buildings == 1 and state.ender is None:
                hints.append(say("build_is_last"))
        if state.left < A_TURN and kind in ("", "explore"):
            hints.append(say("forest_too_dear" if kind else "second_action"))
        return Question("", " ".join(map(spoken, hints))) if state.ready and hints else None

    def describe(self, before: Any, action: Any, after: Any, document: Document) -> str | None:
        """What a craftsman brings or a player carries; the fifth building and its end."""
        if isinstance(action, Carry):
            own = before.pieces.exploitations[action.start]
            who = Verbatim(document["players"][self.turns.decides(before)]["name"])
            where = {"start": action.start, "at": action.at}
            return as_sentence(spoken(say("carries", name=who, what=own.resource, **where)))
        if isinstance(action, Craftsman) and action.at in after.pieces.exploitations:
            own = after.pieces.exploitations[action.at]
            name = str(document["players"][self.turns.decides(before)]["name"])
            words = self.turns.format_event(action, name)
            brings = say("brings", does=words, n=own.count, what=own.resource)
            return _sentences(brings, say("keeps_token", name=Verbatim(name)))
        if isinstance(action, Explore) and (pile := _next_pile(before, before.mover)):
            return self._explored(before, action, after, pile, document)
        if after.ender is None or before.ender is not None:
            return None
        name = str(document["players"][after.ender]["name"])
        return _sentences(self.turns.format_event(action, name), say("fifth_building"))

    def _explored(
        self, before: State, action: Explore, after: State, pile: str, document: Document
    ) -> str:
        """From which pile the tile comes, what its explorer brings, and what a forest takes."""
        seat, at = before.mover, action.at
        name = Verbatim(document["players"][seat]["name"])
        events = [say("explores_with", name=name, at=at, pile=pile)]
        if _next_pile(after, seat) != pile:
            events.append(say("pile_is_empty", n=before.edition.explorer))
        if before.valley.terrain[at] == FOREST:
            events.append(say("forest_took_all"))
        return _sentences(*events)

    def letters(self, state: Any) -> Mapping[str, str]:
        """How many resources each token brings at this table."""
        return {id: f"×{state.worth(id)}" for id in state.edition.tokens}

    def tapped_action(self, state: Any, action: Any) -> Any:
        """A building site on a ruin, whichever half is tapped, where it takes both."""
        whole = isinstance(action, Site) and state.setup.room == 1
        return Site(half_named(action.at)[0]) if whole else action

    def objective(self, id: str) -> Objective | None:
        """A contract, also a private one."""
        return contract_card(STANDARD, id) if id in STANDARD.contracts else None

    def look(self, state: Any, action: Any) -> Choice | None:
        """The picture of a contract that is dealt, turned up or built, or of what is carried.

        A contract's power explores fog alone; so does a turn's second action.
        """
        match action:
            case type():
                if action is not Explore or not (state.power or state.left == 1):
                    return None
                dear = "" if state.power else said(say("forest_too_dear"))
                return Choice(said(say("explore_fog")), note=dear)
            case [Carry(start), *_]:
                good = state.pieces.exploitations[start].resource
                return Choice(said(say("carry_from", resource=good, start=start)), piece=good)
            case Carry(start, at) if start in state.pieces.exploitations:
                good = state.pieces.exploitations[start].resource
                words = said(say("carry_to", resource=good, start=start, at=at))
                return Choice(words, piece=good, note=_served(state, at, good))
            case [Build(at), *_]:
                words = said(say("build_on", at=at))
                return Choice(words, note=_points_of("build_worth", state, _fulfilled(state, at)))
        card = getattr(action, "card", "")
        if card not in STANDARD.contracts:
            return None
        words = said(self.turns.format_action(action))
        note = ""
        if isinstance(action, Build) and self.turns.illegal(state, action) is None:
            own = STANDARD.contracts[card]
            left = sum(goods_at(state, action.at).values()) - sum(own.needs.values())
            note = said(say("build_brings", points=own.points, left=left))
        return Choice(words, note=note, template="via_nebula/guide/_card.html", about=card)


def _sentences(*every: str) -> str:
    return " ".join(as_sentence(spoken(one)) for one in every)


def _next_pile(state: State, seat: int) -> str:
    """The pile that a player's next tile comes from (V34); "" for the reserve."""
    piles = state.seats[seat].piles
    return next((f"pile_{number}" for number, left in enumerate(piles, 1) if left), "")


def _points_of(key: str, state: State, cards: Sequence[str]) -> str:
    """A phrase with the `points` of some contracts, the best first; "" without any."""
    points = sorted((state.edition.contracts[card].points for card in cards), reverse=True)
    return said(say(key, points=tuple(map(str, points)))) if points else ""


def _fulfilled(state: State, at: str) -> Sequence[str]:
    """The contracts face up that what lies on a site fulfils."""
    return [card for card in state.open if not illegal(state, Build(at, card))]


def _served(state: State, at: str, resource: str) -> str:
    """The points of the contracts face up that still lack a resource on a site."""
    there = goods_at(state, at).get(resource, 0)
    every = state.edition.contracts
    lacking = [card for card in state.open if every[card].needs.get(resource, 0) > there]
    return _points_of("carry_serves", state, lacking)
