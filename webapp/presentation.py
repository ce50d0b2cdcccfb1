"""What every template can use: words for things, the drawn board, the player's preferences."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Flask, request
from flask_babel import format_datetime
from flask_babel import gettext as _

from scorer.flags import Flag
from scorer.nebula import COLOURS, CONSTELLATIONS, STANDARD_BOARD, WORDS, RuleBreak
from scorer.sentence import Sentence
from webapp import board_drawing, cards, flow
from webapp.companion import companion
from webapp.languages import LANGUAGES, language
from webapp.pages import preferences, steps

_SPACE = re.compile(r"\b(?:{})\b".format("|".join(STANDARD_BOARD.spaces)))


def furnish(app: Flask) -> None:
    """Give the templates their words and things."""
    app.jinja_env.filters.update(
        said=said,
        space=space_name,
        colour=colour_name,
        constellation=lambda name: WORDS.word(name, language()),
        capitalised=lambda text: text[:1].upper() + text[1:],
        flagged=flag_text,
        moment=moment,
    )
    app.jinja_env.globals.update(
        COLOURS=COLOURS,
        CONSTELLATIONS=CONSTELLATIONS,
        LANGUAGES=LANGUAGES,
        language=language,
        find_card=cards.find,
        deck=cards.of_deck,
        flow=flow,
        step_url=steps.url_of,
        step_title=step_title,
        token_name=token_name,
    )
    app.context_processor(_of_request)


def _of_request() -> Mapping[str, Any]:
    return {
        "drawing": board_drawing.draw(companion().profile),
        "appearance": preferences.appearance(),
        "here": request.path,
    }


def moment(at: datetime) -> str:
    """Return a moment kept in UTC by this computer's own clock."""
    return format_datetime(at.replace(tzinfo=UTC).astimezone(), "short", rebase=False)


def said(text: str) -> str:
    """Return a sentence of the scorer in the player's language, with spaces by their names."""
    spoken = text.in_language(language()) if isinstance(text, Sentence) else str(text)
    return _SPACE.sub(lambda found: space_name(found[0]), spoken)


def space_name(space: str) -> str:
    """Return what players call a space: "Aries 3", "the core".

    The number counts a constellation's spaces from the core outwards, as the layout does.
    """
    region = STANDARD_BOARD.constellation_of(space)
    if not region:
        return _("the core")
    number = STANDARD_BOARD.constellations[region].index(space) + 1
    return f"{WORDS.word(region, language())} {number}"


def colour_name(star: str | None) -> str:
    """Return a colour's name, or that a space is empty."""
    return _("empty") if star in (None, "", "empty") else WORDS.word(star, language())


def flag_text(flag: Flag) -> str:
    """Return in words what a score draws attention to."""
    if isinstance(flag, RuleBreak):
        return said(flag.reason)
    card = flag.more.get("card", "")
    texts = {
        "claim_not_shown": _(
            "A marker lies on %(card)s, but the board does not show it", card=card
        ),
        "no_values": _("No token of the Values board has moved"),
        "no_opponents": _("%(card)s compares with opponents, and there are none", card=card),
        "too_many": _("There are more of these stars at the table than the game has"),
        "uncertain": _("The reading was not sure here"),
        "hidden": _("Something covered this space"),
        "black_gap": _("There is a gap on the black-star track"),
        "colour_on_track": _("A coloured star lies on the black-star track"),
    }
    return texts.get(flag.kind, flag.kind)


def token_name(token: str) -> str:
    """Return what a token of the Values board is called."""
    if token in COLOURS or token in CONSTELLATIONS:
        return WORDS.word(token, language())
    return token


def step_title(step: flow.Step) -> str:
    """Return what a step is called at the head of its page."""
    return {
        "players": _("Players"),
        "cards": _("Cards on the table"),
        "values": _("Values board"),
        "photographs": _("Photographs"),
        "review": _("Review"),
        "personal": _("Personal card"),
        "markers": _("Career markers"),
        "score": _("Score"),
    }[step.name]
