"""One sky for all, followed live: turns, broken rules, the frame, five phases, the score."""

import re

from scorer.polaris.game_file import game_from_data
from scorer.polaris.score import score_game
from tests.webapp.conftest import Player, game_at, players_form, totals
from tests.webapp.live.conftest import SkyTable, Table, eventually, push_until_taken
from tests.webapp.live.fake_frame_worker import frame
from tests.webapp.live.test_pages import changes
from tests.webapp.polaris_skies import CARDS, COLOURS, NAMES


def points(page: str) -> list[int]:
    shown = re.findall(r'class="count">(−?\d+)<', page)
    return [int(text.replace("−", "-")) for text in shown]


ADDED = [
    ["1b1=red", "1b1-1b2", "3a1=blue"],
    ["1b2=red", "2r3=yellow"],
    ["polaris-1b1", "4c2=purple"],
    ["1c2=red", "1b2-1c2"],
    ["3b1=blue", "3a1-3b1"],
]
"""What is laid in each phase."""


def test_from_the_new_game_through_five_phases_to_the_score(sky: SkyTable) -> None:
    assert "Which sector does the new moon face?" in sky.page()
    sky.face(1)
    for number, pieces in enumerate(ADDED):
        sky.lay(*pieces)
        if number == 4:
            break
        sky.face(number + 2)
        page = sky.page()
        assert f"Phase {number + 1} is over: who had the telescope?" in page
        assert sky.tap("entries", kind="telescope", phase=number, seat=number % 4) == 204
        page = sky.page()
        assert "who had the telescope?" not in page
        assert f"had the telescope in phase {number + 1}" in page
    markers = points(sky.page())
    answer = sky.player.post(f"{sky.game}/live/finish")
    assert answer.headers["Location"] == f"{sky.game}/players/0/review"
    together = sky.player.get(answer.headers["Location"]).text
    assert "All boards are right" in together and together.count('class="galaxy small"') == 5
    answer = sky.confirm_boards(5)
    assert answer.headers["Location"] == f"{sky.game}/polaris/players/0/objective"
    for seat in range(4):
        answer = sky.player.post(
            f"{sky.game}/polaris/players/{seat}/objective", {"card": f"PO{seat + 1}"}
        )
    assert answer.headers["Location"] == f"{sky.game}/polaris/telescopes", (
        "the last one is told now"
    )
    reported = {f"telescope-{phase}": str(phase % 4) for phase in range(5)}
    assert 'value="1" checked' in sky.player.get(f"{sky.game}/polaris/telescopes").text
    assert (
        sky.player.post(f"{sky.game}/polaris/telescopes", reported)
        .headers["Location"]
        .endswith("/stock")
    )
    left = {f"shooting-{seat}": str(seat) for seat in range(4)}
    assert sky.player.post(f"{sky.game}/polaris/stock", left).headers["Location"].endswith("/score")
    lain: list[str] = []
    phases = []
    for number, pieces in enumerate(ADDED):
        lain += pieces
        stars = dict(one.split("=") for one in lain if "=" in one)
        links = [one.split("-") for one in lain if "=" not in one]
        had = NAMES[number % 4]
        phases.append({"card": CARDS[number], "telescope": had, "stars": stars, "links": links})
    counted = score_game(
        game_from_data(
            {
                "game": "polaris",
                "players": [
                    {"name": name, "colour": colour, "personal": f"PO{n + 1}", "shooting": n}
                    for n, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
                ],
                "phases": phases,
            }
        )
    )
    assert markers == [
        sum(line.points for line in player.lines if line.subject.get("phase", 5) < 5)
        + next(line.points for line in player.lines if line.category == "start")
        for player in counted.players
    ]
    assert totals(sky.player.get(f"{sky.game}/score").text) == sorted(
        (player.total for player in counted.players), reverse=True
    )


