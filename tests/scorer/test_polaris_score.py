"""Scoring phases and the final score: the rulebook's examples, P50 to P59, P70 to P77, ties."""

import json
from itertools import pairwise

import pytest

from scorer.flags import Flag
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.edition import load_edition
from scorer.polaris.game import Game, Phase, Player, Snapshot
from scorer.polaris.phases import score_phase
from scorer.polaris.score import NotReadError, score_game
from scorer.polaris.sky import Sky
from scorer.polaris.words import NEUTRAL
from scorer.scoresheet import Line

STANDARD = load_edition("standard")
EMPTY = Snapshot(Sky({}))


def sky(red: str = "", links: str = "", **others: str) -> Sky:
    stars = dict.fromkeys(red.split(), "red")
    for colour, spaces in others.items():
        stars |= dict.fromkeys(spaces.split(), colour)
    return Sky(stars, tuple(links.split()))


def scored(end: Sky, *phases: Phase, **player) -> list[Line]:
    """The lines of a red player Ana, against a blue one."""
    ana = Player("Ana", "red", **{"shooting": 0, "personal": "PO1"} | player)
    eva = Player("Eva", "blue", 0, "PO2", 0)
    return list(score_game(Game((ana, eva), Snapshot(end), phases)).players[0].lines)


def points(lines: list[Line], category: str) -> list[int]:
    return [line.points for line in lines if line.category == category]


class TestTheRulebooksExamples:
    def test_a_phase(self):
        """5, 1, 2 and 6 stars in the sector; Carl has the telescope; María Teresa has most."""
        inner = [s for s in STANDARD_SKY.sectors[2] if s not in STANDARD_SKY.red]
        carl, jocelyn, neil = inner[:5], inner[5:6], inner[6:8]
        teresa = [*inner[8:11], "1r1", "1r2", "2r4"]
        of = {"Carl": "red", "Jocelyn": "blue", "Neil": "yellow", "María Teresa": "purple"}
        stars = dict.fromkeys(carl, of["Carl"]) | dict.fromkeys(jocelyn, of["Jocelyn"])
        stars |= dict.fromkeys(neil, of["Neil"]) | dict.fromkeys(teresa, of["María Teresa"])
        found = score_phase(Sky(stars), "C2", "Carl", of, STANDARD)
        moves = {name: (one.telescope, one.tier, one.bonus) for name, one in found.items()}
        assert moves == {
            "Carl": (2, 3, 0),
            "Jocelyn": (0, -2, 0),
            "Neil": (0, 1, 0),
            "María Teresa": (0, 6, 3),
        }

    def test_the_final_score_of_46(self):
        lonely = "5c4"  # A
        three = "3c1 3c2 3r2", "3c1-3c2 3c2-3r2"  # B
        row_of_five = "2a3-2b3 2b3-2c3 2c3-2r3 2r3-3a3 2a3-2a4"
        six = "2a3 2b3 2c3 2r3 3a3 2a4", row_of_five  # C: the row lies twice, over the same stars
        column = "1b1-1b2 1b2-1b3 1b3-1b4 polaris-1b1 polaris-4b1 4a1-4b1"
        seven = "1b1 1b2 1b3 1b4 4b1 4a1", column  # D: through Polaris and with it
        stars, links = zip(three, six, seven, strict=True)
        end = sky(" ".join([lonely, *stars]), " ".join(links))
        lines = scored(end, marker=21, shooting=5, personal="PO1")
        assert points(lines, "marker") == [21]
        assert points(lines, "lonely") == [-2]
        assert sorted(points(lines, "constellation")) == [2, 7, 10]
        assert points(lines, "personal") == [6]
        assert points(lines, "shooting") == [2]
        assert sum(line.points for line in lines) == 46


