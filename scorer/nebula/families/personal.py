"""Personal objectives, the O cards."""

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import Table
from scorer.nebula.words import say
from scorer.objective import CardResult, objective


def colour_on_indirect_links(galaxy: Galaxy, table: Table, colour: str) -> CardResult:
    """O1 to O6: each indirect link has a star of the colour at one of its ends."""
    links = galaxy.board.indirect_ends
    filled = {pair: [s for s in pair if galaxy.stars.get(s) == colour] for pair in links}
    spaces = tuple(space for own in filled.values() for space in own)
    missing = tuple(space for pair in links if not filled[pair] for space in pair)
    count = sum(map(bool, filled.values()))
    words = say("links_with_colour", count=count, total=len(links), colour=colour)
    return objective(count / len(links), spaces, missing, words)


def colour_on_highlighted(galaxy: Galaxy, table: Table, colour: str, needed: int = 4) -> CardResult:
    """O7 to O12: at least 4 of the 5 highlighted spaces hold the colour."""
    highlighted = galaxy.board.highlighted
    spaces = tuple(space for space in highlighted if galaxy.stars.get(space) == colour)
    missing = tuple(space for space in highlighted if space not in spaces)
    words = say("highlighted_in_colour", count=len(spaces), colour=colour, needed=needed)
    return objective(min(len(spaces) / needed, 1.0), spaces, missing, words)


def stars_of_colour(galaxy: Galaxy, table: Table, colour: str, needed: int = 6) -> CardResult:
    """O13 to O18: at least 6 stars of the colour in the galaxy; the reserve does not count."""
    spaces = galaxy.where(colour)
    words = say("stars_of_colour", count=len(spaces), colour=colour, needed=needed)
    return objective(min(len(spaces) / needed, 1.0), spaces, (), words)


def most_black(galaxy: Galaxy, table: Table) -> CardResult:
    """O19: no opponent has more black stars; a tie for first counts, at zero too."""
    black = galaxy.black
    if not table.rivals:
        return objective(0.0, (), (), say("no_opponents", black=black))
    most = max(table.rivals)
    if black < most:
        return objective(black / most, (), (), say("fewer_black", black=black, most=most))
    words = say("tied_black" if black == most else "most_black", black=black)
    return objective(1.0, (), (), words)


def few_empty(galaxy: Galaxy, table: Table, most: int = 4) -> CardResult:
    """O20: at most 4 of the 25 spaces are empty."""
    empty = galaxy.empty()
    spaces = tuple(space for space in galaxy.board.spaces if space in galaxy.stars)
    needed = len(galaxy.board.spaces) - most
    words = say("empty_spaces", count=len(empty), most=most)
    return objective(min(len(spaces) / needed, 1.0), spaces, empty, words)