def test_whose_turn_it_is_and_what_it_laid(sky: SkyTable) -> None:
    sky.face(1)
    assert "Nothing has been placed in this turn yet." in sky.page()
    sky.lay("2b1=red", "2b2=red", "2b1-2b2")
    page = sky.page()
    assert "<b>Ana</b>" in page and "2b1, 2b2, 2b1-2b2 · crescent moon" in page
    assert 'data-light="2b1 2b2 2b1-2b2"' in page
    assert sky.tap("entries", kind="turn") == 204
    assert "Nothing has been placed in this turn yet." in sky.page()
    sky.lay("3b1=yellow")
    assert "<b>Luis</b>" in sky.page() and 'class="ask wrong"' not in sky.page()


def test_a_rule_that_a_turn_breaks_is_reported_with_its_place_and_put_right(sky: SkyTable) -> None:
    sky.lay("1a1=red", "3a1=red")
    page = sky.page()
    assert "placed in no single sector: a space " in page.lower() and "<b>Ana:</b>" in page
    assert len(re.findall(r'class="space taken broken" data-space="[13]a1"', page)) == 2
    (reported,) = [one["data"]["alerts"] for one in changes(sky, 2)][1:]
    assert [one["kind"] for one in reported if one["kind"] == "break"] == ["break"]
    number = sky.service.log.last(sky.id)
    assert sky.tap(f"entries/{number}", what="instead", space="1b1") == 204
    assert 'class="ask wrong"' not in sky.page() and set(sky.stars()) == {"1a1", "1b1"}
    sky.tap("entries", kind="turn")
    sky.lay("2b1=yellow")
    sky.see(kind="removed", space="1a1", was="red")
    assert "may be moved or taken away, but this was: a space " in sky.page().lower()
    assert sky.tap("entries", kind="leave", broken="taken_away 1a1") == 204
    page = sky.page()
    assert 'class="ask wrong"' not in page and "A broken rule is accepted" in page
    assert sky.tap("entries", kind="leave", broken="taken_away 5a1") == 422
    sky.lay("3c3=yellow")
    assert 'class="ask wrong"' not in sky.page(), "the turn that broke it is over"
    sky.lay("1c1=yellow")
    assert 'class="ask wrong"' in sky.page(), "two sectors again"
    assert sky.tap("entries", kind="leave", broken="two_sectors 1a1") == 422, "no break is there"


