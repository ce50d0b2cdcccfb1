"""The languages: English in the source, Spanish and Czech in the catalogues."""

from collections.abc import Mapping

from flask_babel import get_locale

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español", "cs": "Čeština"}


def language() -> str:
    """Return the language that texts are in now, as the scorer's sentences want it."""
    locale = get_locale()
    return "en" if locale is None else locale.language