class TestP53AndP54:
    def moves(self, end: Sky, card: str, telescope: str = "Eva") -> dict[str, tuple]:
        colours = {"Ana": "red", "Eva": "blue", "Luis": "yellow"}
        found = score_phase(end, card, telescope, colours, STANDARD)
        return {name: (one.telescope, one.tier, one.bonus) for name, one in found.items()}

    def test_the_bonus_goes_by_the_count_and_not_by_the_tier(self):
        found = self.moves(sky("1a1 1b1 1c1", blue="1a2 1b2"), "C1")
        assert found == {"Ana": (0, 1, 3), "Eva": (2, 1, 0), "Luis": (0, -2, 0)}

    def test_all_who_are_tied_have_it(self):
        found = self.moves(sky("1a1 1b1", blue="1a2 1b2"), "C1")
        assert [own[2] for own in found.values()] == [3, 3, 0]

    def test_a_count_of_1_has_it_beside_its_tier_of_minus_2(self):
        assert self.moves(sky("1a1"), "C1")["Ana"] == (0, -2, 3)

    def test_nobody_has_it_where_the_greatest_count_is_0(self):
        assert [own[1:] for own in self.moves(sky("2a1"), "C1").values()] == [(-2, 0)] * 3

    @pytest.mark.parametrize(
        ("card", "first", "second"),
        [
            ("C13", "1a1 2a1 3a1", "1a2 2a2"),  # P65: orbits with 3 or more
            ("C14", "1a1 1b1 1c1", "2a1 2b1"),  # P66: sectors with 3 or more
        ],
    )
    def test_a_tie_is_broken_where_the_card_says_how(self, card, first, second):
        assert [o[2] for o in self.moves(sky(first, blue=second), card).values()] == [3, 0, 0]
        even = sky(" ".join(first.split()[:2]), blue=second)
        assert [own[2] for own in self.moves(even, card).values()] == [3, 3, 0]

    def test_p67_of_surrounded_stars_those_with_4_links_break_it(self):
        by_four = "1b2-1b3 1b1-1b2 1a2-1b2 1b2-1c2"
        by_three = "3c4-3r4 3r4-4a4 3r3-3r4"
        links = f"{by_four} {by_three}"
        found = self.moves(sky("1b2", links, blue="3r4"), "C15")
        assert [own[2] for own in found.values()] == [3, 0, 0]


class TestP55TheFloor:
    def test_a_marker_never_goes_below_0_and_each_step_counts_for_itself(self):
        """From 5: three times −2 lead to 3, 1 and 0; then −2 and +3 to 3, not to 1."""
        none, one = Snapshot(sky()), Snapshot(sky("4a1"))
        phases = [Phase(card, "Eva", none) for card in ("C1", "C2", "C3")]
        lines = scored(sky("4a1"), *phases, Phase("C4", "Eva", one))
        assert points(lines, "start") == [5]
        assert points(lines, "phase") == [-2, -2, -1, 3]
        assert lines[3].calculation == "0 stars −2, not below 0"
        assert lines[4].calculation == "1 star −2, most +3, not below 0"

    def test_the_telescope_comes_before_the_tier(self):
        none = Snapshot(sky())
        phases = [Phase(f"C{n}", "Eva", none) for n in (1, 2, 3)] + [Phase("C4", "Ana", none)]
        assert points(scored(sky(), *phases), "phase") == [-2, -2, -1, 0]

    def test_a_line_of_a_phase_says_how_it_came(self):
        five = Snapshot(sky("2a1 2a2 2a3 2a4 2b4", blue="1a1"))
        line = scored(sky(), Phase("C2", "Ana", five))[1]
        assert line.to_data() == {
            "category": "phase",
            "phase": 1,
            "card": "C2",
            "count": 5,
            "telescope": 2,
            "tier": 3,
            "bonus": 3,
            "points": 8,
            "calculation": "telescope +2, 5 stars +3, most +3",
            "spaces": ["2a1", "2a2", "2a3", "2a4", "2b4"],
            "progress": 0.625,
            "missing": list(line.missing),
        }
        assert line.calculation.in_language("cs") == "dalekohled +2, 5 hvězd +3, nejvíc +3"


class TestP56TheLap:
    def test_five_great_phases_take_the_marker_past_60(self):
        everything = sky(" ".join(STANDARD_SKY.star_spaces[:35]))
        cards = ("C1", "C2", "C3", "C6", "C7")
        lines = scored(everything, *(Phase(c, "Ana", Snapshot(everything)) for c in cards))
        assert sum(points(lines, "start") + points(lines, "phase")) == 5 + 5 * (2 + 10 + 3)


