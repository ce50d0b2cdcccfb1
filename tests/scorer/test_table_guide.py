"""What a table is told before a game: in each language, for each number of players."""

import pytest

from scorer import registry
from scorer.datafile import DataFileError, read_package_file
from scorer.notation import NotationError
from scorer.sentence import LANGUAGES
from scorer.table_guide import NAME, guide_from_data, guide_of

SAID = {"en": "Take {stars} stars", "es": "Toma {stars}", "cs": "Vezměte {stars}"}


@pytest.mark.parametrize("name", registry.names())
def test_each_text_is_short_and_in_each_language(name: str) -> None:
    game = registry.find_game(name)
    guide = guide_of(game)
    assert guide is not None and guide.wins() and guide.turn()
    words = {term.id for term in game.glossary}
    for players in game.turns.players:
        for step in guide.setup(players):
            assert {*step.unread} <= words
            for language in LANGUAGES:
                said = step.say.in_language(language)
                assert said and "{" not in said and len(said.split()) <= 40
    for text in (*guide.wins(), *guide.turn()):
        assert all(len(text.in_language(one).split()) <= 60 for one in LANGUAGES)


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_of_a_turn_are_about_actions_that_there_are(name: str) -> None:
    with pytest.raises(NotationError) as caught:
        registry.find_game(name).turns.notation.read("?")
    known = str(caught.value).rpartition("begins with ")[2].split(", ")
    lines = read_package_file(f"scorer.{name}", NAME)["turn"]
    named = {word for line in lines for word in line.get("of", ())}
    assert named and named <= {*known}


def test_the_rules_of_a_step_are_those_of_its_actions_for_as_many_as_play() -> None:
    lines = [{"say": SAID, "of": ["take"]}, SAID, {"say": SAID, "of": ["take"], "modes": ["full"]}]
    guide = guide_from_data({"turn": lines, "numbers": {"stars": {"2": 30, "3": 25}}})
    assert [*guide.turn()] == ["Take 30 / 25 stars"] * 3
    assert [*guide.turn(2, "intro")] == ["Take 30 stars"] * 2
    assert [*guide.turn_of({"take", "end"}, 3, "full")] == ["Take 25 stars"] * 2
    assert not guide.turn_of({"end"}, 3, "full")


def test_steps_go_by_the_players_and_the_mode() -> None:
    steps = [{"say": SAID}, {"say": SAID, "players": [3]}, {"say": SAID, "modes": ["full"]}]
    guide = guide_from_data({"setup": steps, "numbers": {"stars": {"2": 30, "3": 25}}})
    assert [str(step.say) for step in guide.setup(2, "intro")] == ["Take 30 stars"]
    assert [str(step.say) for step in guide.setup(3, "full")] == ["Take 25 stars"] * 3
    assert guide.differs(2, ["intro", "full"]) and not guide.differs(2, ["full"])


def test_mistakes_are_named() -> None:
    with pytest.raises(DataFileError) as caught:
        guide_from_data({"won": [], "setup": [{"say": {"en": "x", "es": "x"}, "picture": "a"}]})
    assert {key for key, _ in caught.value.problems} == {"won", "setup[0].picture", "setup.0.cs"}
