"""Finished games of Nebula, each in one path-traced photograph of the whole table.

`python -m tests.benchmarks.whole_tables render DIR --count 4 [--players 3] [--mixed]` needs the
environment of `models/rendering/README.md`, and pypdfium2. On mixed tables the public cards lie in
any order, and nobody's own card lies at their board.
`python -m tests.benchmarks.whole_tables walk DIR` takes each photograph through the pages of a new
server in a browser, from the first page to the winner: somebody who sees the table answers what is
asked. Prints the taps, the seconds, the questions, and what the game that was kept has wrong: who
was first on a card cannot be seen, and is not compared. Exits with 1 for a mistake, and without
photographs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import yaml
from playwright.sync_api import Locator, Page, expect, sync_playwright

from calibration import Profile, load_profile
from calibration.artwork import TokenSheet, token_sheets
from calibration.cards import CARD_MM
from calibration.drawing import rasterise
from scorer.nebula.card import of_deck
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from tests.benchmarks.live_phone import Server
from tests.webapp.browser.conftest import PHONE, Hands
from tests.webapp.chromium import ARGUMENTS, CHROMIUM

NAMES = ("Ana", "Luis", "Marta", "Pau")
BOARDS_MM = ((-160.0, 110.0), (160.0, 110.0), (160.0, -390.0), (-160.0, -390.0))
"""The middles of the players' boards; the last two lie upside down, across the table."""
OWN_CARDS_MM = ((-310.0, 110.0), (310.0, 110.0), (310.0, -390.0), (-310.0, -390.0))
MIXED_MM = ((0.0, 190.0), (0.0, 95.0), (0.0, -460.0), (0.0, -370.0))
"""Own cards that lie at nobody's board."""
ROWS_MM = (-190.0, -95.0)
CARDS_MM = (-300.0, -228.0, -156.0, -84.0)
VALUES_MM = (140.0, -130.0)
CAMERA = 2
"""The taps in the phone's own camera: the shutter, and "use it"."""
LONGEST_MS, MOST_PAGES = 200_000, 60
AT_START = 3
"""The most tokens of a track that have not moved."""
_OFF_MM, _ASKEW = 3.0, 3.0


def played(rng: random.Random, profile: Profile, players: int = 2) -> dict[str, Any]:
    """Return a finished game as what lies on the table: cards, values, each player's galaxy."""
    cards = {deck: rng.sample([*of_deck(deck)], 4) for deck in ("career", "advanced")}
    values = {}
    for name, track in _values_board(profile).tracks.items():
        many = len(track.tokens)
        moved = rng.sample([*track.tokens], rng.randint(many - AT_START, many))
        squares = rng.sample([*track.at][1:], len(moved))
        values[name] = dict(zip(moved, squares, strict=True))
    galaxies = []
    for _ in range(players):
        galaxy = Galaxy({}, board=profile.board)
        for _ in range(rng.choice((18, 20, 22, 23, 25))):
            free = [(s, c) for s, c in galaxy.legal_placements() if s not in galaxy.stars]
            if free:
                galaxy = galaxy.place(*rng.choice(free))
        galaxies.append({"stars": dict(galaxy.stars), "black": rng.choice((0, 1, 2, 3, 4, 6))})
    personal = rng.sample([*of_deck("personal")], players)
    return {**cards, "values": values, "galaxies": galaxies, "personal": personal}


def _values_board(profile: Profile) -> TokenSheet:
    return next(sheet for sheet in token_sheets(profile.layout) if sheet.tracks)