class TestP70ToP76:
    def test_p70_lonely_stars(self):
        lines = scored(sky("1a1 2a1 3a1", blue="4a1"), marker=0)
        (line,) = [line for line in lines if line.category == "lonely"]
        assert (line.points, line.spaces) == (-6, ("1a1", "2a1", "3a1"))

    @pytest.mark.parametrize(
        ("stars", "worth"), [(2, 0), (3, 2), (4, 3), (5, 5), (6, 7), (7, 10), (8, 10), (15, 10)]
    )
    def test_p71_constellations_by_their_size(self, stars, worth):
        row = STANDARD_SKY.orbits[2][:stars]
        end = sky(" ".join(row), " ".join(f"{a}-{b}" for a, b in pairwise(row)))
        (line,) = [line for line in scored(end, marker=0) if line.category == "constellation"]
        assert (line.points, line.spaces, len(line.links)) == (worth, row, stars - 1)

    def test_p41_polaris_counts_as_a_star_and_is_named(self):
        end = sky("1b1 3b1 2a2 2b2", "polaris-1b1 polaris-3b1 2a2-2b2")
        own = [line for line in scored(end, marker=0) if line.category == "constellation"]
        told = {(line.points, str(line.explanation)) for line in own}
        assert told == {(2, "constellation of 3, Polaris counted"), (0, "constellation of 2")}

    @pytest.mark.parametrize(("times", "worth"), [(0, 0), (1, 3), (2, 6), (3, 10), (4, 15)])
    def test_p74_patterns(self, times, worth):
        row = STANDARD_SKY.orbits[2][: 4 * times]
        end = sky(" ".join(row), " ".join(f"{a}-{b}" for a, b in pairwise(row)))
        (line,) = [line for line in scored(end, marker=0) if line.category == "personal"]
        assert (line.points, line.subject["card"], len(line.spaces)) == (worth, "PO1", 4 * times)

    @pytest.mark.parametrize(("shooting", "worth"), [(0, 0), (1, 0), (2, 1), (5, 2), (9, 4)])
    def test_p75_shooting_stars(self, shooting, worth):
        assert points(scored(sky(), marker=0, shooting=shooting), "shooting") == [worth]

    def test_p77_the_total_has_no_floor(self):
        lines = scored(sky("1a1 2a1"), marker=1)
        assert sum(line.points for line in lines) == -3


class TestRanking:
    def ranking(self, *markers: int):
        names, colours = ("Ana", "Eva", "Luis", "José"), ("red", "blue", "yellow", "purple")
        players = tuple(
            Player(name, colour, 0, f"PO{place}", marker)
            for place, (name, colour, marker) in enumerate(
                zip(names, colours, markers, strict=False), start=1
            )
        )
        return score_game(Game(players, EMPTY))

    def test_most_points_and_ties_share_the_place(self):
        score = self.ranking(20, 30, 20, 7)
        assert score.ranking == (("Eva",), ("Ana", "Luis"), ("José",))
        assert score.tie_break("Ana") == "the same points: the place is shared"
        assert score.tie_break("Eva") == ""

    def test_the_score_as_data(self):
        data = json.loads(json.dumps(self.ranking(20, 30).to_data()))
        assert data["ranking"] == [["Eva"], ["Ana"]]
        assert (data["format"], data["game"]) == (1, "polaris")
        categories = [line["category"] for line in data["players"][0]["lines"]]
        assert categories == ["marker", "lonely", "personal", "shooting"]
        assert sum(line["points"] for line in data["players"][0]["lines"]) == 20


