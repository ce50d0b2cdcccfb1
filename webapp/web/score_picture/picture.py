"""The score sheet as a picture to share: a PNG, 1080 px wide, on a night sky."""

import io
import random
from collections.abc import Sequence
from datetime import datetime

from flask_babel import format_date, ngettext
from flask_babel import gettext as _
from PIL import Image, ImageDraw

from calibration import Profile
from scorer.scoresheet import Score
from scorer.sentence import Sentence
from webapp.app.boards import board_drawing
from webapp.app.game_pages import pages_of
from webapp.app.languages import language
from webapp.app.session import game_document, scoring
from webapp.app.session.board_slots import board_shown, is_shared
from webapp.app.session.saved_games import SavedGame
from webapp.app.session.scoring import Standing
from webapp.web.score_picture.board_picture import FINER, BoardPicture
from webapp.web.score_picture.lettering import TEXT, TITLE, Lettering

WIDTH = 1080
MARGIN = 60
GAP = 30
TOP, BOTTOM = "#0a0f26", "#1b2560"
PANEL, EDGE = "#121a41", "#33407f"
INK, SOFT, GOLD = "#eff1fc", "#b6bee2", "#f3c969"

HEAD = 290
NAME_BAND = 110
EDGE_BAND = 16
ROW = 66


def picture(game: SavedGame, score: Score, profile: Profile) -> bytes:
    """Return the PNG of a finished game: winners, boards, and points by category."""
    sheet = _Sheet(game, scoring.standings(score), profile)
    sheet.draw()
    return sheet.png()


