"""Every text of the pages is there in every language, and what is shipped is what is written."""

import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from webapp.app.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
CATALOGUES = ROOT / "webapp" / "web" / "translations"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
UPDATE = """to bring the catalogues up to date:
  pybabel extract -F webapp/web/translations/babel.cfg -o messages.pot .
  pybabel update -i messages.pot -d webapp/web/translations --no-fuzzy-matching --ignore-obsolete
  (translate what is new, then) pybabel compile -d webapp/web/translations"""


@cache
def messages_of_the_sources() -> frozenset[str | tuple[str, str]]:
    with (CATALOGUES / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found = extract_from_dir(str(ROOT), methods, options)
    return frozenset(message for _file, _line, message, _comments, _context in found)


def catalogue(language: str) -> Catalog:
    with (CATALOGUES / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language: str) -> None:
    texts = catalogue(language)
    missing = sorted(
        str(message)
        for message in messages_of_the_sources()
        if message not in texts or not all(strings(texts, message))
    )
    assert not missing, f"not in {language}: {missing}; {UPDATE}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_left_over_or_uncertain(language: str) -> None:
    texts = [message for message in catalogue(language) if message.id]
    left_over = [text.id for text in texts if text.id not in messages_of_the_sources()]
    assert not left_over, f"no page says any more: {left_over}; {UPDATE}"
    assert not [text.id for text in texts if text.fuzzy]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_says_the_same_things(language: str) -> None:
    texts = catalogue(language)
    for text in texts:
        if text.id:
            wanted = text.id if isinstance(text.id, str) else text.id[-1]
            for spoken in strings(texts, text.id):
                assert blanks(spoken) == blanks(wanted), text.id
                assert spoken.endswith((".", ":", "…", "?")) == wanted.endswith(
                    (".", ":", "…", "?")
                ), text.id


def test_no_language_speaks_the_words_of_another() -> None:
    spanish, czech = catalogue("es"), catalogue("cs")
    same = [
        message.id
        for message in spanish
        if message.id and strings(spanish, message.id) == strings(czech, message.id)
    ]
    sentences = [one for one in same if re.search(r"[a-z]+ [a-z]+ [a-z]+", str(one))]
    assert not sentences


def test_czech_addresses_everybody_politely() -> None:
    familiar = re.compile(
        r"\b(ti|jsi|vyber|zkus|klepni|vyfoť|smaž|změř|polož|přetáhni|podívej|vrať|použij|otevři"
        r"|přidej|pojmenuj|přepiš|porovnej|máš|nemáš|\w+(dáš|íš|žeš))\b",
        re.IGNORECASE,
    )
    texts = catalogue("cs")
    spoken = [text for message in texts if message.id for text in strings(texts, message.id)]
    assert not [text for text in spoken if familiar.search(text)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_shipped_catalogue_is_fresh(language: str) -> None:
    folder = CATALOGUES / language / "LC_MESSAGES"
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    with (folder / "messages.mo").open("rb") as file:
        shipped = {str(text.id): text.string for text in read_mo(file)}
    compiled.seek(0)
    assert shipped == {str(text.id): text.string for text in read_mo(compiled)}, UPDATE


def strings(texts: Catalog, message: str | tuple[str, str]) -> list[str]:
    spoken = texts[message].string
    return [spoken] if isinstance(spoken, str) else list(spoken)


def blanks(text: str) -> set[str]:
    """The values that a text leaves room for."""
    return set(re.findall(r"%\((\w+)\)[sd]", text))
