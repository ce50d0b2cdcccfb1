"""Via Nebula's implementation of `GuidedGame`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.objective import Objective
from scorer.sentence import Sentence, Verbatim
from scorer.via_nebula.board import half_named
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import contract_card
from scorer.via_nebula.state import A_TURN, Carry, Craftsman, Explore, Site
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
        if {"craftsman": state.setup.fewer > 0, "site": state.setup.room == 1}.get(kind):
            hints.append(say(f"fewer_{kind}"))
        if kind == "craftsman":
            tokens = {(state.worth(id), own.points) for id, own in state.edition.tokens.items()}
            hints += [
                say("token_gives", n=brought, points=points)
                for brought, points in sorted(tokens)
                if points
            ]
            hints.append(say("lies_open"))
        if kind == "build":
            hints.append(say("build_gives"))
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
            return as_sentence(spoken(say("brings", does=words, n=own.count, what=own.resource)))
        if after.ender is None or before.ender is not None:
            return None
        name = str(document["players"][after.ender]["name"])
        events = (self.turns.format_event(action, name), say("fifth_building"))
        return " ".join(as_sentence(spoken(one)) for one in events)

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
                return Choice(said(say("carry_to", resource=good, start=start, at=at)), piece=good)
        card = getattr(action, "card", "")
        if card not in STANDARD.contracts:
            return None
        words = said(self.turns.format_action(action))
        return Choice(words, template="via_nebula/guide/_card.html", about=card)