class TestMissingInformation:
    def kinds(self, *phases: Phase, **player) -> tuple[list[str], bool]:
        ana = Player("Ana", "red", **player)
        score = score_game(Game((ana, Player("Eva", "blue")), EMPTY, phases)).players[0]
        return [flag.kind for flag in score.flags], score.provisional

    def test_a_total_is_provisional_until_everything_is_entered(self):
        assert self.kinds() == (["no_marker", "no_personal", "no_shooting"], True)
        assert self.kinds(marker=7, personal="PO1") == (["no_shooting"], True)
        assert self.kinds(marker=7, personal="PO1", shooting=0) == ([], False)

    def test_the_hint_lists_what_is_not_entered_yet(self):
        ana, eva = Player("Ana", "red", 0, "PO1", 7), Player("Eva", "blue", marker=7)
        reported, incomplete = score_game(Game((ana, eva), EMPTY)).players
        assert reported.hint == ""
        missing = "the personal objective, the shooting stars left over"
        assert incomplete.hint == f"not entered yet: {missing}"
        assert incomplete.flags[0].reason.in_language("es") == "no se ha dicho el Objetivo Personal"

    def test_all_five_phases_tell_the_marker(self):
        phases = [Phase(f"C{number}", "Ana", EMPTY) for number in range(1, 6)]
        reported = {"personal": "PO1", "shooting": 0}
        assert self.kinds(*phases, **reported) == ([], False)
        assert self.kinds(*phases[:4], **reported) == (["no_marker"], True)

    def test_a_typed_marker_is_believed_and_compared(self):
        phases = [Phase(f"C{number}", "Eva", EMPTY) for number in range(1, 6)]
        reported = {"personal": "PO1", "shooting": 0}
        assert self.kinds(*phases, marker=0, **reported) == ([], False)
        assert self.kinds(*phases, marker=9, **reported) == (["marker_differs"], False)
        assert points(scored(sky(), *phases, marker=9), "marker") == [9]
        assert points(scored(sky(), *phases, marker=9), "phase") == []

    def test_one_personal_card_with_two_players_is_flagged(self):
        players = (Player("Ana", "red", 0, "PO1", 0), Player("Eva", "blue", 0, "PO1", 0))
        assert (
            Flag("same_personal", more={"rule": "P15", "card": "PO1"})
            in score_game(Game(players, EMPTY)).players[0].flags
        )


