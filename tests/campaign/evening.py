"""What guests write in an evening, as fast as the server takes it, and how often it was kept.

A table sends photographs, corrects, taps at the live table and takes taps back, enters a board by
hand, a note and a hidden card, and begins a rematch. Beside it, at times, somebody brings earlier
states back, draws a board in the editor, or saves everything and brings it back.
"""

import io
import json
import random
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import product

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.values_board import TOKENS
from scorer.nebula.words import COLOURS
from tests.campaign.findings import Findings
from tests.campaign.server import Answer, Browser, Form, Server
from tests.webapp.conftest import CARDS, players_form

Write = tuple[str | None, ...]
"""What it is, the game's id (None for a game: a player's name tells it), and what of it."""

CURRENT = """from games join revisions on game_id = id and number = revision
    where id = coalesce(?1, id) and deleted_at is null and """
ENTRIES = "select count(*) from live_entries where game_id = ? and kind = "
COUNTS = {
    "game": f"select count(*) {CURRENT} document ->> '$.players[0].name' = ?2",
    "brought back": f"select count(*) {CURRENT} document ->> '$.players[0].name' = ?2",
    "cards": f"select count(*) {CURRENT} document ->> '$.career[0]' = ?2",
    "hand": f"select count(*) {CURRENT} document ->> ('$.players[' || ?2 || '].board') is not null",
    "correction": f"""select count(*) {CURRENT}
        document ->> ('$.players[' || ?2 || '].stars.' || ?3) = ?4""",
    "note": f"select coalesce(max(cast(document ->> '$.note' as integer)), 0) {CURRENT} true",
    "earlier": "select count(*) from revisions where game_id = ? and step = 'brought-back'",
    "undo": "select count(*) from games where id = ? and revision = 1",
    "card": "select count(*) from seats where game_id = ? and number = ? and card = ?",
    "tap": ENTRIES + "'hand' and data ->> '$.event.space' = ? and data ->> '$.event.star' = ?",
    "amend": ENTRIES + "'amend' and data ->> '$.entry' = cast(? as integer)",
    "value": ENTRIES + "'value' and data ->> '$.token' = ?",
    "claim": ENTRIES + "'claim' and data ->> '$.card' = ?",
    "photograph": "select count(*) from photographs where game_id = ? and player = ?",
}
"""How often a write is in the database; of a note, the number that it was given last."""


@dataclass
class Ledger:
    """How often a write was sent, and acknowledged; it is written down before it is sent."""

    sent: Counter[Write] = field(default_factory=Counter)
    acknowledged: Counter[Write] = field(default_factory=Counter)

    def add(self, other: "Ledger") -> None:
        """Take in what another one has."""
        self.sent += other.sent
        self.acknowledged += other.acknowledged

    def forget(self, write: Write) -> None:
        """Expect nothing of a write any more: what was sent next takes it away."""
        del self.sent[write], self.acknowledged[write]

    def check(self, server: Server, findings: Findings) -> None:
        """Compare with what a server has kept: all that was acknowledged, no more than was sent.

        The server need not run: the database is read as it stands.
        """
        with closing(sqlite3.connect(server.data / "stargazer.db")) as database:
            for write, sent in self.sent.items():
                acknowledged = self.acknowledged[write]
                times = _times(server, database, write)
                reported = (
                    f"{write}: {times} times; sent {sent}, acknowledged {acknowledged}".encode()
                )
                if times > sent:
                    findings.add("doubled", str(write[0]), reported)
                elif times < acknowledged:
                    findings.add("lost", str(write[0]), reported)
                findings.count(f"{write[0]} acknowledged", times=acknowledged)
            for game, photograph in database.execute("select game_id, id from photographs"):
                file = server.data / "photographs" / game / f"{photograph}.photo"
                if not file.is_file() or not file.stat().st_size:
                    findings.add("lost", "a photograph's file", str(file).encode())