def values_print(
    sheet: TokenSheet, values: Mapping[str, Mapping[str, str]], fine: float, rng: random.Random
) -> np.ndarray:
    """Return the Values board with its tokens, (H, W, 3) uint8; unmoved ones are at the start."""
    face = rasterise(sheet.sheet, fine)
    for name, track in sheet.tracks.items():
        start = np.array(next(iter(track.at.values())))
        waiting = [token for token in track.tokens if token not in values[name]]
        spots = {token: np.array(track.at[at]) for token, at in values[name].items()}
        for number, token in enumerate(waiting):
            across = track.tokens[token].size_mm[0]
            beside, above = (number + 1) // 2, (number % 2) * 2 - 1
            spots[token] = start + np.array((0.0, above * beside * 1.05 * across))
        for token, at in spots.items():
            drawn = rasterise(track.tokens[token], fine)
            side = drawn.shape[0]
            turn = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, rng.uniform(0, 360), 1.0)
            turned = cv2.warpAffine(drawn, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
            off = np.array((rng.gauss(0, 0.6), rng.gauss(0, 0.6)))
            x, y = np.rint((at + off) * fine - side / 2).astype(int)
            top, left = max(y, 0), max(x, 0)
            part = face[top : y + side, left : x + side]
            on = np.hypot(*(np.mgrid[:side, :side] - (side - 1) / 2)) < side / 2
            cut = np.s_[top - y : top - y + part.shape[0], left - x : left - x + part.shape[1]]
            part[on[cut]] = turned[cut][on[cut]]
    return face


def render(
    out: Path, count: int, seed: int, samples: int, players: int = 2, mixed: bool = False
) -> None:
    """Photograph games into a folder; what is there already is kept."""
    from models.nebula.rendering.measuring_set import furnish, random_tokens
    from models.rendering.kits import load_sets
    from models.rendering.random_scenes import RENDERED, laid, random_shot
    from models.rendering.scene import Neighbour, Sheet
    from models.rendering.tables import from_a_seat, rotated
    from tests.benchmarks.traced_cards import (
        FINE,
        SIZE_PX,
        STOCKS,
        Table,
        framed,
        photograph,
        printed_face,
    )
    from webapp.app.game_pages import pages_of

    profile = load_profile("nebula/standard")
    printed = {card.id: card for card in pages_of("nebula").cards(profile, "en")}
    kits = load_sets("models.nebula.rendering")
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        if (out / f"{number:04}.json").exists():
            continue
        rng = random.Random(f"whole table {seed} {number}")
        game, stock = played(rng, profile, players), STOCKS[(seed + number) % len(STOCKS)]
        home = kits[[*kits][(seed + number) % len(kits)]]
        with tempfile.TemporaryDirectory() as work:
            sheet, tokens = furnish(home, profile, Path(work))
            sheet = replace(sheet, thickness=home.thickness, roughness=home.roughness)
            if rng.random() < 0.5:
                tokens = random_tokens(rng)

            def put(
                drawn: np.ndarray, name: str, work: str = work, stock: Any = stock, n: int = number
            ) -> Path:
                path = Path(work) / f"{name}.png"
                cv2.imwrite(str(path), stock.printer.put(drawn, FINE, seed=n))
                return path

            def card(id: str, put: Any = put, stock: Any = stock, rng: Any = rng) -> Sheet:
                return Sheet(
                    put(printed_face(printed[id], stock.saving), id),
                    CARD_MM,
                    thickness=stock.thickness,
                    bend=(rng.uniform(0, stock.bend), rng.uniform(0, stock.bend)),
                    roughness=stock.roughness,
                )

            values = _values_board(profile)
            shown = put(values_print(values, game["values"], FINE, rng), "values")
            public = [*game["career"], *game["advanced"]]
            if mixed:
                rng.shuffle(public)
                game["advanced"] = [id for id in public if id in game["advanced"]]
            own_at = MIXED_MM if mixed else OWN_CARDS_MM
            spots = [*itertools.product(ROWS_MM, CARDS_MM)]
            things = [
                *((card(id), (x, y)) for id, (y, x) in zip(public, spots, strict=True)),
                *((card(id), at) for id, at in zip(game["personal"], own_at, strict=False)),
                (Sheet(shown, values.sheet.size_mm, thickness=0.3, roughness=0.7), VALUES_MM),
            ]
            positions = [
                NEBULA.pieces_of(Galaxy(one["stars"], one["black"], profile.board))
                for one in game["galaxies"]
            ]
            shot = random_shot(rng, profile, sheet, positions[0], tokens)
            others = [
                tuple(
                    laid(rng, piece, profile.places[spot], loose=0.9)
                    for spot, piece in position.items()
                    if tokens.has(piece)
                )
                for position in positions[1:]
            ]
            askew, neighbours = rng.gauss(0, _ASKEW), []
            for thing, at, pieces, turn in (
                *(
                    (sheet, at, own, 180.0 * (at[1] < 0))
                    for own, at in zip(others, BOARDS_MM[1:], strict=False)
                ),
                *((thing, at, (), 0.0) for thing, at in things),
            ):
                x, y = at[0] - BOARDS_MM[0][0], at[1] - BOARDS_MM[0][1]
                x, y = rotated((x + rng.gauss(0, _OFF_MM), y + rng.gauss(0, _OFF_MM)), -askew)
                width, height = sheet.size
                around = width / 2 + x, height / 2 + y
                turned = turn + rng.gauss(0, _ASKEW) - askew
                neighbours.append(Neighbour(thing, pieces, around, turned))
            size = round(SIZE_PX[0] * RENDERED), round(SIZE_PX[1] * RENDERED)
            own = sum(tokens.has(piece) for piece in positions[0].values())
            scene = replace(
                shot.scene,
                sheet=replace(shot.scene.sheet, thickness=home.thickness),
                pieces=shot.scene.pieces[:own],  # without those beside the board
                props=(),
                neighbours=tuple(neighbours),
                size=size,
            )
            camera = framed(from_a_seat(rng, scene, (45, 75)), scene)
            names = [*public, *game["personal"], "values"]
            table = Table(
                replace(scene, camera=camera),
                names,
                [0.0] * len(names),
                players,
                shot.phone,
                rng.uniform(75, 130),
            )
            photograph(table, out, number, samples, stock)
        label = json.loads((out / f"{number:04}.json").read_text(encoding="utf-8"))
        (out / f"{number:04}.json").write_text(json.dumps({**label, **game}), encoding="utf-8")


def walk(folder: Path, camera: float) -> bool:
    """Take each photograph of a folder to the winner; return whether all were kept as they lay."""
    right = any(folder.glob("*.json"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for labels in sorted(folder.glob("*.json")):
            truth = json.loads(labels.read_text(encoding="utf-8"))
            with tempfile.TemporaryDirectory() as data:
                server = Server(Path(data, "data"))
                context = browser.new_context(
                    base_url=server.address, viewport=PHONE, locale="en-GB", has_touch=True
                )
                context.set_default_timeout(LONGEST_MS)
                hands = Hands(context.new_page(), touch=True)
                try:
                    asked = [*walked(hands, labels.with_suffix(".jpg"), truth, camera)]
                    seconds, wrong = hands.seconds(), [*mistakes(hands.page, truth)]
                finally:
                    context.close()
                    server.kill()
            right = right and not wrong
            print(
                f"{labels.stem} ({truth['stock']}): {hands.taps + CAMERA} taps, {seconds:.1f} s"
                f" with {camera:.0f} s for the camera; asked {asked}; wrong {wrong}",
                flush=True,
            )
    return right


def walked(hands: Hands, photograph: Path, truth: Any, camera: float) -> Iterator[str]:
    """Go from the first page to the winner; yield what is asked on the way."""
    page = hands.page
    page.goto("/")
    names = NAMES[: len(truth["galaxies"])]
    if len(names) > 2:
        hands.tap(f'.segments label:has([name=count][value="{len(names)}"])')
    hands.tap("#name-0")
    for name in names[:-1]:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.keyboard.type(names[-1])
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    with page.expect_file_chooser() as chooser:
        hands.tap(".whole-table label.taker")
    time.sleep(camera)
    chooser.value.set_files(photograph)
    page.locator(".table-photograph").wait_for()
    for _ in range(MOST_PAGES):
        if page.locator(".standing").count():
            break
        if page.locator("#whose").count():
            yield owned(hands, truth)
            continue
        if page.locator("#question-message").count():
            yield answered(hands, truth)
            continue
        if seat := re.search(r"/players/(\d+)/personal$", page.url):  # it was not read
            card = truth["personal"][int(seat[1])]
            yield f"{NAMES[int(seat[1])]}'s card: {card}"
            hands.onward(page.locator(f'.gallery button.card[value="{card}"]'))
            continue
        if page.locator("form.cards").count():  # some were not read
            every = [*truth["career"], *truth["advanced"]]
            left = [page.locator(f'.card[data-ask="{one}"][aria-pressed="false"]') for one in every]
            unread = [one for one in left if one.count()]
            yield f"{len(unread)} cards"
            for one in unread[:-1]:
                hands.tap(one)
            if unread:
                hands.onward(unread[-1])  # the next page opens by itself
            else:
                hands.next()
            continue
        yield from confirmed(hands, truth)
        page.locator("#table-waiting").wait_for(state="detached")
        page.wait_for_load_state()
        for doubt in page.locator(".table-question").all():
            yield doubt.locator("legend").inner_text()
            answer(hands, doubt, truth)
        for track in page.locator(".track:has(.badge.ask)").all():
            name = track.get_attribute("data-track") or ""
            yield name
            put_in_order(hands, track, truth["values"][f"values.{name}"])
        for contested in page.locator(".career:has(.contested)").all():
            yield "who was first"
            hands.tap(contested.locator("[value=first]").first)
        hands.next()
    expect(page.locator(".standing")).to_have_count(len(names))


def owned(hands: Hands, truth: Any) -> str:
    """Say whose the marked board is, and return it."""
    marked = hands.page.locator("#whose polygon.asked").get_attribute("points") or ""
    at = np.mean([[float(x) for x in corner.split(",")] for corner in marked.split()], axis=0)
    away = [float(np.linalg.norm(np.mean(board, axis=0) - at)) for board in truth["boards"]]
    seat = away.index(min(away))
    hands.onward(hands.page.locator(f'#whose button[value="{seat}"]'))
    return f"whose board: {NAMES[seat]}"


def answered(hands: Hands, truth: Any) -> str:
    """Answer a question about spaces of a board; return what it was and whether it was likeliest.

    Of several that look alike, those that differ from most are left for later.
    """
    form = hands.page.locator("#answers")
    seat = int(re.findall(r"/(\d+)(?:/|$)", form.get_attribute("action") or "")[0])
    stars = truth["galaxies"][seat]["stars"]
    boxes = hands.page.locator(".alike input").all()
    named = boxes or [form.locator("[name=space]")]
    spaces = [one.get_attribute("value") or "" for one in named]
    lie = [stars.get(space, "") for space in spaces]
    most = max({*lie}, key=lie.count)
    for box, piece in zip(boxes, lie, strict=False):
        if piece != most:
            hands.tap(box.locator(".."))
    chosen = form.locator(f'button[name=star][value="{most}"]').first
    if not chosen.count() and form.locator("a.other").count():
        hands.onward(form.locator("a.other"))
        return f"{NAMES[seat]}'s board: something else"
    if not chosen.count():
        hands.tap(form.locator(".other"))
        chosen = hands.page.locator(f'[name=star][value="{most}"]:visible').first
    place = chosen.get_attribute("id")
    redrawn = hands.page.locator("#review .review")
    before = redrawn.get_attribute("data-doubts") if redrawn.count() else None
    if before is None:
        hands.onward(chosen)
    else:
        hands.tap(chosen)
        expect(redrawn).not_to_have_attribute("data-doubts", before)
    return f"{NAMES[seat]} {' '.join(spaces)}: {most or 'empty'}, {place}"


def confirmed(hands: Hands, truth: Any) -> Iterator[str]:
    """Correct the pieces on doubtful spaces of all boards, and confirm them together."""
    for guess in hands.page.locator(".guess").all():
        (likely, *others) = guess.locator("input").all()
        _guess, seat, space = (likely.get_attribute("name") or "").split("-", 2)
        lies = truth["galaxies"][int(seat)]["stars"].get(space, "")
        yield f"{NAMES[int(seat)]} {space}: {lies or 'empty'} among others"
        if likely.get_attribute("value") != lies:
            values = [one.get_attribute("value") for one in others]
            hands.tap(others[values.index(lies if lies in values else "?")].locator(".."))
    for tick in hands.page.locator(".guesses label.switch").all():
        hands.tap(tick)


def answer(hands: Hands, asked: Locator, truth: Any) -> None:
    """Answer which card one is, whose, or who was first on it."""
    legend, first = asked.locator("legend").inner_text(), asked.locator("input").first
    name = first.get_attribute("name") or ""
    wanted = "0"  # who was first cannot be seen
    if name.startswith("whose"):
        wanted = next(str(seat) for seat, id in enumerate(truth["personal"]) if id in legend)
    elif name.startswith("card"):
        left, top, width, height = map(
            float, (asked.locator(".crop").get_attribute("viewBox") or "").split()
        )
        at = np.array((left + width / 2, top + height / 2))
        wanted = min(
            truth["cards"],
            key=lambda one: float(np.linalg.norm(np.mean(one["corners"], axis=0) - at)),
        )["card"]
        known = [one.get_attribute("value") for one in asked.locator("input").all()]
        wanted = wanted if wanted in known else "none"
    hands.tap(asked.locator(f'label:has([value="{wanted}"])'))


def put_in_order(hands: Hands, track: Locator, squares: Mapping[str, str]) -> None:
    """Put a track's tokens in order; `squares` are those of the tokens that have moved."""
    wanted = _ahead(squares)
    if track.locator("input[type=hidden]").input_value() == ",".join(wanted):
        kind = "in-order" if wanted else "unmoved"
        for tick in track.locator(f'label.switch:has([name^="{kind}"])').all():
            hands.tap(tick)
        return
    order = [one.get_attribute("data-token") or "" for one in track.locator(".order li").all()]
    for token in [one for one in order if one not in wanted]:
        hands.tap(track.locator(f'[data-token="{token}"] .out'))
        order.remove(token)
    kept = _longest_in_order(order, wanted)
    for place, token in enumerate(wanted):
        if token in kept:
            continue
        before = wanted[place - 1] if place else ""
        was = order.index(token) if token in order else len(order)
        others = [one for one in order if one != token]
        to = others.index(before) + 1 if before else 0
        hands.tap(track.locator(f'[data-token="{token}"] .value-token'))
        if to != was:
            if token not in order:
                hands.tap(track.locator(f'[data-token="{token}"] .value-token'))
            hands.tap(track.locator(f".order li:nth-child({to + 1}) .value-token"))
        order = [*others[:to], token, *others[to:]]
    expect(track.locator("input[type=hidden]")).to_have_value(",".join(wanted))


def _longest_in_order(order: Sequence[str], wanted: Sequence[str]) -> Sequence[str]:
    """Return the most of the tokens that are in the wanted order already."""
    runs = [some for many in range(len(order) + 1) for some in itertools.combinations(order, many)]
    right = [some for some in runs if [*some] == sorted(some, key=wanted.index)]
    return max(right, key=len)


def _ahead(squares: Mapping[str, str]) -> list[str]:
    return sorted(squares, key=lambda token: -int(squares[token].rpartition(".")[2]))


def mistakes(page: Page, truth: Any) -> Iterator[str]:
    """Yield what the game that a page shows has other than the table."""
    game = re.sub(r"(/games/[^/]+).*", r"\1", page.url)
    kept = yaml.safe_load(page.request.get(f"{game}/share/game.yaml").text())
    if sorted(kept["career"]) != sorted(truth["career"]):
        yield f"career cards {kept['career']}"
    if kept["advanced"] != truth["advanced"]:
        yield f"advanced cards {kept['advanced']}"
    for track, squares in truth["values"].items():
        own = kept["values"].get(track.partition(".")[2], [])
        if own != _ahead(squares):
            yield f"{track} {own}"
    for player, galaxy, card in zip(
        kept["players"], truth["galaxies"], truth["personal"], strict=True
    ):
        if player.get("personal") != card:
            yield f"{player['name']}'s card {player.get('personal')}"
        stars = {space: star for space, star in player["stars"].items() if star}
        differ = {*stars.items()} ^ {*galaxy["stars"].items()}
        if differ or player.get("black", 0) != galaxy["black"]:
            yield f"{player['name']}'s galaxy {sorted(differ)}, {player.get('black', 0)} black"


def main() -> int:
    """Render games, or take them to their winners."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("render", "walk"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--camera", type=float, default=5.0, help="Seconds to take a photograph.")
    asked = parser.parse_args()
    if asked.what == "walk":
        return 0 if walk(asked.folder, asked.camera) else 1
    render(asked.folder, asked.count, asked.seed, asked.samples, asked.players, asked.mixed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
