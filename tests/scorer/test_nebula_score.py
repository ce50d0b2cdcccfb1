"""The final score: every kind of line, both modes, proposals, flags, ranking and ties."""

import copy
import json

import pytest

from scorer.editions import EditionError
from scorer.flags import Flag
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.edition import load_edition
from scorer.nebula.edition_file import edition_from_data
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Game, Player, Values
from scorer.nebula.score import NotReadError, score_game

# Aries full: red 3, blue 2, white 1 with the core's yellow
ARIES = {"core": "yellow", "ar1": "red", "ar2": "blue", "ar3": "red", "ar4": "blue"}
ARIES |= {"ar5": "white", "ar6": "red"}


def player(name="Ana", stars=None, black=0, **more) -> Player:
    return Player(name, Galaxy({} if stars is None else stars, black), **more)


def scored(game: Game, who: int = 0):
    return score_game(game).players[who]


def lines(score, category) -> list[tuple]:
    """(subject, points, calculation) of a category's lines."""
    return [
        (*line.subject.values(), line.points, str(line.calculation))
        for line in score.lines
        if line.category == category
    ]


class TestPersonal:
    def test_fulfilled_gives_14(self):
        ana = player(stars={"ar3": "red", "ta4": "red", "ge3": "red", "core": "red"}, personal="O8")
        assert lines(scored(Game((ana,))), "personal") == [
            ("O8", 14, "4 highlighted spaces in red, 4 needed")
        ]

    def test_not_fulfilled_is_a_line_of_0(self):
        assert lines(scored(Game((player(personal="O8"),))), "personal")[0][:2] == ("O8", 0)

    def test_most_black_stars_counts_the_whole_table(self):
        game = Game((player(black=4, personal="O19"), player("Eva", black=4, personal="O19")))
        assert lines(scored(game), "personal") == [
            ("O19", 14, "4 black stars, tied for most at the table")
        ]
        alone = scored(Game((player(black=4, personal="O19"),)))
        assert lines(alone, "personal") == [("O19", 0, "4 black stars, nobody to compare with")]
        assert Flag("no_opponents", more={"card": "O19"}) in alone.flags

    def test_4_black_stars_most_at_the_table(self):
        game = Game((player(black=4, personal="O19"), player("Eva", black=1)))
        assert lines(scored(game), "personal")[0][2] == "4 black stars, most at the table"
        assert "no_opponents" not in [flag.kind for flag in scored(game).flags]


class TestCareer:
    def test_the_first_on_a_card_has_16_and_the_second_10(self):
        teresa = player("Teresa", ARIES, career={"V1": "first"})
        jose = player("José", ARIES, career={"V1": "later"})
        game = Game((teresa, jose), career=("V1",))
        assert lines(scored(game, 0), "career") == [("V1", 16, "first")]
        assert lines(scored(game, 1), "career") == [("V1", 10, "later")]
        assert scored(game).lines[0].spaces == STANDARD_BOARD.constellations["aries"]

    def test_without_a_career_key_fulfilled_cards_are_proposed_at_the_lower_value(self):
        score = scored(Game((player(stars=ARIES),), career=("V1", "V2"), advanced=("B17",)))
        assert score.proposed == ("V1",)
        assert score.provisional
        assert lines(score, "career")[0] == ("V1", 10, "proposed")
        assert lines(score, "career")[1][:2] == ("V2", 0)

    def test_an_empty_career_key_means_no_marker(self):
        score = scored(Game((player(stars=ARIES, career={}),), career=("V1",)))
        assert (score.provisional, score.proposed) == (False, ())
        assert lines(score, "career") == [("V1", 0, "no marker")]

    def test_a_claim_stays_whatever_happens_to_the_stars(self):
        score = scored(Game((player(career={"V1": "first"}),), career=("V1",)))
        assert lines(score, "career") == [("V1", 16, "first")]
        assert score.lines[0].spaces == ()
        assert "claim_not_shown" not in [flag.kind for flag in score.flags]

    @pytest.mark.parametrize("card", ["V16", "V17", "V18", "V19", "V20"])
    def test_a_claim_that_cannot_come_undone_is_flagged_where_not_shown(self, card):
        claimed = player(career={card: "first"})
        (flag,) = scored(Game((claimed,), mode="intro", career=(card,))).flags
        assert flag.kind == "claim_not_shown"
        assert flag.to_data()["card"] == card
        full = player(stars=dict.fromkeys(STANDARD_BOARD.spaces, "red"), career={card: "first"})
        kinds = [flag.kind for flag in scored(Game((full,), mode="intro", career=(card,))).flags]
        assert "claim_not_shown" not in kinds


