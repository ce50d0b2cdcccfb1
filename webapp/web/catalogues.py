"""Update the translations, in a checkout: `python -m webapp.web.catalogues`.

Messages used in one game's folder only go to its own `translations`, all others to those beside
this file. Translations still in use are kept, catalogues are compiled, and missing translations are
listed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from webapp.app.languages import LANGUAGES

WEBAPP = Path(__file__).parents[1]
SHARED = Path(__file__).with_name("translations")
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
TRANSLATED = [language for language in LANGUAGES if language != "en"]
Message = str | tuple[str, ...]


def messages() -> Mapping[Path, Sequence[Message]]:
    """Return the messages of the sources in order, by catalogue folder."""
    said: dict[Message, set[Path]] = defaultdict(set)
    for file, _line, message, _comments, _context in extract_from_dir(str(WEBAPP), METHODS):
        parts = Path(file).parts
        is_of_game = parts[0] == "games" and len(parts) > 2
        said[message].add(WEBAPP / "games" / parts[1] / "translations" if is_of_game else SHARED)
    found: dict[Path, list[Message]] = {SHARED: []}
    for message, folders in said.items():
        folder = next(iter(folders)) if len(folders) == 1 else SHARED
        found.setdefault(folder, []).append(message)
    return found


def catalogue(folder: Path, language: str) -> Catalog:
    """Read a catalogue; return an empty one if there is none."""
    file = folder / language / "LC_MESSAGES" / "messages.po"
    if not file.exists():
        return Catalog(locale=language, project="Stargazer")
    with file.open("rb") as written:
        return read_po(written, locale=language)


def update() -> Sequence[tuple[str, Message]]:
    """Rewrite all catalogues; return the missing translations with their languages."""
    missing = []
    wanted = messages()
    for language in TRANSLATED:
        before = {folder: catalogue(folder, language) for folder in wanted}
        head = before[SHARED]
        known = {
            message.id: message.string
            for texts in before.values()
            for message in texts
            if message.id and message.string
        }
        for folder, ids in wanted.items():
            texts = Catalog(
                locale=language,
                header_comment=head.header_comment,
                project="Stargazer",
                version=head.version,
                creation_date=head.creation_date,
                revision_date=head.revision_date,
                last_translator="Stargazer",
                language_team=language,
                fuzzy=False,
            )
            # Keep the plural forms of the translations: Babel's defaults for a language change.
            texts.mime_headers = [
                ("plural-forms", f"nplurals={head.num_plurals}; plural={head.plural_expr}")
            ]
            for message in ids:
                texts.add(message, known.get(message, ""))
                if not all(_strings(known.get(message, ""))):
                    missing.append((language, message))
            target = folder / language / "LC_MESSAGES"
            target.mkdir(parents=True, exist_ok=True)
            with (target / "messages.po").open("wb") as po:
                write_po(po, texts, width=0, no_location=True)
            with (target / "messages.mo").open("wb") as mo:
                write_mo(mo, texts)
    return missing


def _strings(spoken: str | Sequence[str]) -> Sequence[str]:
    return [spoken] if isinstance(spoken, str) else spoken


if __name__ == "__main__":
    for language, message in update():
        print(f"{language}: {message}")
