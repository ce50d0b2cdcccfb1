"""One phone as camera and table page for a whole film: events found, and gaps.

    python -m tests.benchmarks.live_phone                # ten minutes of one board

Renders the film (cached in ``--folder``, as in `live_acceptance`) and plays it as the camera of a
Chromium. Its page is the table page of a server in another process, and is used throughout: tabs,
boards, dialogs. After 40 % of the film the page is reloaded, after 55 % the screen is locked for
eight seconds, after 70 % the server is killed and restarted. Prints the events found, late, missed
and false, what is wrong at the end, and each gap of the camera of two seconds or more.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import UTC
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Page, Response, sync_playwright

from calibration import load_profile
from tests.benchmarks.live_acceptance import film
from tests.films.verdict import judge
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table
from webapp.app.settings import Settings
from webapp.web.application import create_app

CAPTURE_FPS = 30
"""The frame rate at which Chromium plays a file of JPEGs."""
BITS, BIT_PX = 16, 16
READ_NUMBERS = f"""
    const encode = HTMLCanvasElement.prototype.toBlob;
    let number = 0;
    HTMLCanvasElement.prototype.toBlob = function (...how) {{
      const row = this.getContext("2d").getImageData(0, {BIT_PX} / 2, {BITS} * {BIT_PX}, 1).data;
      number = 0;
      for (let bit = 0; bit < {BITS}; bit += 1) {{
        number += (row[4 * (bit + 0.5) * {BIT_PX}] > 127) * 2 ** bit;
      }}
      return encode.apply(this, how);
    }};
    const send = window.fetch;
    window.fetch = (url, how) => {{
      if (String(url).includes("/live/frames")) how.headers["X-Film"] = String(number);
      return send(url, how);
    }};
"""
"""Sends each frame's number in the film along with it."""
GAP = 2.0
"""Seconds without an accepted frame that count as a gap."""
LONGEST = 1500.0
"""Seconds after which a film that plays ever more slowly is stopped."""
SETTLED = 4.0
"""Seconds at the end in which events may or may not be reported yet."""
MUCH_LATER = 40.0
"""Seconds after which an event that had to wait for the server counts as missed."""
HOLD = """navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 } })
    .then((one) => { window.held = one; })"""