@pytest.mark.parametrize(
    ("black", "points"), list(enumerate([0, 1, 2, 4, 6, 9, 12, 15, 18, 22, 26]))
)
def test_black_stars_score_the_first_number_still_visible(black, points):
    score = scored(Game((player(black=black),)))
    assert lines(score, "black") == [(points, f"{black} of 10")]


class TestConstellations:
    def test_places_of_the_value_track(self):
        full = dict.fromkeys(STANDARD_BOARD.spaces, "red")
        values = Values(constellations=("gemini", "aries", "cancer"))
        assert lines(scored(Game((player(stars=full),), values=values)), "constellation") == [
            ("aries", 12, "2nd place"),
            ("taurus", 6, "finished"),
            ("gemini", 14, "1st place"),
            ("cancer", 10, "3rd place"),
        ]

    def test_a_fourth_place_is_worth_the_base(self):
        values = Values(constellations=("gemini", "taurus", "cancer", "aries"))
        score = scored(Game((player(stars=ARIES),), values=values))
        assert lines(score, "constellation") == [("aries", 6, "finished")]

    def test_an_unfinished_one_has_no_line(self):
        stars = {space: colour for space, colour in ARIES.items() if space != "ar4"}
        assert lines(scored(Game((player(stars=stars),))), "constellation") == []


class TestColours:
    def test_3_2_1_for_each_star_of_the_first_three(self):
        values = Values(colours=("red", "purple", "blue", "white"))
        assert lines(scored(Game((player(stars=ARIES),), values=values)), "colour") == [
            ("red", 9, "3 × 3"),
            ("blue", 2, "2 × 1"),
        ]

    def test_the_spaces_are_those_of_the_colour(self):
        score = scored(Game((player(stars=ARIES),), values=Values(colours=("blue",))))
        (line,) = [line for line in score.lines if line.category == "colour"]
        assert line.spaces == ("ar2", "ar4")


class TestAdvanced:
    def test_4_3_2_by_the_slots_place_and_0_for_the_fourth(self):
        game = Game(
            (player(stars=ARIES, career={}),),
            advanced=("B16", "B19", "B18", "B23"),
            values=Values(advanced=("II", "I", "IV")),
        )
        assert lines(scored(game), "advanced") == [
            ("B16", "I", 3, "1 × 3"),
            ("B19", "II", 12, "3 × 4"),
            ("B18", "III", 0, "2 × 0"),
            ("B23", "IV", 2, "1 × 2"),
        ]

    def test_b17_counts_markers_or_proposals(self):
        def b17(career):
            game = Game(
                (player(stars=ARIES, career=career),),
                career=("V1", "V2"),
                advanced=("B17",),
                values=Values(advanced=("I",)),
            )
            return lines(scored(game), "advanced")[0][2]

        assert b17({"V1": "first", "V2": "later"}) == 8
        assert b17({}) == 0
        assert b17(None) == 4, "V1 proposed"


class TestModes:
    def game(self, mode, values=None):
        values = values or Values(("red",), ("aries",), ("I",))
        ana = player(stars=ARIES, black=2, personal="O1", career={})
        return Game((ana,), mode, ("V1",), ("B16",), values)

    def test_intro_has_no_values_no_advanced_cards_and_6_for_a_constellation(self):
        score = scored(self.game("intro"))
        assert [line.category for line in score.lines] == [
            "personal",
            "career",
            "black",
            "constellation",
        ]
        assert lines(score, "constellation") == [("aries", 6, "finished")]
        assert score.total == 0 + 0 + 2 + 6

    def test_full_has_them_all_in_order(self):
        score = scored(self.game("full"))
        order = ["personal", "career", "black", "constellation", "colour", "advanced"]
        assert [line.category for line in score.lines] == order
        assert score.total == 0 + 0 + 2 + 14 + 9 + 4

    def test_full_without_values_is_flagged(self):
        game = Game((player(),), "full")
        assert scored(game).flags == (Flag("no_values"),)
        assert scored(Game((player(),), "full", values=Values())).flags == ()
        assert scored(Game((player(),), "intro")).flags == ()


