"""All that can be asked of a server: each of its addresses, with forms as guests send them."""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.conftest import FULL_MATRIX
from tests.webapp.conftest import CARDS, VALUES, jpeg, players_form

PERSONAL = ("O19", "O7", "O2")
"""Personal cards; the board of a photograph fulfils the first alone."""

Form = Callable[[], Mapping[str, Any]]


def photo() -> Mapping[str, Any]:
    return {"photo": (io.BytesIO(jpeg()), "x.jpg"), "player": 0}


def recording() -> Mapping[str, Any]:
    line = b'{"t": 1, "board": 0, "kind": "placed", "space": "core", "star": "white"}\n'
    return {"recording": (io.BytesIO(line), "x.jsonl"), "speed": "all"}


def content(answer: TestResponse) -> str:
    """What can be read in an answer, packed or not."""
    data = answer.get_data()
    if answer.mimetype != "application/zip":
        return data.decode("latin-1")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return "".join(
            f"{name}: {packed.read(name).decode('latin-1')}" for name in packed.namelist()
        )


def just(**form: Any) -> Form:
    return lambda: form


OF_THE_PHOTOGRAPH = "the photograph's first"

FORMS: Mapping[str, Sequence[Form]] = {
    "api.read": [photo],
    "api.score": [just()],
    "backup.discard": [just()],
    "backup.restore": [just()],
    "backup.save": [just()],
    "backup.take_part": [lambda: {"part": (io.BytesIO(b"no zip"), "x.zip"), "at": 0}],
    "boards.alike": [just(spaces=["ar3", "ar4"], star="red")],
    "boards.count": [just(count=2)],
    "boards.confirm": [just(), *(just(card=card) for card in PERSONAL)],
    "drafts.add": [lambda: {**photo(), "game": "nebula"}],
    "drafts.add_from_photograph": [just()],
    "drafts.find_again": [just()],
    "drafts.go_on": [just()],
    "drafts.keep": [just()],
    "drafts.keep_corners": [just()],
    "drafts.remove": [just()],
    "trials.take": [photo],
    "trials.use": [just(title="Ours")],
    "nebula.personal": [just(), *(just(card=card) for card in PERSONAL)],
    "boards.redo": [just()],
    "boards.give_back": [just()],
    "boards.star": [just(space="ar3", star="red")],
    "boards.undo": [just()],
    "questions.ask": [just(answer="O2")],
    "games.delete": [just()],
    "games.join_table": [just()],
    "games.new": [lambda: players_form("Rut")],
    "games.players": [
        lambda: players_form("Ana", "Luis"),
        lambda: players_form("Luis"),
        lambda: players_form("Luis", "Ana", "Eva"),
        lambda: players_form("Ana", "Luis", "Eva", "Rut"),
    ],
    "games.mend": [just()],
    "games.restore": [just()],
    "games.undo": [just()],
    "earlier.bring_back": [just()],
    "earlier.go_back_to": [just()],
    "invitations.open_network": [just(https="yes")],
    "invitations.shut_network": [just()],
    "lesson_camera.choose": [just(board=""), just(board="new")],
    "guide.begin": [just(draws="hand", computers="-,-"), just(draws="program", computers="-,easy")],
    "guide.do": [just(move="draw red", seen=1), just(move="time 5 0 0", seen=1)],
    "guide.back": [just(seen=1)],
    "guide.draw": [just(seen=1)],
    "guide.photograph": [lambda: {**photo(), "seen": 1}],
    "guide.lay": [just(seen=1, laid="cluster.0.0:red")],
    "guide.sit": [just(seat=0), just(seat=0, what="leave")],
    "guide.put_right": [just()],
    "guide.keep_card": [just(card="libra")],
    "guide.on": [just()],
    "guide.off": [just()],
    "guide.finish": [just()],
    "lessons.attempt": [lambda: {"try": "place red core"}, just(hint=1)],
    "lessons.choose_learner": [just(person="")],
    "lessons.first_game": [just()],
    "lessons.start_again": [just()],
    "table_setup.check": [just(players=2)],
    "live.amend": [just(what="nothing"), just(what="again")],
    "live.assign": [just(source="cam", board=0, seat=1)],
    "live.count": [just(seat=0, count=1)],
    "live.enter": [
        just(kind="bag", empty="yes"),
        just(kind="claim", seat=0, card="V5"),
        just(kind="indicator", by=1),
        just(kind="value", token="red"),
    ],
    "live.playing": [just()],
    "live_finish.finish": [just(), just(at=1)],
    "live.keep_personal": [just(seat=0, card=card) for card in PERSONAL],
    "live.restart": [just()],
    "live.answer": [],
    "live.star": [just(seat=0, space="core", star="red")],
    "live.begin": [just()],
    "live_cameras.board": [just(profile="standard")],
    "live_cameras.frame": [just()],
    "live_cameras.held": [just(seat=0)],
    "live_cameras.replay": [recording],
    "live_cameras.start": [just(address="/nowhere")],
    "live_cameras.stop": [just(name="cam")],
    "live_cameras.stop_replay": [just()],
    "offline.leave": [],
    "people.change": [just(name="Ana", colour="lime")],
    "people.merge": [just(other="0" * 16)],
    "people.take_picture": [photo, just(remove="yes")],
    "people.undo": [just(number=1)],
    "photographs.add": [photo],
    "photographs.by_hand": [just()],
    "whole_table.confirm": [just()],
    "photographs.answer_offer": [just(take="yes")],
    "photographs.swap": [just(other=1)],
    "photographs.reorder": [just(order="0,1,2,3,4")],
    "photographs.choose_board": [just(board=OF_THE_PHOTOGRAPH)],
    "photographs.done": [just()],
    "photographs.read_again": [just()],
    "photographs.remove": [just()],
    "photographs.remove_unused": [just()],
    "polaris.cards": [just(common="C1,C2,C3,C4,C5")],
    "polaris.personal": [just(card="PO1")],
    "polaris.stock": [just(**{"shooting-0": 2})],
    "polaris.telescope": [just(telescope=0)],
    "polaris.telescopes": [just()],
    "profiles.change": [just()],
    "profiles.copy": [just()],
    "profiles.delete": [just()],
    "profiles.rename": [just(title="Ours")],
    "profiles.restore": [just()],
    "profiles.undo_change": [just()],
    "profiles.take_in": [lambda: {"board": (io.BytesIO(b"no board"), "x.zip")}],
    "preferences.save": [just(language="en")],
    "score.count_again": [just()],
    "history.note": [just(note="late", was="")],
    "history.rematch": [just()],
    "history.take_in": [lambda: {"game": (io.BytesIO(b"players: none"), "x.yaml")}],
    "stars.give_up": [just()],
    "stars.keep": [just()],
    "stars.name_piece": [just(number=0, piece="red")],
    "stars.photograph": [photo],
    "stars.remove": [just()],
    "stars.restore": [just()],
    "own_cards.forget": [just()],
    "own_cards.keep": [just()],
    "own_cards.missed": [just()],
    "own_cards.photograph": [photo],
    "own_cards.remove": [just()],
    "own_cards.restore": [just()],
    "nebula.cards": [lambda: CARDS],
    "nebula.photographed_cards": [photo],
    "via_nebula.photographed": [photo],
    "nebula.markers": [just()],
    "nebula.values": [lambda: VALUES],
    "scoring_blockers.put_right": [just(space="core", star="red"), just(space="1a1", star="red")],
}
"""What a guest may send to each address that takes something."""

