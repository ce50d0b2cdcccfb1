"""What is still to come in a game of Polaris, and what its phases have given."""

from dataclasses import replace
from unittest.mock import Mock

from flask import Flask

from scorer.polaris.edition import load_edition
from scorer.polaris.sky import Sky
from scorer.polaris.words import say
from scorer.scoresheet import Line, PlayerSheet
from tests.webapp.polaris_skies import CARDS, COLOURS, LINKS, NAMES, STARS
from webapp.games.polaris.phase_lines import cards_now
from webapp.web.score_parts import score_parts


def test_of_the_cards_to_be_scored_the_first_is_next() -> None:
    colours = dict(zip(NAMES, COLOURS, strict=False))
    sky = Sky(STARS, LINKS)
    left = cards_now(sky, CARDS, 2, colours, load_edition("standard"))
    assert [(one.card.id, one.phase, one.is_next) for one in left] == [
        (CARDS[2], 3, True),
        (CARDS[3], 4, False),
        (CARDS[4], 5, False),
    ]


def test_the_fewest_more_stars_bring_the_next_tier_or_what_the_most_gets() -> None:
    stars = {"1a1": "red", "1a2": "red", "1b1": "red", "1b2": "blue", "1b3": "blue"}
    colours, edition = {"Ana": "red", "Eva": "blue", "Iva": "yellow"}, load_edition("standard")
    (card,) = cards_now(Sky(stars), ["C1"], 0, colours, edition)
    assert [(one.tier, one.bonus, one.result.to_next) for one in card.scores] == [
        (1, 3, 1),
        (1, 0, 2),
        (-2, 0, 2),
    ]
    assert card.next_gains == [(1, 3 - 1), (1, 1 + 3 - 1), (2, 1 - -2)]
    told = [str(card.next_gain(seat)) for seat in range(3)]
    assert told[0] == "1 more star for 2 points more", "4 points it has already"
    full = {f"1{spoke}{orbit}": "red" for spoke in "abc" for orbit in range(1, 4)}
    (card,) = cards_now(Sky(full), ["C1"], 0, colours, edition)
    assert card.next_gains == [None, (2, 3), (2, 3)] and card.next_gain(0) is None


def test_a_line_begins_with_two_stars() -> None:
    colours, edition = {"Ana": "red", "Eva": "blue"}, load_edition("standard")
    (card,) = cards_now(Sky({"1a1": "red"}), ["C11"], 0, colours, edition)
    assert card.next_gains == [(2, 1 + 3 - -2), (2, 1 + 3 - -2)]


def test_whoever_places_nothing_more_before_the_scoring_is_promised_nothing() -> None:
    colours, edition = {"Ana": "red", "Eva": "blue"}, load_edition("standard")
    first, second = cards_now(Sky({}), ["C1", "C2"], 0, colours, edition, "Eva", done=[1])
    assert (first.next_gains, second.next_gains) == ([(1, 3), None], [(1, 3), (1, 3)])


def test_whoever_has_the_telescope_gets_its_points_in_the_next_phase_alone() -> None:
    colours, edition = {"Ana": "red", "Eva": "blue"}, load_edition("standard")
    first, second = cards_now(Sky({"1a1": "red"}), ["C1", "C2"], 0, colours, edition, "Eva")
    assert [one.points for one in first.scores] == [-2 + 3, -2 + edition.telescope]
    assert first.next_gains == [(1, 3), (1, 3)], "the telescope's is there already"
    assert [one.telescope for one in second.scores] == [0, 0]


def test_each_phase_that_gave_anybody_points_has_a_row(app: Flask) -> None:
    words = Mock(part=lambda _category: "Phases", line=lambda line: line.subject["phase"])
    found = {"Ana": (0, 8, 0, -2), "Luis": (-2, 9, 0, 6), "Eva": (0, 0, 0, 0)}
    counted = say("stars", count=0)
    scored = [
        PlayerSheet(
            name,
            tuple(
                Line("phase", points, counted, (), {"phase": f"phase {n}"})
                for n, points in enumerate(own)
            ),
        )
        for name, own in found.items()
    ]
    with app.test_request_context():
        rows = {part.name: part.players for part in score_parts(words, scored)}
        assert [*rows] == ["Phase 0", "Phase 1", "Phase 3"]
        assert rows["Phase 1"] == [(8, "0 stars"), (9, "0 stars"), (0, "0 stars")]
        (fewer,) = score_parts(words, [replace(scored[0], lines=scored[0].lines[1:]), scored[1]])
        assert fewer.players == [(6, "8 − 2 + 0"), (13, "−2 + 9 + 6 + 0")]
        (none,) = score_parts(words, scored[2:])
        assert (none.name, none.players) == ("Phases", [(0, "")])


def test_points_of_cards_name_the_cards_where_there_is_room(app: Flask) -> None:
    words = Mock(part=lambda _category: "Cards", line=lambda line: line.subject["card"])
    counted = say("stars", count=0)

    def why(*cards: str) -> list[str]:
        lines = (
            Line("cards", points, counted, (), {"card": cards[points % 2]}) for points in (6, 3)
        )
        other = Line("cards", 6, counted, (), {"card": cards[0]})
        sheets = [
            PlayerSheet("Ana", (*lines,)),
            PlayerSheet("Luis", (other, replace(other, points=0))),
        ]
        (part,) = score_parts(words, sheets)
        return [why for _points, why in part.players]

    with app.test_request_context():
        assert why("Six", "Three") == ["Six: 6, Three: 3", "Six: 6"]
        assert why("Six" * 20, "Three" * 20) == ["6 + 3", "6 + 0"], "one player's like another's"


def test_one_more_for_the_most_comes_before_the_next_tier() -> None:
    """The first star of a card makes the greatest count; the tier needs two."""
    edition, colours = load_edition("standard"), {"Ana": "red", "Eva": "blue"}
    for sky, more in (
        ({}, (1, 3)),
        ({"1a2": "blue"}, (1, 3)),
        ({"1a1": "red"}, (1, 3)),
        ({"1a2": "blue", "1b2": "blue", "1c2": "blue"}, (2, 3)),
    ):
        (card,) = cards_now(Sky(sky), ["C1"], 0, colours, edition)
        assert card.next_gains[0] == more