class TestBoardAsItLies:
    def test_rule_breaks_are_flagged_and_counted_as_they_lie(self):
        stars = ARIES | {"ar4": "red"}
        score = scored(Game((player(stars=stars),), "full", values=Values(colours=("red",))))
        assert lines(score, "colour") == [("red", 12, "4 × 3")]
        (reported,) = (line.explanation for line in score.lines if line.category == "colour")
        assert reported == "4 stars × 3 points"
        assert reported.in_language("cs") == "4 hvězdy × 3 body"
        flags = [flag.to_data() for flag in score.flags]
        assert {"kind": "same_colour_link", "spaces": ["ar1", "ar4"]} in flags

    def test_flags_of_the_reading_come_along_once(self):
        uncertain = Flag("uncertain", ("ar3",), {"alternatives": {"red": 0.5}})
        seen = Flag("same_colour_link", ("core", "ar1"))
        ana = Player("Ana", photo="ana.jpg")
        read = ana.with_galaxy(Galaxy({"core": "red", "ar1": "red"}), (uncertain, seen))
        kinds = [flag.kind for flag in scored(Game((read,), "intro")).flags]
        assert kinds == ["uncertain", "same_colour_link"]

    def test_more_stars_at_the_table_than_in_the_game(self):
        ten = dict.fromkeys(STANDARD_BOARD.spaces[:11], "red")
        game = Game((player(stars=ten), player("Eva", stars=ten), player("Luis")), "intro")
        for who, expected in enumerate([True, True, False]):
            kinds = [flag.kind for flag in scored(game, who).flags]
            assert ("too_many" in kinds) is expected

    def test_more_black_stars_at_the_table_than_in_the_bag(self):
        def kinds(*blacks):
            players = tuple(player(f"P{i}", black=black) for i, black in enumerate(blacks))
            return [flag.kind for flag in scored(Game(players, "intro")).flags]

        assert kinds(5, 5, 5, 5) == []
        assert kinds(6, 5, 5, 5) == ["too_many"]
        assert kinds(10, 10, 5) == []
        assert kinds(10, 10, 6) == ["too_many"]

    def test_a_photo_not_read_yet_cannot_be_scored(self):
        with pytest.raises(NotReadError, match=r"Eva \(eva.jpg\)"):
            score_game(Game((player(), Player("Eva", photo="eva.jpg"))))


class TestRanking:
    def ranking(self, *players):
        return score_game(Game(players, "intro")).ranking

    def test_most_points_win(self):
        assert self.ranking(player("Ana", black=1), player("Eva", black=9)) == (("Eva",), ("Ana",))

    def test_a_tie_goes_to_more_black_stars(self):
        # 6 points each: a constellation, or four black stars
        ana, eva = player("Ana", ARIES), player("Eva", black=4)
        assert self.ranking(ana, eva) == (("Eva",), ("Ana",))

    def test_a_tie_in_both_is_shared(self):
        three = player("Ana", black=2), player("Luis", black=9), player("Eva", black=2)
        assert self.ranking(*three) == (("Luis",), ("Ana", "Eva"))


class TestScoreObject:
    def data(self, language="en"):
        ana = player(stars=ARIES, black=4, personal="O19")
        eva = player("Eva", {"core": "red", "ar1": "red"}, personal="O1", career={"V1": "later"})
        values = Values(("red", "blue"), ("aries",), ("I",))
        return score_game(Game((ana, eva), "full", ("V1",), ("B16",), values)).to_data(language)

    def test_it_is_what_interfaces_promise(self):
        data = self.data()
        assert (data["format"], data["game"], data["mode"]) == (1, "nebula", "full")
        assert data["ranking"] == [["Ana"], ["Eva"]]
        ana, eva = data["players"]
        assert set(ana) >= {"name", "total", "provisional", "black", "lines", "proposed", "flags"}
        assert ana["total"] == sum(line["points"] for line in ana["lines"])
        assert ana["proposed"] == ["V1"] and ana["provisional"]
        assert eva["flags"] == [{"kind": "same_colour_link", "spaces": ["core", "ar1"]}]
        for line in ana["lines"] + eva["lines"]:
            assert {"category", "points", "calculation", "spaces"} <= set(line)
        assert json.loads(json.dumps(data)) == data

    def test_calculations_in_the_players_language(self):
        spanish = self.data("es")["players"][0]["lines"]
        czech = self.data("cs")["players"][0]["lines"]
        assert spanish[0]["calculation"] == "4 Estrellas Negras, más que nadie en la mesa"
        assert czech[0]["calculation"] == "4 černé díry, nejvíc u stolu"
        assert czech[1]["calculation"] == "navrženo"

    def test_a_score_can_be_copied(self):
        score = score_game(Game((player(),), "intro"))
        assert copy.deepcopy(score).to_data() == score.to_data()