def test_a_frame_that_is_turned_too_far_can_be_left_so(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1a1=red")
    sky.face(3)
    page = sky.page()
    assert 'class="ask wrong"' in page
    (broken,) = re.findall(r'name="broken" value="([^"]*)"', page)
    assert sky.tap("entries", kind="leave", broken=broken) == 204
    assert 'class="ask wrong"' not in sky.page()


def test_what_every_objective_counts_and_what_is_missing(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1a3=red", "1b3=red", "2b3=blue")  # C8: stars in orbit 3
    row = re.search(r'id="progress-C8-0".*?</button>', sky.page(), re.DOTALL)
    assert "2 more stars for 2 points more" in row[0] and "most" in row[0] and "<b>+1</b>" in row[0]
    assert 'data-light="1a3 1b3"' in row[0]
    reported = [alert for one in changes(sky, 3) for alert in one["data"]["alerts"]]
    assert "Ana, Stars in orbit 3: 1 point now" in [one["say"] for one in reported]


def test_a_phase_ends_by_a_tap_and_the_time_line_takes_it_back(sky: SkyTable) -> None:
    assert sky.tap("star", seat=0, space="2", star="new_moon") == 204
    sky.lay("1a3=red")
    assert 'name="space" value="3"' in sky.page()
    assert sky.tap("star", seat=0, space="3", star="new_moon") == 204
    page = sky.page()
    assert "Phase 1 is over" in page and "The new moon faces sector 3" in page
    assert sky.tap(f"entries/{sky.service.log.last(sky.id)}", what="nothing") == 204
    assert "is over: who" not in sky.page()
    assert (
        sky.tap("star", seat=0, space="9", star="new_moon") == 422
        and sky.tap("entries", kind="telescope", phase=5, seat=0) == 422
    )


def test_a_link_is_corrected_by_a_tap_and_the_camera_hears_it(sky: SkyTable) -> None:
    push_until_taken(sky, frame({0: {"1b1": "red", "1b1-1b2": "link"}}))
    eventually(lambda: sky.stars() == {"1b1": "red"})
    eventually(lambda: 'class="space edge taken" data-space="1b1-1b2"' in sky.page())
    assert sky.tap("star", seat=0, space="1b1-1b2", star="") == 204
    assert 'class="space edge taken"' not in sky.page()
    assert sky.tap("star", seat=1, space="1b1-1b2", star="link") == 422, "there is one board"
    push_until_taken(sky, frame({0: {"1b1": "red", "1b1-1b2": "link", "1b2": "red"}}))
    eventually(lambda: set(sky.stars()) == {"1b1", "1b2"})
    assert 'class="space edge taken"' not in sky.page(), "its eye errs as before"


def test_a_personal_card_is_counted_for_its_owners_eyes_alone(sky: SkyTable) -> None:
    sky.lay("1a1=red", "1b1=red", "1c1=red", "1r1=red", "1a1-1b1", "1b1-1c1", "1c1-1r1")
    assert sky.tap("personal", seat=0, card="PO1") == 204
    mine = sky.page("?mine=0")
    box = re.search(r'id="secret".*?</section>', mine, re.DOTALL)
    assert box is not None and "the pattern 1 time" in box[0] and "<b>+3</b>" in box[0]
    assert "once more for 3 points more" in box[0]
    assert 'data-light="1a1 1b1 1c1 1r1 1a1-1b1 1b1-1c1 1c1-1r1"' in box[0]
    assert 'id="choose-personal"' in sky.page("?mine=1") and 'id="secret"' not in sky.page()
    other = Player(sky.app.test_client())
    seen = other.get(f"{sky.game}/live/table?mine=0").text
    assert "The card is hidden until the score is counted" in seen and "the pattern" not in seen
    answer = other.post(f"{sky.game}/live/personal", {"seat": 0, "card": "PO2"})
    assert answer.status_code == 403
    assert sky.tap("personal", seat=0, card="V1") == 422
    sky.player.post(f"{sky.game}/live/finish")
    assert "personal-0" in sky.document()["confirmed"], "it is laid open"
    assert "personal-1" not in sky.document()["confirmed"]


def test_every_moment_can_be_scored(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1b1=red")
    sky.face(2)
    sky.lay("2b1=yellow", "3b1=blue")
    page = sky.page("?at=4")
    assert "Score this moment" in page and "<b>Luis</b>" in page
    answer = sky.player.post(f"{sky.game}/live/finish", {"at": 4})
    assert answer.headers["Location"] == f"{sky.game}/photographs"
    boards = sky.document()["boards"]
    assert [board["stars"] for board in boards if board["board"]] == [
        {"1b1": "red"},
        {"1b1": "red", "2b1": "yellow"},
    ]
    page = sky.player.get(f"{sky.game}/photographs").text
    assert "Not seen on the table: Phase 2, Phase 3, Phase 4." in page
    sky.player.post(f"{sky.game}/undo")
    assert sky.player.get(sky.game).headers["Location"] == f"{sky.game}/live"


def test_boards_that_the_game_has_otherwise_are_asked_about_by_their_phases(sky: SkyTable) -> None:
    sky.player.post(f"{sky.game}/photographs/players/0/hand")
    sky.player.post(f"{sky.game}/players/0/star", {"space": "4b1", "star": "purple"})
    sky.face(1)
    sky.lay("1b1=red")
    sky.face(2)
    answer = sky.player.post(f"{sky.game}/live/finish")
    assert answer.headers["Location"] == f"{sky.game}/live/finish"
    page = sky.player.get(f"{sky.game}/live/finish").text
    assert "Phase 1" in page and page.count('class="galaxy small"') == 2
    shown = re.search(r'name="revision" value="(\d+)"', page)
    sky.player.post(f"{sky.game}/live/finish", {"revision": shown[1], "board-0": "game"})
    stars = [board["stars"] for board in sky.document()["boards"]]
    assert stars == [{"4b1": "purple"}, {}, {}, {}, {"1b1": "red"}]


def test_two_play_with_neutral_stars_and_closed_spaces(sky: SkyTable) -> None:
    sky.game = sky.begin(NAMES[:2], "end")
    sky.id = sky.game.rsplit("/", 1)[1]
    assert "there is a neutral star on each" in sky.page()
    starred = [f"{sector}{at}" for sector in range(1, 6) for at in ("c1", "a4")]
    sky.lay(*(f"{space}=purple" for space in starred[1:]), f"{starred[0]}=red")
    page = sky.page()
    assert " bears a ★" in page and "Ana" in page
    sky.see(kind="replaced", space=starred[0], star="purple", was="red")
    assert 'class="ask wrong"' not in sky.page()
    sky.player.post(f"{sky.game}/live/finish")
    (end,) = sky.document()["boards"]
    assert sorted(end["neutral"]) == sorted(starred) and end["stars"] == {}


def test_a_palette_speaks_the_language_of_who_opens_it(sky: SkyTable) -> None:
    for language, words in (("en", "empty"), ("es", "vacía"), ("cs", "prázdné")):
        headers = {"Accept-Language": language}
        page = sky.player.get(f"{sky.game}/live", headers=headers).text
        assert f"<span>{words}</span>" in page


def test_another_game_has_no_such_taps(sky: SkyTable) -> None:
    form = {**players_form("Ana", "Luis"), "game": "nebula"}
    game = game_at(sky.player.post("/games/new", form).headers["Location"])
    table = Table(sky.app, game)
    for kind in ("turn", "joined", "moon", "telescope", "leave"):
        assert table.tap("entries", kind=kind, turn=1, sector=1, phase=0, seat=0) == 422
    for kind in ("claim", "value", "indicator", "bag", "seen", "restart", ""):
        assert sky.tap("entries", kind=kind, seat=0, card="V5", empty="yes") == 422


def test_a_colour_is_not_reported_until_somebody_plays_it(sky: SkyTable) -> None:
    """The camera's worker hears who plays, and of whoever changes their colour."""
    sky.game = sky.begin(("Ana", "Luis", "Eva"))
    sky.id = sky.game.rsplit("/", 1)[1]
    shown = frame({0: {"1b1": "red", "2b1": "purple"}}, profile="polaris/standard")
    push_until_taken(sky, shown)
    eventually(lambda: sky.seen_events() == ["placed red 1b1"])
    form = players_form("Ana", "Luis", "Eva", mode="phases") | {
        f"marker-{seat}": colour for seat, colour in enumerate(("red", "yellow", "purple"))
    }
    assert sky.player.post(f"{sky.game}/players", form).status_code == 303

    def seen() -> list[str]:
        push_until_taken(sky, shown)
        return sky.seen_events()

    eventually(lambda: seen() == ["placed red 1b1", "placed purple 2b1"])


def test_a_star_that_a_hand_exchanges_is_missed_and_not_taken_for_misread(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1b1=red", "2b1=yellow", "3b1=blue")
    sky.see(kind="replaced", space="3b1", star="purple", was="blue")
    assert 'class="ask wrong"' not in sky.page(), "it was misread"
    sky.see(kind="replaced", space="1b1", star="yellow", was="red", exchanged=True)
    assert 'class="ask wrong"' in sky.page()
    sky.see(kind="replaced", space="1b1", star="red", was="yellow", exchanged=True)
    assert 'class="ask wrong"' not in sky.page()
