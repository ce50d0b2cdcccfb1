"""Templates, styles and scripts, which ruff does not read, keep to lines of 119 characters."""

from pathlib import Path

WEBAPP = Path(__file__).parents[1] / "webapp"


def test_no_line_is_longer_than_119_characters() -> None:
    files = [file for kind in ("html", "css", "js") for file in sorted(WEBAPP.rglob(f"*.{kind}"))]
    too_long = {
        f"{file.relative_to(WEBAPP)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 119
    }
    assert len(files) > 100
    assert not too_long
