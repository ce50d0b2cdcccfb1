"""A server at which whole games are played by its pages, and each moment of one comes back.

While a game is played the rows of its tables are kept as moments; `Server.bring_back` makes one the
present again. So everything can be asked of every moment.
"""

import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

from flask import Flask
from sqlalchemy import Connection, create_engine, delete, insert, select
from werkzeug.test import TestResponse

from tests.games.every_game import (
    ADDRESSES,
    DELETED,
    LACKING,
    NAMES,
    Moment,
    Play,
    entered,
    forms,
    keys,
    players,
    read_in,
)
from tests.webapp.conftest import Player
from tests.webapp.every_form import Request, requests
from vision.cards import Deck
from webapp.app.database import Base, now
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import KIND
from webapp.app.live import supervisor
from webapp.app.reading import card_jobs
from webapp.app.session.board_slots import owners
from webapp.app.session.game_document import Document, has_board, with_answer
from webapp.app.session.saved_games import SavedGame
from webapp.app.session.seats import is_over
from webapp.app.settings import Settings
from webapp.web import event_streams
from webapp.web.application import create_app
from webapp.web.changes import Change, Seen, change_of
from webapp.web.game_blueprints import game_of, page_of

MOST_HOPS = 6
FORM = re.compile(r'<form\b[^>]*method="post" action="([^"]+)"(.*?)</form>', re.DOTALL)
REVISION = re.compile(r'name="revision"\s+value="\d+"')
SOMEBODY = "5" * 32
"""A browser that none of the phones has."""
MIDWAY = 25
"""Actions of a guided game."""
MOST_STEPS = 60
OF_GAME = [table for table in Base.metadata.sorted_tables if "game_id" in table.c]
GAMES, REVISIONS, SEATS = (Base.metadata.tables[name] for name in ("games", "revisions", "seats"))


@dataclass
class Asked:
    """What was asked of a server, and what was wrong with the answers."""

    codes: Counter[int] = field(default_factory=Counter)
    pages: set[tuple[str, str]] = field(default_factory=set)
    moments: set[str] = field(default_factory=set)
    modes: set[tuple[str, str]] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    @property
    def counted(self) -> Mapping[str, int]:
        return {
            "requests": self.codes.total(),
            "pages": len(self.pages),
            "moments": len(self.moments),
            "games and modes": len(self.modes),
        }

    def __str__(self) -> str:
        counts = ", ".join(f"{number} {name}" for name, number in self.counted.items())
        return f"{counts}; answers: {dict(sorted(self.codes.items()))}"

    def note(self, moment: Moment, method: str, asked: Request, code: int, problem: str) -> None:
        self.codes[code] += 1
        self.pages.add((method, asked.endpoint))
        self.moments.add(str(moment))
        self.modes.add((moment.play.game, moment.play.mode))
        if problem:
            self.problems.append(f"{moment}: {method} {asked.path}: {problem}")