def _times(server: Server, database: sqlite3.Connection, write: Write) -> int:
    what, *key = write
    if what == "draft":  # the number that it was given last
        file = server.data / "drafts" / str(key[0]) / "draft.json"
        return int(json.loads(file.read_text())["layout"]["name"].split(" ")[1])
    if what == "board":
        layouts = (server.data / "profiles").glob("[!.]*/layout.yaml")
        return sum(f"name: {key[1]}\n" in layout.read_text() for layout in layouts)
    (times,) = database.execute(COUNTS[str(what)], key).fetchone()
    return int(times)


class Writer:
    """Somebody who begins games and writes as fast as the server takes it, until it is gone."""

    def __init__(
        self,
        browser: Browser,
        name: str,
        rng: random.Random,
        picture: bytes | None = None,
        beside: str = "",
    ) -> None:
        """The players' names begin with `name`, which is nobody else's.

        `beside` is what is done first, beside the games: a key of `BESIDE`.
        """
        self.ledger, self.begun = Ledger(), threading.Event()
        self._browser, self._name, self._rng, self._picture = browser, name, rng, picture
        self._beside = beside

    def write(self) -> None:
        """Write until there is nobody to write to."""
        with suppress(AssertionError, ConnectionError):  # of the first page, which has a token
            self._browser.token()
            if self._beside:
                BESIDE[self._beside](self, f"{self._name}.b")
            number = 0
            while True:
                self._play(f"{self._name}.{number}")
                number += 1

    def _send(self, write: Write, path: str, form: Form, tap: bool = False) -> Answer:
        """Send a write. Raises ConnectionError where the server is gone."""
        self.ledger.sent[write] += 1
        answer = (self._browser.tap if tap else self._browser.post)(path, form)
        if answer.status == 0:
            raise ConnectionError
        self.ledger.acknowledged[write] += answer.status < 400
        self.begun.set()
        return answer

    def _begin(self, name: str) -> str:
        """Begin a game, and return its id."""
        form = players_form(name, "Luis", "Eva", "Rut")
        answer = self._send(("game", None, name), "/games/new", form)
        if answer.status != 303:
            raise ConnectionError(f"no game is begun any more: {answer.status}")
        return answer.headers["Location"].split("/")[2]

    def _play(self, name: str) -> None:
        """Write all that there is to write in a game."""
        game = self._begin(name)
        page, reported = f"/games/{game}", 0
        self._send(("cards", game, "V5"), f"{page}/nebula/cards", CARDS)
        pieces = list(product(STANDARD_BOARD.spaces, COLOURS))
        writes: list[Write] = []
        for seat, space in product("01", STANDARD_BOARD.spaces):
            writes.append(("correction", game, seat, space, "red"))
        writes += [("tap", game, *piece) for piece in self._rng.sample(pieces, 60)]
        writes += [("value", game, token) for token in self._rng.choices(TOKENS, k=12)]
        writes += [("claim", game, card) for card in ("V5", "V7", "V12")]
        writes += [("amend", game)] * 12 + [("note", game)] * 6
        writes += [("game", None, name), ("hand", game, "1"), ("card", game, "0", "O19")]
        writes = self._rng.sample(writes, len(writes))
        for seat in "23" if self._picture else "":  # soon: reading takes its time
            writes.insert(self._rng.randrange(9), ("photograph", game, seat))
        for write in writes:
            if write[0] == "amend":
                if reported == 0:
                    continue
                write = ("amend", game, str(self._rng.randint(1, reported)))
            path, form = self._request(write, game)
            is_tap = write[0] in LIVE or write[0] == "correction"
            answer = self._send(write, path, form, is_tap)
            reported += write[0] in LIVE - {"card"} and answer.status < 400

    def _request(self, write: Write, game: str) -> tuple[str, Form]:
        """Where a write is sent, and the form of it."""
        what, _, *of = write
        page = f"/games/{game}"
        if what == "note":
            number = self.ledger.sent[write]
            return f"{page}/note", {"note": number + 1, "was": number or ""}
        requests: dict[str, Callable[..., tuple[str, Form]]] = {
            "game": lambda _name: (f"{page}/rematch", {}),
            "photograph": lambda seat: (
                f"{page}/photographs",
                {"photo": (self._picture, "a.jpg"), "player": seat},
            ),
            "hand": lambda seat: (f"{page}/photographs/players/{seat}/hand", {}),
            "correction": lambda seat, space, star: (
                f"{page}/players/{seat}/star",
                {"space": space, "star": star},
            ),
            "card": lambda seat, card: (
                f"{page}/live/personal",
                {"seat": seat, "card": card},
            ),
            "tap": lambda space, star: (
                f"{page}/live/star",
                {"seat": 0, "space": space, "star": star},
            ),
            "amend": lambda entry: (f"{page}/live/entries/{entry}", {"what": "nothing"}),
            "value": lambda token: (f"{page}/live/entries", {"kind": "value", "token": token}),
            "claim": lambda card: (
                f"{page}/live/entries",
                {"kind": "claim", "seat": 0, "card": card},
            ),
        }
        return requests[str(what)](*of)

    # beside the games

    def bring_back(self, name: str) -> None:
        """Bring an earlier state back, and undo that, in a game of its own, time and again."""
        for number in range(6):
            game = self._begin(f"{name}{number}")
            page = f"/games/{game}"
            form = players_form(f"{name}{number}", "Ida", "Eva", "Rut")
            if self._browser.post(f"{page}/players", form).status != 303:
                raise ConnectionError
            self._send(("earlier", game), f"{page}/earlier/0", self._shown(page))
            self._send(("undo", game), f"{page}/undo", self._shown(page))

    def _shown(self, page: str) -> Form:
        """The revision that a page of the game names now."""
        answer = self._browser.get(f"{page}/earlier")
        found = re.search(rb'name="revision" value="(\d+)"', answer.body)
        return {"revision": found[1].decode()} if found else {}

    def draw_a_board(self, name: str) -> None:
        """Begin a board from the standard one, rename it in the editor, and add it."""
        begun = self._browser.post("/my-boards/standard/copy")
        if begun.status != 303:
            raise ConnectionError
        draft = begun.headers["Location"].split("/")[-1]
        page = f"/my-boards/drafts/{draft}"
        layout = json.loads(self._browser.get(f"{page}/state").body)["layout"]
        headers = {"X-CSRFToken": self._browser.token(), "Content-Type": "application/json"}
        write: Write = ("draft", draft)
        for number in range(1, 13):
            self.ledger.sent[write] += 1
            sent = json.dumps({"layout": {**layout, "name": f"{name} {number}"}}).encode()
            answer = self._browser.ask("POST", f"{page}/layout", sent, headers)
            if answer.status != 200:
                raise ConnectionError
            self.ledger.acknowledged[write] += 1
            self.begun.set()
        self.ledger.forget(write)
        self._send(("board", None, name), f"{page}/use", {"title": name})

    def back_up(self, name: str) -> None:
        """Save everything, delete a game, and bring back what was saved: the game with it."""
        game = self._begin(name)
        self.ledger.forget(("game", None, name))
        saved = self._browser.post("/backup/save")
        deleted = self._browser.post(f"/games/{game}/delete")
        if (saved.status, deleted.status) != (200, 303):
            raise ConnectionError
        self.begun.set()
        for at in range(0, len(saved.body), PART_BYTES):
            part = (io.BytesIO(saved.body[at : at + PART_BYTES]), "part")
            if self._browser.post("/backup/parts", {"at": at, "part": part}).status != 303:
                raise ConnectionError
        self._send(("brought back", None, name), "/backup/restore", {})


LIVE = {"tap", "amend", "value", "claim", "card"}
PART_BYTES = 8 * 1024 * 1024
BESIDE: dict[str, Callable[[Writer, str], None]] = {
    "earlier": Writer.bring_back,
    "editor": Writer.draw_a_board,
    "backup": Writer.back_up,
}


def beside(number: int) -> Iterator[str]:
    """What is done beside the games in a life of the server, by as many writers as it is."""
    if number % 10 == 2:
        yield "editor"
    if number % 5 == 4:
        yield "backup"
    if number % 2:
        yield "earlier"
