"""The taps of a whole guided game of Nebula for two who draw by hand, by what is asked.

`python -m tests.benchmarks.nebula_taps --seed 1` lets two computer players decide, and finds on the
pages the fewest taps that tell what they did. Prints the taps of each question. `--photographed`:
the setup and what a turn refills are photographed; photographs of refills are rendered and read.
`--drawn`: "Let Stargazer draw" is tapped for what a turn refills. Names are typed and not
counted, and each career card is one tap in its gallery.
"""

import argparse
import heapq
import html
import itertools
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from urllib.parse import parse_qs

import numpy as np

from calibration import load_profile
from calibration.artwork import token_sheets
from scorer.nebula.playing import TURNS
from scorer.nebula.strategies.advisor import ADVISOR
from scorer.nebula.turns.state import State
from tests.benchmarks.card_tables import LOOKS
from tests.benchmarks.setup_sheets import photograph
from tests.webapp.guided import Guided
from webapp.app.guide.laid import laid_tokens
from webapp.app.guide.service import SEPARATOR
from webapp.app.reading.card_jobs import sheet_readers
from webapp.app.settings import Settings
from webapp.web.application import create_app

BEGINNING = 4
"""Taps on the first pages: guided, the game is on the table, who plays for Luis, begin."""
GALLERY = 1
"""Opening the gallery in which each card that lies on the table is tapped."""
PHOTOGRAPH = 5
"""Setting up the table, taking a photograph (with two taps in the camera), playing on guided."""
PHOTOGRAPH_OF_REFILL = 4
"""Photographing it instead (with two taps in the camera), and confirming what is shown."""
ASKED, CORRECTED = 2, 3
"""A star that is not clear is chosen from a list; that of a wrong one has to be unfolded first."""
HALF_ROUND = 3
"""Steps after which a marker is at the same star either way round."""
PROFILE = "nebula/standard"
SHEETS = token_sheets(load_profile(PROFILE).layout)
MOST_PAGES = 150
FAR = 99


class Screens:
    """The screens of a guided game, and the shortest way through their choices."""

    def __init__(self, guided: Guided) -> None:
        self.guided = guided

    def way(self, action: str) -> Sequence[str]:
        """Return the questions answered, a tap each, until an action is done; () without a way."""
        number, seen = itertools.count(), set[str]()
        todo: list[tuple[int, int, str, list[str]]] = [(0, next(number), "", [])]
        while todo and len(seen) < MOST_PAGES:
            _cost, _number, draft, asked = heapq.heappop(todo)
            if draft in seen:
                continue
            seen.add(draft)
            page = self.guided.page(draft)
            asked = [*asked, _heading(page)]
            if not {*_alike(action)}.isdisjoint(_actions(page)):
                return asked
            for further in _drafts(page) - seen:
                if (left := _taps_left(further, action)) < FAR:
                    heapq.heappush(todo, (len(asked) + left, next(number), further, asked))
        return ()


