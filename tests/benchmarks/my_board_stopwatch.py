"""The time it takes to add a board in a browser at 390 px, with the quality of the proposal.

`python -m tests.benchmarks.my_board_stopwatch [--count 2] [--seed 7]`, or for one's own photographs
`--empty EMPTY.jpg --proof PROOF.jpg --layout LAYOUT.yaml --label LABEL.json`, where the layout is
the truth and the label has the pieces on the proof. A tap or a typed number counts 2 s, a drag 4 s,
a photograph 5 s: see `adding_board`. STARGAZER_SCREENSHOTS names a folder for screenshots. Finally
the proof is read with the board that was added, and misread places are counted.
"""

import argparse
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
from playwright.sync_api import Browser, sync_playwright

from calibration import Layout, load_layout, load_profile, owner_profiles
from calibration.profile import own_profile_names
from tests.conftest import PATIENCE_MS
from tests.webapp.browser.adding_board import Stopwatch, add_board
from tests.webapp.browser.conftest import PHONE, Hands
from tests.webapp.browser.invented import invented_board
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from vision import Reader, load_photo

Held = Mapping[str, str | int | None]
"""The piece on each space, and the count of each track."""
Task = tuple[str, Path, Path, Layout, Held]


def main() -> None:
    """Print a line for each board."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=2, help="invented editions")
    asked.add_argument("--seed", type=int, default=7)
    for name in ("--empty", "--proof", "--layout", "--label"):
        asked.add_argument(name, type=Path)
    chosen = asked.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.environ["XDG_DATA_HOME"] = f"{folder}/home"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        known = set(own_profile_names())
        for title, empty, proof, truth, held in tasks(chosen, Path(folder)):
            watch = measure(browser, Path(folder), title, empty, proof, truth)
            (added,) = set(own_profile_names()) - known
            known.add(added)
            wrong = mistakes(added, proof, held)
            print(f"{title}: {watch}; read wrongly {len(wrong)} of {len(held)} {wrong}", flush=True)
        browser.close()


def tasks(chosen: argparse.Namespace, folder: Path) -> Iterator[Task]:
    """Yield the boards to add: a title, two photographs and the truth."""
    if chosen.empty:
        label = json.loads(chosen.label.read_text())
        layout = load_layout(chosen.layout)
        spaces = {space: label["stars"].get(space) for space in layout.spaces}
        counts = {track: label[track] for track in layout.tracks}
        yield "given", chosen.empty, chosen.proof, layout, {**spaces, **counts}
        return
    for number in range(chosen.count):
        made = invented_board(chosen.seed, number)
        empty, proof = folder / f"empty{number}.jpg", folder / f"proof{number}.jpg"
        cv2.imwrite(str(empty), made.empty)
        cv2.imwrite(str(proof), made.proof)
        layout, lying = made.edition.layout, made.pieces
        held: dict[str, str | int | None] = dict.fromkeys(layout.spaces)
        held |= {place.id: piece for place, piece in lying.items() if place.id in layout.spaces}
        for track in layout.tracks:
            held[track] = sum(place.kind == "track" and place.id == track for place in lying)
        yield f"invented {number}", empty, proof, layout, held


def mistakes(name: str, proof: Path, held: Held) -> list[str]:
    """Read a photograph with a board of the owner's; return the misread spaces and tracks."""
    (read,) = Reader.of(load_profile(owner_profiles() / name)).read(load_photo(proof)).boards
    found: dict[str, str | int | None] = {one: seen.piece for one, seen in read.spaces.items()}
    found |= {one: seen.count for one, seen in read.tracks.items()}
    return [one for one, true in held.items() if found.get(one) != true]


def measure(
    browser: Browser, folder: Path, title: str, empty: Path, proof: Path, truth: Layout
) -> Stopwatch:
    """Add one board on a new server."""
    from webapp.app.reading.photograph_reader import PhotographReader
    from webapp.app.settings import Settings
    from webapp.server.waitress_server import listen, make_server
    from webapp.web.application import create_app

    settings = Settings(data_dir=folder / title, rate_limits=False)
    app = create_app(settings, PhotographReader(), run_job=lambda job, *given: job(*given))
    server = make_server(app, listen("127.0.0.1", 0), None)
    threading.Thread(target=server.run, daemon=True).start()
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
    context.set_default_timeout(4 * PATIENCE_MS)
    address = f"http://127.0.0.1:{server.effective_listen[0][1]}"
    try:
        return add_board(Hands(context.new_page(), touch=True), address, empty, proof, truth, title)
    finally:
        context.close()
        server.close()
        app.extensions["stargazer"].reading_queue.close()
        app.extensions["stargazer"].drafts.close()


if __name__ == "__main__":
    main()