class Server:
    """A server of every game; nothing at it lasts longer than a request."""

    def __init__(self, folder: Path, phones: int = 1, invitation: str | None = None) -> None:
        """Serve from a folder; so many browsers know it, others have the `invitation`."""
        self._patches = ExitStack()
        for where, name in ((event_streams, "MOST_LISTENERS"), (supervisor, "MOST_WORKERS")):
            self._patches.enter_context(mock.patch.object(where, name, 0))
        no_cards = mock.patch.object(card_jobs, "printed_deck", lambda *_profile: Deck(()))
        self._patches.enter_context(no_cards)  # no photograph here shows one
        home = {"XDG_DATA_HOME": str(folder / "home")}  # boards are kept there
        self._patches.enter_context(mock.patch.dict(os.environ, home))
        settings = Settings(folder, rate_limits=False, invitation=invitation)
        self.app: Flask = create_app(settings, read_in, run_job=lambda job, *with_: job(*with_))
        self.phones = [Player(self.app.test_client()) for _ in range(phones)]
        self.player = self.phones[0]
        self._services = self.app.extensions["stargazer"]
        self._live = self.app.extensions["stargazer live"]
        self._guides = self.app.extensions["stargazer guide"]
        self._engine = create_engine(settings.database)
        self._watching = self._engine.connect()
        self._unchanged: tuple[Moment | None, int] = None, 0
        self._kept = folder / "kept"
        self._addresses = self.app.url_map.bind("127.0.0.1")

    def close(self) -> None:
        self._live.close()
        self._services.reading_queue.close()
        self._watching.close()
        self._engine.dispose()
        self._patches.close()

    # moments

    def moment(self, play: Play, step: str, game_id: str) -> Moment:
        """A game as it is now."""
        with self._engine.connect() as connection:
            return Moment(play, step, game_id, self._rows(connection, game_id))

    def seats(self, game_id: str) -> Sequence[Mapping[str, Any]]:
        """A game's seats as they are now; to read all of a moment takes ten times as long."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(SEATS).where(SEATS.c.game_id == game_id))
            return [dict(row._mapping) for row in rows]

    def _rows(self, connection: Connection, game_id: str) -> dict[str, Sequence[Mapping[str, Any]]]:
        found = {
            table.name: connection.execute(select(table).where(table.c.game_id == game_id))
            for table in OF_GAME
        }
        found["games"] = connection.execute(select(GAMES).where(GAMES.c.id == game_id))
        return {name: [dict(row._mapping) for row in rows] for name, rows in found.items()}

    def is_as_at(self, moment: Moment) -> bool:
        """Whether nothing was written in a game since."""
        (last, then), version = self._unchanged, self._version()
        if last is moment and then == version:
            return True
        found = self.moment(moment.play, moment.step, moment.game_id).rows
        same = all(found[name] == rows for name, rows in moment.rows.items() if name != "results")
        self._unchanged = moment if same else None, version
        return same

    def _version(self) -> int:
        """What changes with each transaction that anybody else has written to the database."""
        return int(self._watching.exec_driver_sql("PRAGMA data_version").scalar_one())

    def bring_back(self, moment: Moment) -> None:
        """Make a moment of a game the present one."""
        with self._engine.begin() as connection:
            for table in OF_GAME:
                connection.execute(delete(table).where(table.c.game_id == moment.game_id))
            connection.execute(delete(GAMES).where(GAMES.c.id == moment.game_id))
            connection.execute(insert(GAMES), list(moment.rows["games"]))
            for table in OF_GAME:
                if moment.rows[table.name]:
                    connection.execute(insert(table), list(moment.rows[table.name]))
        self._unchanged = moment, self._version()
        self._live._projections._kept.clear()
        self._live._projections._used.clear()
        self._guides._known.clear()
        self._guides._thoughts.clear()
        shutil.copytree(
            self._kept / moment.game_id,
            self._services.settings.photographs / moment.game_id,
            dirs_exist_ok=True,
        )

    # playing

    def moments(self, play: Play) -> Iterator[Moment]:
        """Play a game to its score, and once more when it was deleted."""
        form = players(play.game, play.mode, *NAMES)
        form |= {"live": "yes"} if play.way == "live" else {}
        form |= {"guided": "yes"} if play.way == "guided" else {}
        answer = self.player.post("/games/new", form)
        assert answer.status_code == 303, answer.text
        game_id = answer.headers["Location"].split("/")[2]
        seen: set[str] = set()
        for _ in range(MOST_STEPS):
            path = self.player.get(f"/games/{game_id}").headers["Location"]
            endpoint, asked = self.endpoint(path)
            for step in self._go_on(play, game_id, path, endpoint, asked):
                if step not in seen:
                    yield self.moment(play, step, game_id)
                seen.add(step)
            if endpoint == "score.leaderboard":
                break
        else:
            raise AssertionError(f"{play} does not end")
        source = self._services.settings.photographs / game_id
        source.mkdir(exist_ok=True)
        shutil.copytree(source, self._kept / game_id)
        last = self.moment(play, DELETED, game_id)
        rows = {**last.rows, "games": [{**last.rows["games"][0], "deleted_at": now()}]}
        yield replace(last, rows=rows)

    def _go_on(
        self, play: Play, game_id: str, path: str, endpoint: str, asked: Mapping[str, Any]
    ) -> Iterator[str]:
        """Do what a page asks; what is worth keeping on the way has a name."""
        yield endpoint
        game = f"/games/{game_id}"
        if endpoint == "score.leaderboard":
            return
        if endpoint == "photographs.show":
            yield from self._boards(play, game_id)
            self._send(f"{game}/photographs/done", {})
        elif endpoint == "live.show":
            saved = self.saved(game_id)
            slots = self._live.rules(saved).slots
            for seat, slot in enumerate(slots):
                if slot.kind == slots[0].kind:
                    tapped = [form() for form in forms(play.game)["live.star"]]
                else:
                    pages = entered(play.game, owners(saved.document)[seat])
                    tapped = [{"space": page.split("/")[1], **form} for page, form in pages]
                for one in tapped:
                    self._send(f"{game}/live/star", {**one, "seat": seat})
            yield "live, with pieces"
            self._send(f"{game}/live/finish", {})
        elif endpoint == "guide.show":
            yield from self._guided(play, game_id)
        else:
            self._send(path, forms(play.game)[self.endpoint(path, "POST")[0]][-1]())

    def _boards(self, play: Play, game_id: str) -> Iterator[str]:
        game = f"/games/{game_id}"
        document = self.saved(game_id).document
        for number in range(len(owners(document))):
            if has_board(document, number):
                continue  # of the table that was followed live
            if play.way == "by hand":
                self._send(f"{game}/photographs/players/{number}/hand", {})
                for page, form in entered(play.game, owners(document)[number]):
                    self._send(f"{game}/players/{number}/{page}", form)
            else:
                self.player.send_photograph(game, player=number)
        wait(list(self._services.reading_queue._queued))
        yield "the boards are read" if play.way == "photographed" else "the boards are entered"

    def _guided(self, play: Play, game_id: str) -> Iterator[str]:
        game = f"/games/{game_id}"
        self._send(f"{game}/guide", forms(play.game)["guide.begin"][-1]())
        yield "guided, begun"
        for actions in (MIDWAY, 10_000):
            self._play_on(play, game_id, actions)
            if actions == MIDWAY:
                self.player.get(f"{game}/guide")
                yield "guided, midway"
        self._send(f"{game}/guide/off", {})
        yield "guided, left"
        self._send(f"{game}/guide/on", {})
        self.player.get(f"{game}/guide")
        yield "guided, over"
        self._send(f"{game}/guide/finish", {})

    def _play_on(self, play: Play, game_id: str, actions: int) -> None:
        """Do some actions of a guided game, any that are legal."""
        part, luck = play.pages.guided, random.Random(1)
        game = self.saved(game_id)
        history = self._guides.history(game)
        state, reported = history.state, []
        while len(reported) < actions:
            following = part.by_itself(state, history.set_up, game.document)
            choices = [one for one, _odds in part.turns.outcomes(state)]
            choices = choices or list(part.turns.actions(state))
            if following is None and not choices:
                break
            action = following or luck.choice(choices)
            reported.append((KIND, {"do": part.turns.write_action(action), "by": "tap"}))
            state = part.turns.after(state, action)
        self._live.log.append(game_id, reported)

    def _send(self, path: str, form: Mapping[str, Any]) -> None:
        answer = self.player.post(path, form)
        assert answer.status_code == 303, f"{path}: {answer.status_code}"

    # asking

    def saved(self, game_id: str) -> SavedGame:
        """A game as it is saved."""
        found: SavedGame = self._services.games.open(game_id)
        return found

    def endpoint(self, path: str, method: str = "GET") -> tuple[str, Mapping[str, Any]]:
        """What answers at an address, and what it is told by that."""
        endpoint, asked = self._addresses.match(path.partition("?")[0], method)
        return str(endpoint), asked

    def requests(self, moment: Moment) -> Iterator[tuple[str, Request]]:
        """Everything that can be asked about a game, by method."""
        about = {rule.endpoint for rule in self.rules()}
        for method in ("GET", "POST"):
            for asked in requests(
                self.app,
                moment.game_id,
                moment.photograph,
                method,
                ADDRESSES.get(moment.play.game, {}),
                forms(moment.play.game),
            ):
                if asked.endpoint in about:
                    yield method, asked

    def change(self, asked: Request) -> Change:
        """What the route of a request declares."""
        with self.app.app_context():
            found = change_of(asked.endpoint)
        assert found is not None, asked.endpoint
        return found

    def changes(self, moment: Moment, *seen: Seen) -> Iterator[Request]:
        """What changes something of a game, decided on what was seen of it."""
        for method, asked in self.requests(moment):
            if method == "POST" and self.change(asked).seen in seen:
                yield asked

    def plant(self, game_id: str, seat: int) -> bool:
        """Let somebody else sit at a seat and answer what is secret; False where nothing is."""
        games = self._services.games
        game = games.open(game_id)
        asked = pages_of(game.document["game"]).game.questions(game.document)
        secret = [one for one in asked if one.secret and one.of_each_player]
        if not secret or is_over(game.document):
            return False

        def answered(document: Document) -> Document:
            for one in secret:
                answer = one.options[0].id if one.kind == "one" else one.least
                document = with_answer(document, one.id, answer, seat)
            return document

        games.give_back(game_id, seat, None, serves=True)
        games.change(game_id, "answered", answered, SOMEBODY)
        return True

    def rules(self) -> Iterator[Any]:
        """The addresses that are about a game."""
        return (rule for rule in self.app.url_map.iter_rules() if "game_id" in rule.arguments)

    def owner(self, endpoint: str) -> str:
        """The game that the page belongs to, "" for a page of any game."""
        return game_of(endpoint.partition(".")[0])

    def has(self, moment: Moment, asked: Request) -> bool:
        """Whether there is such a page; `test_gate` asks for those that there are not."""
        if moment.step == DELETED:
            return asked.endpoint == "games.restore"
        lacking = LACKING.get((moment.play.game, moment.play.mode), set())
        owner = self.owner(asked.endpoint)
        return owner in {"", moment.play.game} and asked.endpoint not in lacking

    def problem(
        self, moment: Moment, asked: Request, answer: TestResponse, foreign: Collection[str]
    ) -> str:
        """What is wrong with an answer about a game that was as at a moment, "" for nothing."""
        code, play = answer.status_code, moment.play
        if code >= 500:
            return f"{code}"
        with self.app.app_context():
            own = page_of(play.game, str(asked.endpoint).rpartition(".")[2])
        if code == 404 and asked.endpoint == own:
            return "404 where there is a page"
        if code == 404 and not self.is_as_at(moment):
            return "404, and something was written"
        strange = self.strange(moment.game_id, foreign)
        return strange or self.revision_unsaid(answer) or self.lost(answer)

    def revision_unsaid(self, answer: TestResponse) -> str:
        """Which form of a page would be refused for naming no revision, "" for none."""
        for path, form in FORM.findall(answer.text) if answer.mimetype == "text/html" else ():
            endpoint, _ = self.endpoint(path, "POST")
            with self.app.app_context():
                change = change_of(endpoint)
            if change and change.seen is Seen.REVISION and not REVISION.search(form):
                return f"a form for {path} names no revision"
        return ""

    def strange(self, game_id: str, foreign: Collection[str]) -> str:
        """Which keys of another game a game's document has come to have, "" for none."""
        with self._engine.connect() as connection:
            documents = select(REVISIONS.c.document).where(REVISIONS.c.game_id == game_id)
            found = {key for one in connection.scalars(documents) for key in keys(one)}
        return f"keys of another game: {sorted(found & {*foreign})}" if found & {*foreign} else ""

    def lost(self, answer: TestResponse) -> str:
        """Where an answer leads here that is no page, "" where it leads to one or away."""
        for _ in range(MOST_HOPS):
            path = answer.headers.get("Location", "")
            if not path.startswith("/"):
                return "" if answer.status_code < 500 else f"leads to {answer.status_code}"
            answer = self.player.get(path)
            if answer.status_code == 404:
                return f"leads to {path}, which is not there"
        return f"leads round in circles, as to {path}"

    def ask_all(
        self,
        moment: Moment,
        foreign: Mapping[str, Collection[str]],
        asked: Asked,
        some: Callable[[int, Request], bool] = lambda number, request: True,
    ) -> None:
        """Ask everything that there is of a game as it was at a moment, or `some` of it."""
        every = (one for one in self.requests(moment) if self.has(moment, one[1]))
        there = [one for number, one in enumerate(every) if some(number, one[1])]
        if there:
            self.bring_back(moment)
        for method, request in there:
            answer = self.ask(request)
            problem = self.problem(moment, request, answer, foreign[moment.play.game])
            asked.note(moment, method, request, answer.status_code, problem)
            if not self.is_as_at(moment):
                self.bring_back(moment)

    def walk(
        self,
        seed: int | str,
        length: int,
        moments: Sequence[Moment],
        foreign: Mapping[str, Collection[str]],
        asked: Asked,
    ) -> None:
        """Ask this and that of a game from a moment on, in any order, each from any phone.

        The seed and the length say all of it but what the game itself leaves to chance.
        """
        rng = random.Random(f"walk {seed}")
        moment = rng.choice([one for one in moments if one.step != DELETED])
        self.bring_back(moment)
        for number in range(length):
            method, request = rng.choice(list(self.requests(moment)))
            answer = self.ask(request, rng.choice(self.phones))
            problem = str(answer.status_code) if answer.status_code >= 500 else ""
            problem = problem or self.strange(moment.game_id, foreign[moment.play.game])
            problem = problem or self.lost(answer)
            reported = f"walk {seed}, step {number}: {problem}" if problem else ""
            asked.note(moment, method, request, answer.status_code, reported)
            if request.endpoint == "games.delete":
                self.player.post(f"/games/{moment.game_id}/restore")

    def ask(self, asked: Request, player: Player | None = None) -> TestResponse:
        """Ask, and wait for what goes on after the answer."""
        player = player or self.player
        if asked.form is None:
            answer = player.get(asked.path)
        else:
            answer = player.post(asked.path, asked.form())
        answer.get_data()  # a stream that nobody hears to its end keeps its request's context
        wait(list(self._services.reading_queue._queued))
        if asked.endpoint == "live_cameras.replay":
            self._live.replays.close()
        return answer
