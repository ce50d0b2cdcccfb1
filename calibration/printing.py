"""A board and its tokens as a PDF that prints at true size."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.artwork import artwork, describe_board, further_sheets
from calibration.cards import CARD_MM, Card, draw_back, draw_card
from calibration.drawing import Drawing, Fill, Mark, Picture
from calibration.ink_saving import on_white
from calibration.packing import pack
from calibration.page_marks import crop_marks, cut_grid, foot, glue_strips, say, tile_map
from calibration.pdf import draw_on_page
from calibration.profile import Profile
from calibration.summary import ON_A_SHEET, Aids, draw_aids
from calibration.tiles import Box, Size, Tiling, tile
from scorer import registry
from scorer.datafile import read_package_file
from scorer.sentence import Phrasebook, Sentence

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet in mm."""
MARGINS_MM = {"a4": 5.0, "a3": 5.0, "letter": 6.35}
"""What home printers leave blank at each edge of a sheet."""

ABOVE_MM = 8.0
BELOW_MM = 26.8  # the ruler and two lines of text
GAP_MM = 4.0
"""Between things on one sheet."""
LABEL_BELOW_MM = 3.0
"""From a group of parts to the baseline of its name."""
TOKEN_GAP_MM = 1.5
WORDS = Phrasebook(read_package_file(__package__, "print_words.yaml"), {})


@dataclass(frozen=True)
class Sheets:
    """How sheets are printed: the paper (a key of PAPERS), the language, and with how much ink.

    With `blank_backs`, an empty page follows each page that is not the front of another one.
    """

    paper: str = "a4"
    language: str = "en"
    saving: bool = False
    blank_backs: bool = False

    @property
    def size(self) -> Size:
        """Width and height in mm."""
        return PAPERS[self.paper]

    def printable(self, *, landscape: bool = False) -> Box:
        """Left, bottom, right and top in mm of what a printer can reach."""
        width, height = self.size[::-1] if landscape else self.size
        margin = MARGINS_MM[self.paper]
        return margin, margin, width - margin, height - margin

    def room(self, *, landscape: bool = False) -> Size:
        """How large a drawing on a sheet may be, in mm."""
        left, _, right, _ = self.printable(landscape=landscape)
        height = self.size[0 if landscape else 1]
        return right - left, height - ABOVE_MM - BELOW_MM

    def end_page(self, canvas: Any) -> None:
        """End a page and, with `blank_backs`, its back."""
        canvas.showPage()
        if self.blank_backs:
            canvas.showPage()

    def say(self, key: str, **values: str) -> str:
        return WORDS.say(key, **values).in_language(self.language)

    def inked(self, drawing: Drawing) -> Drawing:
        return replace(drawing, marks=on_white(drawing.marks)) if self.saving else drawing


def print_board(profile: Profile, paper: str = "a4") -> bytes:
    """Make the PDF: the board, what else the game has to cut out, and its tokens.

    What is larger than the paper is printed in tiles that overlap; what is small shares sheets. A
    built-in profile is drawn; an owner's is printed from its reference, where it has one.
    """
    sheets, held = Sheets(paper), io.BytesIO()
    canvas = _canvas(held, profile, sheets)
    _board_pages(canvas, profile, _board(profile), sheets)
    _further_pages(canvas, profile.layout.game, further_sheets(profile.layout), sheets)
    _token_pages(canvas, profile.layout.game, sheets)
    canvas.save()
    return held.getvalue()


@dataclass(frozen=True)
class WholeGame:
    """All that a game needs: its boards, its cards, its players' aids.

    Further kinds of boards are among what lies beside the first of the `boards`.
    """

    boards: Sequence[Profile]
    cards: Sequence[Card]
    aids: Aids | None = None

    @cached_property
    def components(self) -> Sequence[Drawing]:
        """What else there is to cut out, the tokens apart."""
        return further_sheets(self.boards[0].layout)


@dataclass(frozen=True)
class Part:
    """What some of the sheets of a whole game hold.

    `kind` and `hints` are phrases of `print_words.yaml` after "part_"; `cuts` are the straight
    ones. `title` tells boards of several kinds apart.
    """

    kind: str
    sheets: int
    things: int
    cuts: int = 0
    hints: Sequence[str] = ()
    title: Sentence | str = ""


