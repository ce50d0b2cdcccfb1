"""Playing one card: where its pieces may go, its cost, and every way to play it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

from scorer.flags import RuleBreak
from scorer.polaris.action_card import Choice, ShownLink
from scorer.polaris.board import SkyBoard
from scorer.polaris.sky import LINKS, PLAYERS_WITH_NEUTRAL_STARS, STARS_OF_A_PLAYER, Sky, rule_break
from scorer.polaris.table_state import HIDDEN, PlayCard, TableState
from scorer.polaris.words import say

Pieces = tuple[tuple[str | None, ...], tuple[str | None, ...]]
"""The places of a choice's stars and of its links, in its order."""

MOON_COST = 2  # of a card played as if it had another moon (P35)


def illegal_play(state: TableState, play: PlayCard) -> RuleBreak | None:
    """The rule that forbids a play, in words; None if it is legal."""
    return (
        _illegal_card(state, play)
        or next(_illegal_pieces(state, play), None)
        or _unpaid(state, play)
    )


def gain(state: TableState, play: PlayCard) -> int:
    """The shooting stars that a play gains, less those that it costs (P42)."""
    board = state.sky.board
    kinds = [board.kind_of(space) for space in play.stars if space is not None]
    changed = state.lunar_sector(play.card) != play.sector
    earned = _choice(state, play).shooting
    return kinds.count("white") - kinds.count("red") + earned - MOON_COST * changed


def placed(state: TableState, play: PlayCard) -> Sky:
    stars = dict.fromkeys(filter(None, play.stars), state.player.colour)
    links = tuple(filter(None, play.links))
    sky = state.sky
    return Sky({**sky.stars, **stars}, (*sky.links, *links), sky.new_moon, sky.board)


def too_dear(rule: str, cost: int, held: int) -> RuleBreak:
    """The break of a rule by too few shooting stars."""
    broken = rule_break(rule, say("too_dear", cost=cost, held=held))
    return broken if held else replace(broken, reason=say("nothing_to_pay_with", cost=cost))


def ways(state: TableState, card: PlayCard) -> Iterator[PlayCard]:
    """Every legal way to play a card in its sector with its choice, ignoring its pieces."""
    if _illegal_card(state, card) is None:
        for stars, links in _ways(state.sky, card.sector, _choice(state, card)):
            play = replace(card, stars=stars, links=links)
            if next(_illegal_pieces(state, play), None) is None and _unpaid(state, play) is None:
                yield play


def _choice(state: TableState, play: PlayCard) -> Choice:
    return state.card(play.card).choices[play.choice]


def _illegal_card(state: TableState, play: PlayCard) -> RuleBreak | None:
    """The rule that the card, its sector or its choice breaks, whatever is placed."""
    hand = state.player.hand
    if play.card not in hand:
        return rule_break("P33", say("not_in_hand", card=play.card))
    if play.sector not in state.sky.board.sectors:
        return rule_break("P33", say("no_sector", sector=play.sector))
    if state.played and play.sector != state.played[0].sector:
        sector = state.played[0].sector
        return rule_break("P33", say("one_sector", sector=sector))
    if not 0 <= play.choice < len(state.card(play.card).choices):
        return rule_break("P36", say("no_choice", card=play.card))
    known = [card for card in (*hand, *(one.card for one in state.played)) if card != HIDDEN]
    own = [state.lunar_sector(card) for card in known]
    if play.sector not in own:
        return rule_break("P35", say("no_own_moon", sector=play.sector))
    return None


def _unpaid(state: TableState, play: PlayCard) -> RuleBreak | None:
    held, cost = state.player.shooting, -gain(state, play)
    if cost > held:
        return too_dear("P43", cost, held)
    return None


def _illegal_pieces(state: TableState, play: PlayCard) -> Iterator[RuleBreak]:
    choice = _choice(state, play)
    if len(play.stars) > choice.stars or len(play.links) > len(choice.links):
        yield rule_break("P36", say("not_shown", card=play.card))
        return
    yield from _illegal_stars(state, play)
    yield from _illegal_links(state, play)
    yield from _illegal_sides(state.sky.board, choice, play)