"""Keeps the film running in a page with the camera, while the table page is reloaded."""
LOCK = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    if (hidden) document.querySelector("video").srcObject.getTracks().forEach((one) => one.stop());
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def as_capture(path: Path, fps: int, slow: int) -> Path:
    """Write a film in Chromium's camera format, slowed down by `slow`, unless it exists.

    The first row of each frame has its number in black and white, as a browser without enough
    processor time plays too slowly.
    """
    capture = path.with_suffix(f".{slow}.mjpeg")
    if capture.exists():
        return capture
    shown = cv2.VideoCapture(str(path))
    with capture.with_suffix(".part").open("wb") as file:
        for number in count():
            there, image = shown.read()
            if not there:
                break
            for bit in range(BITS):
                image[:BIT_PX, bit * BIT_PX : (bit + 1) * BIT_PX] = 255 * (number >> bit & 1)
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
            file.write(jpeg * (slow * CAPTURE_FPS // fps))
    capture.with_suffix(".part").rename(capture)
    return capture


class Server:
    """`stargazer serve` in another process."""

    def __init__(self, data: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._data = data
        self.start()
        self.wait()

    def start(self) -> None:
        command = [sys.executable, "-c", "from webapp.cli.main import main; main()"]
        command += ["serve", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [*command, "--data", str(self._data)],
            stdout=subprocess.DEVNULL,
            stderr=(self._data.parent / "server.log").open("a"),
        )

    def wait(self) -> None:
        """Wait until it answers. Raises TimeoutError."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.address}/healthz", timeout=1)
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise TimeoutError("the server does not start")

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        self._process.send_signal(how)
        self._process.wait()


class Evening:
    """A phone that films and is used. `taken` has the time and number of each frame."""

    def __init__(self, page: Page, frames: int) -> None:
        self.page, self._frames = page, frames
        self.began = time.time()
        self.taken: list[tuple[float, int]] = [(self.began, 0)]
        self.said: list[str] = []
        self._taps = 0
        page.context.on("response", self._hear)

    def _hear(self, response: Response) -> None:
        number = response.request.headers.get("x-film")
        if number is not None and response.status == 202 and int(number) >= self.taken[-1][1]:
            self.taken.append((time.time(), int(number)))

    def until(self, part: float) -> None:
        """Use the page until that part of the film was shown: a tap every two seconds."""
        taps = ("#tab-end", "#tab-line", "[data-show='1']", "#tab-objectives", "[data-show='0']")
        while self.taken[-1][1] < part * self._frames and time.time() < self.began + LONGEST:
            self.page.wait_for_timeout(2000)
            self.page.click(taps[self._taps % len(taps)])
            self._taps += 1
            if self._taps % 10 == 0:
                self.page.click("#to-cameras")
                self.page.wait_for_timeout(500)
                self.page.click("#cameras [data-close]")

    def note(self, what: str) -> None:
        """Record what is done to the phone now."""
        self.said.append(f"{time.time() - self.began:7.1f} s: {what}")

    def shown_at(self, number: float) -> float:
        """Return when a frame of the film was shown, in seconds from the beginning."""
        moments, numbers = zip(*self.taken, strict=True)
        return float(np.interp(number, numbers, moments)) - self.began


def play(capture: Path, frames: int, server: Server, game: str) -> Evening:
    """Film the table for that many frames."""
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    fake.append(f"--use-file-for-fake-video-capture={capture}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
        context = browser.new_context(
            base_url=server.address,
            viewport={"width": 390, "height": 844},
            has_touch=True,
            locale="en-GB",
        )
        holder = context.new_page()
        holder.goto("/")
        context.add_init_script(READ_NUMBERS)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{game}/live")
        evening = Evening(page, frames)
        holder.evaluate(HOLD)
        page.bring_to_front()
        page.click("#camera-start")

        evening.until(0.4)
        evening.note("page loaded anew")
        page.reload()
        evening.until(0.55)
        evening.note("screen locked for 8 s")
        page.evaluate(LOCK, True)
        page.wait_for_timeout(8000)
        page.evaluate(LOCK, False)
        evening.until(0.7)
        evening.note("server killed and started again")
        server.kill()
        server.start()
        evening.until(0.98)
        page.screenshot(path=capture.with_name("live_phone.png"))
        browser.close()
    return evening


def seen_events(table: Table, began: float) -> list[dict[str, Any]]:
    """Return the film's events in the log, with the time of logging."""
    entries = [one for one in table.service.log.entries(table.id) if one.kind == "seen"]
    at = [entry.at.replace(tzinfo=UTC).timestamp() - began for entry in entries]
    return [{**entry.data["event"], "t": t} for entry, t in zip(entries, at, strict=True)]


def board_after(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the pieces on the board after events."""
    found: dict[str, Any] = {}
    for event in events:
        if "count" in event:
            found[event["kind"]] = event["count"]
        elif event["kind"] == "removed":
            found.pop(event["space"], None)
        else:
            found[event["space"]] = event["star"]
    return {place: piece for place, piece in found.items() if piece}


def report(truth: Mapping[str, Any], told: Sequence[Mapping[str, Any]], watched: float) -> None:
    """Print how well the table was tracked; events after `watched` s are not judged."""
    found_board = {"kind": "board_found", "board": 0, "t": 0.0, "corners": truth["corners"][0]}
    verdict = judge(truth, [found_board, *told], watched=watched)
    late = judge({**truth, "events": verdict.missed}, [found_board, *verdict.false], MUCH_LATER)
    delay = median(verdict.delays) if verdict.delays else float("nan")
    print(
        f"{len(verdict.found) + len(verdict.missed)} true events: {len(verdict.found)} found,"
        f" {len(late.found)} more up to {MUCH_LATER:g} s late, {len(late.missed)} never;"
        f" {len(late.false)} made up; median delay {delay:.2f} s"
    )
    for name, listed in (("late", late.found), ("never", late.missed), ("made up", late.false)):
        for event in listed:
            print(f"  {name}: {dict(event)}")
    end = board_after(told)
    true_end = board_after(sorted([*verdict.found, *verdict.missed], key=lambda event: event["t"]))
    wrong = sorted(place for place in {*end, *true_end} if end.get(place) != true_end.get(place))
    print(f"at the end {len(true_end)} places are taken, {len(wrong)} wrong:", *wrong)


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument(
        "--slow", type=int, default=1, help="so many times slower, on a busy machine"
    )
    parser.add_argument("--folder", type=Path, default=Path("runs/films"))
    given = parser.parse_args()
    path, truth = film(
        given.folder, load_profile("standard"), given.minutes, 1, given.seed, given.fps
    )
    capture = as_capture(path, given.fps, given.slow)
    frames = int(truth["seconds"] * given.fps)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        settings = Settings(data_dir=Path(folder) / "data")
        app = create_app(settings, reads_nothing)
        table = Table(app)
        close(app)
        print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        server = Server(settings.data_dir)
        try:
            evening = play(capture, frames, server, table.game)
        finally:
            server.kill(signal.SIGTERM)
        print(f"load after: {os.getloadavg()[0]:.1f}")
        app = create_app(settings, reads_nothing)
        reported = seen_events(Table(app, table.game), evening.began)
        close(app)
    last = evening.taken[-1][0] - evening.began
    shown = [
        {**one, "t": evening.shown_at(given.fps * one["t"])}
        for one in truth["events"]
        if given.fps * one["t"] <= evening.taken[-1][1]
    ]
    report({**truth, "events": shown}, reported, last - SETTLED)
    moments = [moment - evening.began for moment, _number in evening.taken]
    gaps = [(a, b) for a, b in pairwise(moments) if b - a >= GAP]
    print(f"{len(moments)} frames taken in {last:.0f} s, {len(gaps)} gaps of {GAP:g} s or more:")
    print(*(f"{a:7.1f} s: for {b - a:.1f} s" for a, b in gaps), sep="\n")
    print(*evening.said, sep="\n")


def close(app: Any) -> None:
    """Stop an application's background work."""
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()
    app.extensions["stargazer"].drafts.close()


if __name__ == "__main__":
    main()
