"""Every text of the pages is there in every language, and what is shipped is what is written."""

import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo, write_mo

from webapp.web import catalogues
from webapp.web.catalogues import SHARED, TRANSLATED, Message

UPDATE = "to bring the catalogues up to date: python -m webapp.web.catalogues"
GAMES = Path(catalogues.WEBAPP, "games")
FOLDERS = (SHARED, *sorted(GAMES.glob("*/translations")))


@cache
def wanted() -> Mapping[Path, Sequence[Message]]:
    return catalogues.messages()


@cache
def texts_of(language: str) -> Mapping[Message, Sequence[str]]:
    """What each message is in a language."""
    found = {}
    for folder in FOLDERS:
        for text in catalogues.catalogue(folder, language):
            if text.id:
                found[text.id] = [text.string] if isinstance(text.string, str) else text.string
    return found


def test_what_only_one_game_says_stands_in_its_folder() -> None:
    assert {*FOLDERS} == {*wanted()} and len(FOLDERS) == 4
    for game in FOLDERS[1:]:
        others = " ".join(
            file.read_text(encoding="utf-8")
            for file in catalogues.WEBAPP.rglob("*")
            if file.suffix in (".py", ".html") and game.parent not in file.parents
        )
        assert not [one for one in wanted()[game] if f'_("{one}"' in others]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_message_is_translated_and_none_is_left_over(folder: Path, language: str) -> None:
    texts = {text.id: text for text in catalogues.catalogue(folder, language) if text.id}
    assert {*texts} == {*wanted()[folder]}, UPDATE
    assert not [id for id in texts if not all(texts_of(language)[id])], (
        f"to be translated; {UPDATE}"
    )
    assert not [id for id, text in texts.items() if text.fuzzy]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_says_the_same_things(language: str) -> None:
    ends = (".", ":", "…", "?")
    for message, spoken in texts_of(language).items():
        english = message if isinstance(message, str) else message[-1]
        for one in spoken:
            assert blanks(one) == blanks(english), message
            assert one.endswith(ends) == english.endswith(ends), message


def test_no_language_speaks_the_words_of_another() -> None:
    czech = texts_of("cs")
    same = [one for one, spoken in texts_of("es").items() if spoken == czech[one]]
    assert not [one for one in same if re.search(r"[a-z]+ [a-z]+ [a-z]+", str(one))]


def test_czech_addresses_everybody_politely() -> None:
    familiar = re.compile(
        r"\b(ti|jsi|vyber|zkus|klepni|vyfoť|smaž|změř|polož|přetáhni|podívej|vrať|použij|otevři"
        r"|přidej|pojmenuj|přepiš|porovnej|máš|nemáš|\w+(dáš|íš|žeš))\b",
        re.IGNORECASE,
    )
    spoken = [text for texts in texts_of("cs").values() for text in texts]
    assert not [text for text in spoken if familiar.search(text)]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_the_shipped_catalogue_is_fresh(folder: Path, language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogues.catalogue(folder, language))
    with (folder / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        shipped = {str(text.id): text.string for text in read_mo(file)}
    compiled.seek(0)
    assert shipped == {str(text.id): text.string for text in read_mo(compiled)}, UPDATE


def blanks(text: str) -> set[str]:
    """The values that a text leaves room for."""
    return set(re.findall(r"%\((\w+)\)[sd]", text))