class _Sheet:
    """The picture being drawn; positions and sizes in px of the final picture."""

    def __init__(self, game: SavedGame, standings: Sequence[Standing], profile: Profile) -> None:
        self.game, self.standings, self.profile = game, standings, profile
        self.pages = pages_of(game.document["game"])
        self.drawing = drawing = board_drawing.draw(profile)
        categories = self.pages.game.categories
        self.parts = [scoring.by_category(one.score.lines, categories) for one in standings]
        present = {category for part in self.parts for category in part}
        self.categories = [name for name in categories if name in present]
        self.shared = is_shared(game.document)
        shown = 1 if self.shared else len(standings)
        self.card_width = (WIDTH - 2 * MARGIN - GAP) / 2 if shown > 1 else 620
        wide, high = drawing.frame[2:] if self.shared else (drawing.width, drawing.height)
        self.scale = self.card_width / wide
        self.card_height = high * self.scale + (2 * EDGE_BAND if self.shared else NAME_BAND)
        self.rows = -(-shown // 2)
        self.table_top = HEAD + self.rows * (self.card_height + GAP) + 20
        height = self.table_top + ROW * (len(self.categories) + 2) + 130
        self.image = _sky(WIDTH * FINER, round(height) * FINER)
        self.pen = ImageDraw.Draw(self.image)

    def png(self) -> bytes:
        file = io.BytesIO()
        self.image.reduce(FINER).quantize(192, dither=Image.Dither.NONE).save(file, "PNG")
        return file.getvalue()

    def draw(self) -> None:
        self._head()
        if self.shared:
            self._shared_board()
        for place, standing in enumerate(() if self.shared else self.standings):
            row, column = divmod(place, 2)
            left = MARGIN + column * (self.card_width + GAP)
            if place == len(self.standings) - 1 and column == 0:  # centre a single last board
                left = (WIDTH - self.card_width) / 2
            self._board((left, HEAD + row * (self.card_height + GAP)), standing)
        self._table()
        self._foot()

    def _head(self) -> None:
        winners = [standing for standing in self.standings if standing.place == 1]
        names = " & ".join(winner.score.name for winner in winners)
        if len(winners) == 1:
            heading = _("%(name)s wins", name=names)
        else:
            heading = _("%(names)s share the win", names=names)
        self._write(TITLE, (MARGIN, 96), self.pages.game.title, 40, GOLD)
        self._write(TEXT, (WIDTH - MARGIN, 94), _day(self.game.created_at), 27, SOFT, "right")
        room = WIDTH - 2 * MARGIN
        size = next((size for size in (88, 76, 64, 54) if TITLE.width(heading, size) <= room), 46)
        self._write(TITLE, (MARGIN, 200), TITLE.fitted(heading, size, room), size, INK)
        best = winners[0].score
        words = ngettext("%(num)d point", "%(num)d points", best.total)
        if winners[0].decided and len(winners) == 1:
            words += f" · {_spoken(winners[0].decided)}"
        self._write(TEXT, (MARGIN, 248), words, 30, GOLD)

    def _shared_board(self) -> None:
        """Draw the shared board's final state, centred."""
        x, y = (WIDTH - self.card_width) / 2, HEAD
        self._panel((x, y, x + self.card_width, y + self.card_height), EDGE)
        left, top, _wide, _high = self.drawing.frame
        corner = (x - left * self.scale, y + EDGE_BAND - top * self.scale)
        self._pieces((corner[0] * FINER, corner[1] * FINER), self.standings[0].seat)

    def _pieces(self, corner: tuple[float, float], seat: int) -> None:
        document = self.game.document
        picture = BoardPicture(self.pen, self.drawing, corner, self.scale * FINER)
        number = board_shown(document, seat)
        picture.show(game_document.pieces_of(document, number, self.profile.board))

    def _board(self, at: tuple[float, float], standing: Standing) -> None:
        x, y = at
        won = standing.place == 1
        self._panel((x, y, x + self.card_width, y + self.card_height), GOLD if won else EDGE)
        total, colour = str(standing.score.total), GOLD if won else INK
        self._write(TEXT, (x + self.card_width - 26, y + 76), total, 56, colour, "right")
        self._write(TEXT, (x + 26, y + 70), f"{standing.place}", 30, SOFT)
        name = standing.score.name
        room = self.card_width - 112 - TEXT.width(total, 56)
        size = next((size for size in (42, 36, 31) if TITLE.width(name, size) <= room), 31)
        self._write(TITLE, (x + 66, y + 72), TITLE.fitted(name, size, room), size, INK)
        self._pieces((x * FINER, (y + NAME_BAND - 10) * FINER), standing.seat)

    def _table(self) -> None:
        left, right = MARGIN, WIDTH - MARGIN
        names_from = left + 360
        column = (right - names_from) / len(self.standings)
        middles = [names_from + column * (place + 0.5) for place in range(len(self.standings))]
        y = self.table_top
        bottom = y + ROW * (len(self.categories) + 2) + 10
        self._panel((left, y, right, bottom), EDGE)
        for middle, standing in zip(middles, self.standings, strict=True):
            name = TEXT.fitted(standing.score.name, 27, column - 16)
            self._write(TEXT, (middle, y + 44), name, 27, SOFT, "middle")
        for row, category in enumerate(self.categories, start=1):
            base = y + row * ROW + 44
            self._rule(left, right, y + row * ROW)
            title = TEXT.fitted(self.pages.words.part(category), 30, 340)
            self._write(TEXT, (left + 26, base), title, 30, INK)
            for middle, part in zip(middles, self.parts, strict=True):
                points = sum(line.points for line in part.get(category, ()))
                colour = INK if points else SOFT
                self._write(TEXT, (middle, base), str(points), 32, colour, "middle")
        row = len(self.categories) + 1
        self._rule(left, right, y + row * ROW)
        self._write(TEXT, (left + 26, y + row * ROW + 48), _("Total"), 30, GOLD)
        for middle, standing in zip(middles, self.standings, strict=True):
            at = (middle, y + row * ROW + 52)
            self._write(TEXT, at, str(standing.score.total), 40, GOLD, "middle")

    def _foot(self) -> None:
        base = self.image.height / FINER - 44
        width = TITLE.width("Stargazer", 34 * FINER) / FINER + 44
        x = (WIDTH - width) / 2
        middle = (x + 14, base - 12)
        twinkle = [(0, -15), (4, -4), (15, 0), (4, 4), (0, 15), (-4, 4), (-15, 0), (-4, -4)]
        points = [((middle[0] + dx) * FINER, (middle[1] + dy) * FINER) for dx, dy in twinkle]
        self.pen.polygon(points, GOLD)
        self._write(TITLE, (x + 40, base), "Stargazer", 34, SOFT)

    def _panel(self, box: tuple[float, float, float, float], edge: str) -> None:
        finer = tuple(round(side * FINER) for side in box)
        self.pen.rounded_rectangle(finer, 22 * FINER, PANEL, edge, 2 * FINER)

    def _rule(self, left: float, right: float, y: float) -> None:
        self.pen.line(
            ((left + 20) * FINER, y * FINER, (right - 20) * FINER, y * FINER), "#27316a", FINER
        )

    def _write(
        self,
        lettering: Lettering,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        align: str = "left",
    ) -> None:
        place = (at[0] * FINER, at[1] * FINER)
        lettering.write(self.pen, place, text, size * FINER, colour, align)


def _spoken(text: Sentence | str) -> str:
    return text.in_language(language()) if isinstance(text, Sentence) else text


def _day(moment: datetime) -> str:
    return str(format_date(moment, "long"))


def _sky(width: int, height: int) -> Image.Image:
    """Draw a night sky that brightens downwards, with fixed stars."""
    night = Image.linear_gradient("L").resize((1, height)).resize((width, height))
    sky = Image.composite(
        Image.new("RGB", (width, height), BOTTOM), Image.new("RGB", (width, height), TOP), night
    )
    pen, chance = ImageDraw.Draw(sky), random.Random(25)
    for _star in range(260):
        x, y, size = chance.uniform(0, width), chance.uniform(0, height), chance.uniform(0.6, 2.6)
        glow = round(chance.uniform(110, 220))
        pen.ellipse((x - size, y - size, x + size, y + size), (glow, glow, min(255, glow + 25)))
    return sky