QUERIES = {
    "guide.now": ["", "?draft=look", "?hint=3"],
    "guide.show": ["", "?draft=hand:-,strong"],
    "live.show": ["", "?mine=0", "?mine=0&at=1", "?at=2"],
    "live.table": ["", "?mine=0", "?mine=0&at=1", "?at=2"],
    "live_events.of_game": ["?after=0"],
    "live_events.of_games": ["?game={game_id}.0"],
    "ask.show": ["", "?q=core"],
    "games.home": ["", "?skip=1", "?deleted=x", "?q=ana"],
    "people.show": ["", "?game=x", "?board=x"],
}


@dataclass(frozen=True)
class Request:
    """What is asked for: `form` is sent, None where a page is opened."""

    endpoint: str
    path: str
    form: Form | None = None


OF_GAMES = ("api", "backup", "games", "history", "live_events", "people")
"""Pages that show something of games, though their addresses name none."""


def may_tell_of(asked: Request, game: str) -> bool:
    """Whether an answer may hold something of a game; in CI every answer is looked at."""
    return FULL_MATRIX or game in asked.path or asked.endpoint.partition(".")[0] in OF_GAMES


def requests(
    app: Flask,
    game: str,
    photograph: str,
    method: str,
    instead: Mapping[str, Any] | None = None,
    forms: Mapping[str, Sequence[Form]] = FORMS,
) -> Iterator[Request]:
    """Everything that can be asked of a server by a method; of a game, about its first seat.

    `instead` are other values for parts of addresses, by their names.
    """
    values: dict[str, Any] = {
        "game_id": game,
        "player": 0,
        "photograph_id": photograph,
        "board": 0,
        "number": 1,
        "question": "personal",
        "track": "black",
        "phase": 1,
        "card": "V1",
        "moon": "new",
        "choice": 0,
        "name": "nobody",
        "person_id": "0" * 16,
        "draft_id": "0123456789abcdef",
        "kind": "board",
        "game_name": "nebula",
        "lesson_id": "first_star",
        "term_id": "core",
        "secret": "wrong",
        "filename": "icon.svg",
        **(instead or {}),
    }
    rules = sorted(app.url_map.iter_rules(), key=lambda rule: rule.endpoint)
    for rule in rules:
        if method not in (rule.methods or ()):
            continue
        path = _path(rule, values)
        if method == "GET":
            for query in QUERIES.get(rule.endpoint, [""]):
                yield Request(rule.endpoint, path + query.format(**values))
        else:
            for form in forms[rule.endpoint]:  # a new address has to say here what it takes
                yield Request(rule.endpoint, path, _filled(form, values))


def _path(rule: Rule, values: Mapping[str, Any]) -> str:
    built = rule.build({name: values[name] for name in rule.arguments}, append_unknown=False)
    assert built is not None, rule
    return built[1]


def _filled(form: Form, values: Mapping[str, Any]) -> Form:
    def fill() -> Mapping[str, Any]:
        made = form()
        if made.get("board") == OF_THE_PHOTOGRAPH:
            return {**made, "board": f"{values['photograph_id']}.0"}
        return made

    return fill