def _heading(page: str) -> str:
    (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    words = html.unescape(re.sub(r"<[^>]+>", "", heading))
    return re.sub(r"\b(Ana|Luis)\b", "N", re.sub(r"\d+", "#", words))


def _actions(page: str) -> set[str]:
    found = re.findall(r'(?:name="move"\s+value|data-action)="([^"]*)"', page)
    return {html.unescape(one) for one in found}


def _drafts(page: str) -> set[str]:
    found = re.findall(r'data-(?:draft|held)\s+href="[^"?]*\?([^"]*)"', page)
    drafts = (parse_qs(html.unescape(one)).get("draft", [""])[0] for one in found)
    return {one for one in drafts if one}


def _moves(words: Sequence[str]) -> Sequence[int]:
    return [int(one) for one in words] if len(words) == HALF_ROUND else (0, 0, 0)


def _alike(action: str) -> Iterator[str]:
    """Yield the action, and those of time whose markers stop at the same stars."""
    kind, *words = action.split()
    if kind != "time":
        yield action
        return
    ways = ([n, -n] if abs(n) == HALF_ROUND else [n] for n in _moves(words))
    yield from (" ".join(["time", *map(str, one)]) for one in itertools.product(*ways))


def _taps_left(draft: str, action: str) -> int:
    """Return at least how many more taps lead from a draft to an action; `FAR` if none do."""
    kind, *words = action.split()
    if not draft.startswith(kind):
        return FAR
    if kind != "time":
        begun = draft.split()
        return len(words) if [kind, *words][: len(begun)] == begun else FAR
    ways = zip(_moves(draft.partition(":")[2].split(",")), _moves(words), strict=True)
    return min(FAR, sum(_taps_of_marker(at, end) for at, end in ways))


def _taps_of_marker(at: int, end: int) -> int:
    """Return the taps that take a marker from some steps to others, the shorter way first."""
    if at == end or abs(at) == abs(end) == HALF_ROUND:
        return 0
    if at == 0:
        return 1 + (abs(end) > HALF_ROUND)
    goes_round = at * end < 0 and abs(at - end) == 2 * HALF_ROUND
    goes_on = abs(at) < abs(end) and (at * end > 0 or abs(end) == HALF_ROUND)
    return 1 if goes_round or goes_on else FAR


def _setup(luck: Random) -> tuple[State, Sequence[str]]:
    """Return the state once clusters and boosted star lie there, and the draws until then."""
    state, drawn = TURNS.start({"players": 2, "mode": "intro"}, None), list[str]()
    while not state.boosted:
        action = TURNS.drawn(state, luck)
        drawn.append(TURNS.write_action(action))
        state = TURNS.after(state, action)
    return state, drawn


def _together(
    state: State, written: str, page: str, todo: Sequence[str], luck: Random
) -> tuple[str, list[str]]:
    """Return a draw, with the next one if one tap names both, and what is drawn after it."""
    if not any(SEPARATOR in one for one in _actions(page)):
        return written, [*todo]
    after = TURNS.after(state, TURNS.read_action(written))
    following, *others = todo or [TURNS.write_action(TURNS.drawn(after, luck))]
    both = SEPARATOR.join((written, following))
    return (both, others) if both in _actions(page) else (written, [following, *others])


def _misread(before: State, after: State, seed: int) -> tuple[int, int]:
    """Return how many stars of a refill a photograph leaves open, and how many it shows wrong."""
    (sheet,) = (one for one in SHEETS if one.sheet.name == "cluster_board")
    look, rng = LOOKS[seed % len(LOOKS)], np.random.default_rng(seed)
    lies = sheet.tokens_in(after)
    picture = photograph([sheet], lies, look, rng, saving=seed % 2 == 1)
    found = sheet_readers(PROFILE, 0.0, ("tracks", "spots"))[sheet.sheet.name].find(picture)
    assert found is not None, "another photograph had to be taken"
    due = [one.place for one in laid_tokens(TURNS, before, SHEETS, {})]
    seen = [(found.spots.get(place), lies[place][0]) for place in due]
    wrong = sum(bool(one) and one != token for one, token in seen)
    return sum(not one for one, _token in seen), wrong


def counted(seed: int, strength: str, photographed: bool, drawn: bool) -> tuple[Counter[str], int]:
    """Return the taps of a game by question, and its rounds."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), rate_limits=False), None)
        guided, luck = Guided(app, "Ana", "Luis", draws=""), Random(seed)
        laid, first = _setup(luck)
        form = {"draws": "hand", "computers": "-,-"}
        taps = Counter({"(until it begins)": BEGINNING, "(the gallery of cards)": GALLERY})
        if photographed:
            tokens = [
                f"{place}:{token}"
                for sheet in SHEETS
                for place, own in sheet.tokens_in(laid).items()
                for token in own
                if place == "boosted" or place.startswith("cluster.")
            ]
            form["laid"] = ",".join(dict.fromkeys(tokens))
            taps["(photograph of the setup)"], first = PHOTOGRAPH, []
        assert guided.player.post(f"{guided.game}/guide", form).status_code == 303
        screens, todo, is_drawing = Screens(guided), [*first], False
        while TURNS.actions(guided.state) or TURNS.outcomes(guided.state):
            state, page = guided.state, guided.page()
            if TURNS.decides(state) is not None:
                action = ADVISOR.choose(state, strength, luck.randrange(99)).action
                written = TURNS.write_action(action)
            else:
                written = todo.pop(0) if todo else TURNS.write_action(TURNS.drawn(state, luck))
            is_drawing = is_drawing and TURNS.decides(state) is None
            if is_drawing:
                pass
            elif drawn and state.turn > 0 and 'id="draw"' in page:
                taps["(Let Stargazer draw)"] += 1
                is_drawing = True
            elif photographed and state.turn > 0 and 'id="photograph"' in page:
                after, todo = TURNS.after(state, TURNS.read_action(written)), [*todo]
                while TURNS.decides(after) is None and TURNS.outcomes(after):
                    todo.append(TURNS.write_action(TURNS.drawn(after, luck)))
                    after = TURNS.after(after, TURNS.read_action(todo[-1]))
                asked, wrong = _misread(state, after, seed + state.turn)
                taps["(photograph of a refill)"] += PHOTOGRAPH_OF_REFILL
                taps["(what it leaves open or shows wrong)"] += asked * ASKED + wrong * CORRECTED
                is_drawing = True
            else:
                if TURNS.decides(state) is None:
                    written, todo = _together(state, written, page, todo, luck)
                taps.update(screens.way(written) or [_heading(page)])
            guided.do(written)
            guided.page()
        return taps, guided.state.round


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", default="beginner", choices=[*TURNS.strengths])
    parser.add_argument("--photographed", action="store_true")
    parser.add_argument("--drawn", action="store_true")
    given = parser.parse_args()
    taps, rounds = counted(given.seed, given.strength, given.photographed, given.drawn)
    for asked, number in taps.most_common():
        print(f"{number:4}  {asked}")
    print(f"{taps.total():4}  taps in {rounds} rounds")


if __name__ == "__main__":
    main()