def _illegal_stars(state: TableState, play: PlayCard) -> Iterator[RuleBreak]:
    sky, colour = state.sky, state.player.colour
    board, spaces = sky.board, [space for space in play.stars if space is not None]
    for space in spaces:
        if space not in board.star_spaces or play.sector not in board.sectors_of(space):
            yield rule_break("P37", say("star_outside", space=space, sector=play.sector))
        elif space in board.starred and len(state.seats) == PLAYERS_WITH_NEUTRAL_STARS:
            yield rule_break("P37", say("closed_space", spaces=(space,)), (space,))
        elif space in sky.stars or spaces.count(space) > 1:
            yield rule_break("P37", say("star_occupied", space=space), (space,))
    if len(sky.where(colour)) + len(spaces) > STARS_OF_A_PLAYER:
        yield rule_break("P48", say("no_more_stars", supply=STARS_OF_A_PLAYER))


def _illegal_links(state: TableState, play: PlayCard) -> Iterator[RuleBreak]:
    sky, links = state.sky, [link for link in play.links if link is not None]
    for link in links:
        known = link in sky.board.link_spaces
        if not known or play.sector not in sky.board.sectors_of_link(link):
            yield rule_break("P38", say("link_outside", link=link, sector=play.sector))
        elif sky.has_link(link) or links.count(link) > 1:
            yield rule_break("P38", say("link_occupied", link=link), links=(link,))
    if len(sky.links) + len(links) > LINKS:
        yield rule_break("P48", say("no_more_links", supply=LINKS))


def _illegal_sides(board: SkyBoard, choice: Choice, play: PlayCard) -> Iterator[RuleBreak]:
    """Deviations from the arrangement on the card (P39)."""
    stars = (*play.stars, *[None] * (choice.stars - len(play.stars)))
    for shown, link in zip(choice.links, play.links, strict=False):
        if link is None:
            continue
        ends = board.link_spaces[link]
        if ends.kind != shown.orientation:
            words = say("other_orientation", link=link, orientation=shown.orientation)
            yield rule_break("P39", words, links=(link,))
        if not all(stars[number] in ends.ends for number in shown.stars):
            yield rule_break("P39", say("not_at_its_star", link=link), links=(link,))
    for shown in choice.links:
        joined = [stars[number] for number in shown.stars]
        if len(joined) == 2 and None not in joined and not _joinable(board, joined, shown):
            spaces = tuple(space for space in joined if space is not None)
            yield rule_break("P39", say("not_side_by_side", spaces=spaces), spaces)
    sides = [
        (stars[shown.stars[0]], shown.orientation, board.link_spaces[link].a)
        for shown, link in zip(choice.links, play.links, strict=False)
        if link is not None and len(shown.stars) == 1
    ]
    for star, orientation in dict.fromkeys((star, kind) for star, kind, _ in sides):
        first_ends = [a == star for at, kind, a in sides if (at, kind) == (star, orientation)]
        if first_ends.count(True) > 1 or first_ends.count(False) > 1:
            yield rule_break("P39", say("same_side", space=star or ""))


def _joinable(board: SkyBoard, stars: list[str | None], shown: ShownLink) -> bool:
    one, other = stars
    link = board.link_between(one or "", other or "")
    return link is not None and board.link_spaces[link].kind == shown.orientation


def _ways(sky: Sky, sector: int, choice: Choice) -> Iterator[Pieces]:
    """Possible places for the pieces of a choice in a sector; not all rules are checked.

    Each set of places occurs once: which of two stars comes first on the card does not matter.
    """
    board = sky.board
    spaces = [space for space in board.sectors[sector] if space not in sky.stars]
    links = [
        link
        for link in board.link_spaces
        if sector in board.sectors_of_link(link) and not sky.has_link(link)
    ]
    seen = set()
    for stars in permutations([*spaces, *[None] * choice.stars], choice.stars):
        options = [_links_at(board, links, shown, stars) for shown in choice.links]
        for chosen in product(*options):
            pieces = frozenset(stars), frozenset(chosen)
            if pieces not in seen:
                seen.add(pieces)
                yield stars, chosen


def _links_at(
    board: SkyBoard, links: list[str], shown: ShownLink, stars: tuple[str | None, ...]
) -> list[str | None]:
    """The places for a link of a card, given the places of its stars; None is always possible."""
    touched = [stars[number] for number in shown.stars]
    fitting = [
        link
        for link in links
        if board.link_spaces[link].kind == shown.orientation
        and all(star in board.link_spaces[link].ends for star in touched)
    ]
    return [None, *fitting]