class TestEditions:
    def test_the_known_numbers(self):
        edition = load_edition("standard")
        assert edition.personal == 14
        assert edition.constellation_places == (14, 12, 10)
        assert edition.finished_constellation == 6
        assert (edition.colour_places, edition.advanced_places) == ((3, 2, 1), (4, 3, 2))
        assert edition.indicator_highlighted[0] == 6

    def test_an_owner_renumbers_cards(self):
        own = edition_from_data(
            {"extends": "standard", "cards": {"V10": "V12", "V12": "V10", "V7": {"orbit": 1}}},
            "own",
        )
        assert own.cards["V10"].parameters == {"colour": "orange"}
        assert own.cards["V10"].id == "V10"
        assert own.cards["V7"].parameters == {"orbit": 1}
        orbit_1 = dict(
            zip(("ar1", "ta1", "ge1", "ca1"), ("red", "blue", "red", "white"), strict=True)
        )
        game = Game((player(stars=orbit_1),), "intro", ("V7",), edition=own)
        assert scored(game).lines[0].progress == 0.75

    def test_an_own_career_pair_and_track(self):
        own = edition_from_data(
            {
                "extends": "standard",
                "career": {"cards": {"V1": [20, 5]}},
                "black_track": {"points": [1, 3], "full": 9},
            },
            "own",
        )
        game = Game((player(stars=ARIES, black=2),), "intro", ("V1",), edition=own)
        assert lines(scored(game), "career") == [("V1", 5, "proposed")]
        assert lines(scored(game), "black") == [(9, "2 of 2")]

    @pytest.mark.parametrize(
        ("change", "key", "reason"),
        [
            ({"personal": "14"}, "personal", "must be a whole number, not '14'"),
            ({"personal": -1}, "personal", "must be 0 or more, not -1"),
            ({"colours": [3, 2]}, "colours", "must be three numbers"),
            ({"career": {"points": [16]}}, "career.points", "must be two numbers"),
            ({"career": {"cards": {"O1": [1, 2]}}}, "career.cards.O1", "is not a career card"),
            ({"black_track": {"points": []}}, "black_track.points", "printed on the track"),
            ({"cards": {"V1": "B1"}}, "cards.V1", "B1 is not a card of that deck"),
            ({"cards": {"V7": {"orbit": 9}}}, "cards.V7.orbit", "9 is not possible here"),
            ({"cards": {"V7": {"needed": 5}}}, "cards.V7.needed", "no card has this parameter"),
            ({"cards": {"V7": {"colour": "red"}}}, "cards.V7", "does not take these parameters"),
            ({"cards": {"V7": {"family": "tower"}}}, "cards.V7.family", "is not a family of cards"),
            ({"cards": {"V7": 1}}, "cards.V7", "must be a card's number, or its parameters"),
            ({"extends": "pocket"}, "extends", "must be standard"),
            ({"cards": {"X9": "V1"}}, "cards.X9", "not a card of that deck"),
        ],
    )
    def test_a_mistake_in_an_edition_is_reported(self, change, key, reason):
        with pytest.raises(EditionError) as error:
            edition_from_data({"extends": "standard", **change}, "own")
        assert reason in dict(error.value.problems)[key]

    def test_an_edition_lacking_keys_names_each(self):
        with pytest.raises(EditionError) as error:
            edition_from_data({"name": "Mine"}, "own")
        assert ("personal", "missing") in error.value.problems
        with pytest.raises(EditionError, match="keys and values"):
            edition_from_data(["standard"], "own")

    def test_an_edition_that_is_not_there(self, tmp_path):
        with pytest.raises(EditionError, match="pocket is not known"):
            load_edition("pocket")
        with pytest.raises(EditionError, match="cannot be opened"):
            load_edition(tmp_path / "own.yaml")