class TestTheSky:
    players = (Player("Ana", "red", 0, "PO1", 0), Player("Eva", "blue", 0, "PO2", 0))
    neutral = dict.fromkeys(STANDARD_SKY.starred, NEUTRAL)

    def flags(self, *skies: Sky, **player) -> list[tuple]:
        phases = [Phase(f"C{n}", "Ana", Snapshot(one)) for n, one in enumerate(skies[:-1], 1)]
        score = score_game(Game(self.players, Snapshot(skies[-1]), tuple(phases)))
        return [(flag.kind, flag.more.get("phase")) for flag in score.flags]

    def test_rules_that_it_breaks_are_flagged_and_the_score_counted_all_the_same(self):
        assert self.flags(Sky(self.neutral)) == []
        assert self.flags(Sky(self.neutral | {"1c1": "red"})) == [("closed_space", None)]

    def test_what_lay_at_a_phase_still_lies_at_the_next(self):
        before, after = Sky(self.neutral | {"1a1": "red"}), Sky(self.neutral)
        assert self.flags(after, before, before) == []
        assert self.flags(before, after, before) == [("taken_away", 2)]
        assert self.flags(before, after) == [("taken_away", None)]

    def test_the_fifth_phase_is_the_end(self):
        bad = Sky(self.neutral | {"1c1": "red"})
        assert self.flags(*[bad] * 6)[-1] == ("closed_space", None)
        assert len(self.flags(*[bad] * 6)) == 5
        phases = tuple(Phase(f"C{n}", "Ana", Snapshot(Sky({}))) for n in range(1, 5))
        six = Snapshot(sky("2a1 2a2 2a3 2a4 2b1 2b2"))
        last = Phase("C15", "Ana", six)
        reported = Player("Ana", "red", 0, "PO1")
        whole = Game((reported, self.players[1]), Snapshot(), (*phases, last))
        other = Game((reported, self.players[1]), six, (*phases, Phase("C15", "Ana")))
        assert score_game(whole) == score_game(other)
        assert score_game(whole).players[0].lines[6].points == -12, "six lonely stars"

    def test_what_a_reading_drew_attention_to_is_kept(self):
        flag = Flag("uncertain", ("1a1",), {"alternatives": {"red": 0.6}})
        phase = Phase("C1", "Ana", Snapshot(Sky(self.neutral), "one.jpg", (flag,)))
        score = score_game(Game(self.players, Snapshot(Sky(self.neutral)), (phase,)))
        assert score.to_data()["flags"] == [
            {"kind": "uncertain", "spaces": ["1a1"], "alternatives": {"red": 0.6}, "phase": 1}
        ]

    def moons(self, *moons: int | None, end: int | None = None) -> list[tuple]:
        skies = [Sky(self.neutral, new_moon=moon) for moon in (*moons, end)]
        phases = [Phase(f"C{n}", "Ana", Snapshot(one)) for n, one in enumerate(skies[:-1], 1)]
        flags = score_game(Game(self.players, Snapshot(skies[-1]), tuple(phases))).to_data()[
            "flags"
        ]
        assert {(flag["kind"], flag["rule"]) for flag in flags} <= {("moon_elsewhere", "P57")}
        return [(flag.get("phase"), flag["sector"], flag["due"]) for flag in flags]

    def test_p57_the_moon_goes_on_by_one_sector(self):
        assert self.moons(4, 5, 1, 2, 3, end=3) == self.moons(None, 5) == []
        assert self.moons(4, 5, 5, 2, 3) == [(3, 5, 1)], "most of them say where it began"
        assert self.moons(1, 1) == [(2, 1, 2)], "of as many, the first"
        assert self.moons(1, None, 4) == [(3, 4, 3)], "across a phase whose moon nobody knows"
        assert self.moons(1, 2, 3, 4, 5, end=4) == [(None, 4, 5)], "the fifth phase is the end"

    def test_p57_after_the_fifth_phase_nothing_more_comes(self):
        fifth = Sky(self.neutral | {"1a1": "red"})
        more = Sky({**fifth.stars, "1b1": "red"}, ("1a1-1b1",))
        assert self.flags(*[fifth] * 5, more) == [("came_after", None)]
        assert self.flags(*[fifth] * 4, more) == [], "the fifth phase's own sky"
        phases = tuple(Phase(f"C{n}", "Ana", Snapshot(fifth)) for n in range(1, 6))
        (flag,) = score_game(Game(self.players, Snapshot(more), phases)).flags
        assert (flag.more["rule"], flag.places) == ("P57", ("1b1", "1a1-1b1"))
        reported = "the fifth phase ends the game, and 2 stars and links came after it"
        assert str(flag.reason) == reported

    def test_a_flag_of_a_phase_says_which_in_words_too(self):
        phase = Phase("C1", "Ana", Snapshot(Sky(self.neutral | {"1c1": "red"})))
        later = Sky(self.neutral | {"1c1": "red"})
        own, end = score_game(Game(self.players, Snapshot(later), (phase,))).flags
        assert str(own.reason) == f"phase 1: {end.reason}"
        assert own.reason.in_language("cs") == f"fáze 1: {end.reason.in_language('cs')}"

    def test_p14_of_two_players_no_star_space_that_is_closed_is_missing_to_anyone(self):
        end = sky("1b1")
        for card in ("C1", "C6", "C13", "C14"):
            of_two = score_phase(end, card, None, {"Ana": "red", "Eva": "blue"}, STANDARD)
            of_three = score_phase(
                end, card, None, {"A": "red", "B": "blue", "C": "purple"}, STANDARD
            )
            two, three = of_two["Ana"].result.missing, of_three["A"].result.missing
            assert set(three) - set(two) == set(three) & set(STANDARD_SKY.starred) != set()

    def test_p48_more_than_40_shooting_stars_at_a_table(self):
        players = (Player("Ana", "red", 21, "PO1", 0), Player("Eva", "blue", 20, "PO2", 0))
        score = score_game(Game(players, Snapshot(Sky(self.neutral))))
        assert [flag.kind for flag in score.flags] == ["too_many_shooting"]

    def test_a_photograph_that_is_not_read_cannot_be_scored(self):
        game = Game(self.players, Snapshot(photo="sky.jpg"), (Phase("C1", "Ana", EMPTY),))
        with pytest.raises(NotReadError, match="not read yet: sky"):
            score_game(game)
        assert score_game(game.with_sky(Sky({}))).ranking


def test_the_line_of_lonely_stars_lists_their_sectors() -> None:
    stars = {"1b1": "red", "2r3": "red", "4b2": "blue"}
    players = (Player("Ana", "red", 0, "PO1", 21), Player("Eva", "blue", 0, "PO2", 19))
    ana, eva = score_game(Game(players, Snapshot(Sky(stars)))).players
    assert [str(one.lines[1].calculation) for one in (ana, eva)] == [
        "2 lonely stars (by sector: 1, 2/3)",
        "1 lonely star (by sector: 4)",
    ]
