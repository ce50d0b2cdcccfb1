"""The languages: English in the source, Spanish and Czech in the catalogues."""

from collections.abc import Mapping

from flask_babel import get_locale

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español", "cs": "Čeština"}


def language() -> str:
    """Return the current language code in the form the scorer's sentences expect."""
    locale = get_locale()
    return "en" if locale is None else locale.language