def print_everything(whole: WholeGame, sheets: Sheets | None = None) -> bytes:
    """Make the PDF of a whole game: cards with their backs, players' aids, boards, tokens.

    Odd pages are fronts, even pages their backs, blank but for the cards'.
    """
    profile, held = whole.boards[0], io.BytesIO()
    sheets = replace(sheets or Sheets(), blank_backs=True)
    canvas = _canvas(held, profile, sheets)
    _card_pages(canvas, whole.cards, sheets)
    if whole.aids is not None:
        for _page in draw_aids(canvas, whole.aids, sheets.printable(), sheets.language):
            sheets.end_page(canvas)
    kinds = {board.name: board for board in whole.boards}
    drawn = {name: _board(board) for name, board in kinds.items()}
    for board in whole.boards:
        _board_pages(canvas, board, drawn[board.name], sheets, named=len(kinds) > 1)
    _further_pages(canvas, profile.layout.game, whole.components, sheets)
    _token_pages(canvas, profile.layout.game, sheets)
    canvas.save()
    return held.getvalue()


def parts_of(whole: WholeGame, sheets: Sheets) -> Sequence[Part]:
    """What the sheets of `print_everything` hold, in their order."""
    small, large = _small_and_large(whole.components, sheets)
    beside = [len(_tiling(drawing.size_mm, sheets)) for drawing in large]
    together = len(_packed(small, sheets))
    across, pages = _card_sheets(whole.cards, sheets)
    rows = [-(-len(page) // across) for page in pages]
    tokens, token_pages = _packed_tokens(whole.boards[0].layout.game, sheets)
    players = whole.aids.players if whole.aids else 0
    folded = ["folded"] if any(drawing.folds for drawing in whole.components) else []
    found = (
        Part("cards", len(pages), len(whole.cards), sum(across + down + 2 for down in rows)),
        Part("aids", -(-players // ON_A_SHEET), players, players // ON_A_SHEET),
        *_boards(whole, sheets),
        Part("beside", sum(beside) + together, len(whole.components), hints=folded),
        Part("tokens", len(token_pages), len(tokens)),
    )
    return [part for part in found if part.sheets]


def _boards(whole: WholeGame, sheets: Sheets) -> Iterator[Part]:
    """The boards by kind; of several kinds, the last is for beginners."""
    kinds = {board.name: board for board in whole.boards}
    for name, board in kinds.items():
        count, tiles = (
            (own.name == name for own in whole.boards),
            len(_tiling(board.size_mm, sheets)),
        )
        hints, title = ["glued"] if tiles > 1 else [], ""
        if len(kinds) > 1:
            title = board.title
            hints.append("first_game" if name == whole.boards[-1].name else "later")
        things = sum(count)
        yield Part("boards", things * tiles, things, 4 * things * tiles, hints, title)


def contents(whole: WholeGame, sheets: Sheets) -> Sequence[tuple[str, str]]:
    """The numbers of the pages of `print_everything`, and what these hold."""
    listed, first = [], 1
    for part in parts_of(whole, sheets):
        last = first + 2 * part.sheets - 1
        numbers = f"{first}–{last}"
        counts = {"things": str(part.things), "cuts": str(part.cuts)}
        said = [sheets.say(f"part_{one}", **counts) for one in (part.kind, *part.hints)]
        if part.title:
            said.insert(0, f"{_in_language(part.title, sheets.language)}.")
        listed.append((numbers, " ".join(said)))
        first = last + 1
    return listed


def _canvas(held: io.BytesIO, profile: Profile, sheets: Sheets) -> Any:
    canvas = Canvas(held, pagesize=_points(sheets.size), invariant=1)
    canvas.setTitle(str(profile.title))
    canvas.setCreator("stargazer print")
    return canvas


def _points(size: Size) -> Size:
    return size[0] * mm, size[1] * mm


def _board_pages(
    canvas: Any, profile: Profile, drawn: Drawing, sheets: Sheets, named: bool = False
) -> None:
    """A board on its sheets, `named` on each where there are others."""
    printed = [_box(shape.outline) for shape in profile.layout.places.values()]
    title = _in_language(profile.title, sheets.language) if named else ""
    _drawing_pages(canvas, drawn, sheets, "edge", printed, title)


def _in_language(text: str, language: str) -> str:
    return text.in_language(language) if isinstance(text, Sentence) else text


def _box(outline: Sequence[Size]) -> Box:
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _further_pages(canvas: Any, game: str, drawings: Sequence[Drawing], sheets: Sheets) -> None:
    """What fits a sheet together with others lies there with them; the rest has its own."""
    small, large = _small_and_large(drawings, sheets)
    for drawing in large:
        title = _printed_word(game, drawing.name, sheets)
        _drawing_pages(canvas, drawing, sheets, _cut(drawing), title=title)
    for page in _packed(small, sheets):
        width = max(left + small[number].size_mm[0] for number, (left, _) in page)
        height = max(top + small[number].size_mm[1] for number, (_, top) in page)
        x0 = (sheets.size[0] - width) / 2
        y0 = BELOW_MM + (sheets.size[1] - height - ABOVE_MM - BELOW_MM) / 2
        for number, (left, top) in page:
            drawing = small[number]
            bottom = y0 + height - top - drawing.size_mm[1]
            draw_on_page(canvas, sheets.inked(drawing), x0 + left, bottom)
            for group in drawing.groups:
                x = (group.top_left[0] + group.bottom_right[0]) / 2
                y = group.bottom_right[1] + LABEL_BELOW_MM
                at = (x0 + left + x, bottom + drawing.size_mm[1] - y)
                say(canvas, at, _printed_word(game, group.name, sheets))
            if len(page) == 1:
                crop_marks(canvas, sheets.printable(), (x0, bottom), drawing.size_mm)
        shown = [small[number] for number, _ in page]
        titles = dict.fromkeys(_printed_word(game, drawing.name, sheets) for drawing in shown)
        said = [f"{title}." for title in titles if title]
        said += [sheets.say("scale"), *dict.fromkeys(sheets.say(_cut(one)) for one in shown)]
        foot(canvas, sheets.size, y0, " ".join(said))
        sheets.end_page(canvas)


def _cut(drawing: Drawing) -> str:
    """The phrase that says how to cut a drawing out."""
    return "folds" if drawing.folds else "lines"


def _printed_word(game: str, key: str, sheets: Sheets) -> str:
    """A game's phrase for a printed thing, "" if it has none."""
    words, key = registry.find_game(game).words, f"printed_{key}"
    return words.say(key).in_language(sheets.language) if key in words.phrases else ""


def _small_and_large(
    drawings: Sequence[Drawing], sheets: Sheets
) -> tuple[Sequence[Drawing], Sequence[Drawing]]:
    """The drawings that fit a sheet as it stands, and the rest."""
    width, height = sheets.room()
    small = [one for one in drawings if one.size_mm[0] <= width and one.size_mm[1] <= height]
    return small, [one for one in drawings if one not in small]


def _packed(small: Sequence[Drawing], sheets: Sheets) -> Sequence[Sequence[tuple[int, Size]]]:
    return pack([one.size_mm for one in small], sheets.room(), GAP_MM)


def _card_sheets(cards: Sequence[Card], sheets: Sheets) -> tuple[int, Sequence[Sequence[Card]]]:
    """How many cards lie in a row, and those of each sheet."""
    width, height = sheets.room()
    across, down = int(width // CARD_MM[0]), int(height // CARD_MM[1])
    on_one = across * down
    return across, [cards[start : start + on_one] for start in range(0, len(cards), on_one)]


def _card_pages(canvas: Any, cards: Sequence[Card], sheets: Sheets) -> None:
    """Cards edge to edge, and after each sheet its backs as they lie turned over."""
    across, pages = _card_sheets(cards, sheets)
    for page in pages:
        rows = -(-len(page) // across)
        width, height = across * CARD_MM[0], rows * CARD_MM[1]
        left = (sheets.size[0] - width) / 2
        bottom = sheets.size[1] - ABOVE_MM - height
        numbers = {"first": page[0].number, "last": page[-1].number}
        for back in (False, True):
            for number, card in enumerate(page):
                column = number % across
                shown = across - 1 - column if back else column
                x = left + shown * CARD_MM[0]
                y = bottom + height - (number // across + 1) * CARD_MM[1]
                (draw_back if back else draw_card)(canvas, card, (x, y), sheets.saving)
            cut_grid(canvas, sheets.printable(), (left, bottom), (across, rows))
            said = sheets.say("backs" if back else "fronts", **numbers)
            foot(canvas, sheets.size, bottom, said)
            canvas.showPage()


def _tiling(size: Size, sheets: Sheets, printed: Sequence[Box] = ()) -> Tiling:
    return tile(size, sheets.room(), sheets.room(landscape=True), printed)


def _board(profile: Profile) -> Drawing:
    if profile.built_in or profile.reference is None:
        return describe_board(profile.layout)
    return Drawing(profile.size_mm, (Picture(profile.reference),))


def _drawing_pages(
    canvas: Any,
    drawing: Drawing,
    sheets: Sheets,
    cut: str,
    printed: Sequence[Box] = (),
    title: str = "",
) -> None:
    """A drawing in the middle of a sheet, or its tiles on as many as they take.

    `cut` is the phrase that says how to cut it out, `printed` the boxes that no cut should cross.
    """
    paper, drawing = sheets.size, sheets.inked(drawing)
    tiling = _tiling(drawing.size_mm, sheets, printed)
    caption = sheets.say("scale") + " " + sheets.say(cut if len(tiling) == 1 else "tiled")
    caption = f"{title}. {caption}" if title else caption
    sheet = (paper[1], paper[0]) if tiling.landscape else paper
    printable = sheets.printable(landscape=tiling.landscape)
    for one in tiling:
        canvas.setPageSize((sheet[0] * mm, sheet[1] * mm))
        x0, y0, x1, y1 = one.window
        width, height = x1 - x0, y1 - y0
        left = (sheet[0] - width) / 2
        bottom = BELOW_MM + (sheet[1] - height - ABOVE_MM - BELOW_MM) / 2
        draw_on_page(canvas, drawing, left, bottom, None if len(tiling) == 1 else one.window)
        crop_marks(canvas, printable, (left, bottom), (width, height))
        aside = 12.0
        if len(tiling) > 1:
            glue_strips(canvas, printable, one, (left, bottom))
            aside = sheet[0] - tile_map(canvas, tiling, one, (printable[2] - 0.2, bottom - 3)) + 4
        foot(canvas, sheet, bottom, caption, aside)
        sheets.end_page(canvas)
    canvas.setPageSize((paper[0] * mm, paper[1] * mm))


def _packed_tokens(
    game: str, sheets: Sheets
) -> tuple[Sequence[tuple[str, Box]], Sequence[Sequence[tuple[int, Size]]]]:
    """The tokens of one game, each with the box that it is drawn in, and where they lie."""
    made, sheet = artwork(game), sheets.size
    boxes = {piece: _extent(made.draw_token(piece, (0.0, 0.0))) for piece in {*made.token_set()}}
    tokens = [(piece, boxes[piece]) for piece in made.token_set()]
    sizes = [(x1 - x0, y1 - y0) for _, (x0, y0, x1, y1) in tokens]
    room = (sheet[0] - 2 * ABOVE_MM, sheet[1] - ABOVE_MM - BELOW_MM)
    return tokens, pack(sizes, room, TOKEN_GAP_MM)


def _token_pages(canvas: Any, game: str, sheets: Sheets) -> None:
    """One game's tokens in rows, as many pages as they need."""
    made, sheet = artwork(game), sheets.size
    tokens, pages = _packed_tokens(game, sheets)
    for page in pages:
        boxes = [tokens[number][1] for number, _ in page]
        width = max(
            left + x1 - x0 for (_, (left, _)), (x0, _, x1, _) in zip(page, boxes, strict=True)
        )
        marks: list[Mark] = []
        for number, (left, top) in page:
            piece, (x0, y0, *_) = tokens[number]
            at = ((sheet[0] - width) / 2 + left - x0, ABOVE_MM + top - y0)
            marks += made.draw_token(piece, at)
        draw_on_page(canvas, Drawing(sheet, tuple(marks)), 0, 0)
        said = sheets.say("tokens", size=f"{made.DIAMETER_MM:g}")
        shown = _printed_word(game, "tokens", sheets)
        said = f"{shown}. {said}" if shown else said
        foot(canvas, sheet, BELOW_MM, said)
        sheets.end_page(canvas)


def _extent(marks: Sequence[Mark]) -> Box:
    """The box that marks are in, without their pens."""
    lines = [
        line
        for mark in marks
        if not isinstance(mark, Picture)
        for line in (mark.outlines if isinstance(mark, Fill) else mark.lines)
    ]
    return _box([point for line in lines for point in line])
