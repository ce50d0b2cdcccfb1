"""Data files: only plain data is read, only regular files are opened."""

import json
import os
import threading
from pathlib import Path

import pytest

from scorer.datafile import DataFileError, parse_json, parse_yaml, read_data_file
from scorer.sentence import Phrasebook


def message_of(parse, text) -> str:
    with pytest.raises(DataFileError) as error:
        parse(text)
    return str(error.value)


@pytest.mark.parametrize("text", ["black: !!bool x", "!!timestamp x", "a: !!int x", "a: ! b"])
def test_a_tag_is_refused_whatever_it_says(text: str) -> None:
    assert (
        message_of(parse_yaml, text)
        == "line 1: not YAML (tags are not read: write the value itself)"
    )


def test_a_key_is_text_as_written_whatever_it_looks_like() -> None:
    assert parse_yaml("{1.5: a, null: b, yes: c, 2: d, 2026-01-01: e, <<: f}") == {
        "1.5": "a",
        "null": "b",
        "yes": "c",
        "2": "d",
        "2026-01-01": "e",
        "<<": "f",
    }
    assert "a key must be text" in message_of(parse_yaml, "? [a]\n: b")


def test_a_date_is_text() -> None:
    assert parse_yaml("[2026-10-01, 2026-99-99]") == ["2026-10-01", "2026-99-99"]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "1" + "0" * 400])
def test_a_number_that_nobody_counts_with_is_refused(number: str) -> None:
    assert (
        message_of(parse_json, f'{{"black": {number}}}')
        == "black: is no number that can be counted with"
    )
    assert message_of(parse_yaml, "[.nan]") == "[0]: is no number that can be counted with"


@pytest.mark.parametrize("escape", ["\\ud800", "\\u0000", "\\u001b", "\\u009b"])
def test_text_can_be_printed(escape: str) -> None:
    expected = f"has a character that is no text, U+{escape[2:].upper()}"
    assert message_of(parse_json, f'{{"career": ["{escape}"]}}') == f"career[0]: {expected}"
    key = message_of(parse_json, f'{{"{escape}": 1}}')
    assert key.endswith(expected) and key.isprintable()


def test_text_may_have_several_lines() -> None:
    assert parse_json('{"note": "one\\r\\n\\ttwo"}') == {"note": "one\r\n\ttwo"}


@pytest.mark.parametrize("entry", ["7", '"k": 7'])
def test_more_than_a_person_writes_is_refused(entry: str) -> None:
    many = ", ".join(entry.replace("k", f"k{number}") for number in range(1001))
    text = f"{{{many}}}" if ":" in entry else f"[{many}]"
    for parse in (parse_json, parse_yaml):
        assert message_of(parse, text) == "has 1,001 entries, more than 1,000"


def test_many_lists_are_refused_before_they_are_built() -> None:
    assert "far too many" in message_of(parse_yaml, f"[{'[1, 2, 3], ' * 8000}]")


def test_every_key_that_is_repeated_is_reported_up_to_a_bound() -> None:
    text = ",".join(f'"k{number % 500}": 1' for number in range(100_000))
    lines = message_of(parse_json, f"{{{text}}}").splitlines()
    assert lines[0] == "k0: written twice"
    assert (len(lines), lines[-1]) == (21, "and 480 more")


def test_both_formats_nest_equally_deep() -> None:
    for parse in (parse_json, parse_yaml):
        assert parse("[" * 50 + "]" * 50)
        assert "nested too deep" in message_of(parse, "[" * 51 + "]" * 51)
        assert "nested too deep" in message_of(parse, "[" * 5000)


@pytest.mark.parametrize("name", ["a\0.yaml", "a" * 5_000, "a/" * 3_000])
def test_a_name_that_no_file_has_is_reported(name: str, tmp_path: Path) -> None:
    message = message_of(read_data_file, tmp_path / name)
    assert "cannot be opened" in message and len(message) < 300 and message.isprintable()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
@pytest.mark.parametrize("writer", [False, True])
def test_a_pipe_is_not_waited_for(tmp_path: Path, writer: bool) -> None:
    pipe = tmp_path / "game.yaml"
    os.mkfifo(pipe)
    kept_open = os.open(pipe, os.O_RDWR) if writer else None
    done: list[str] = []
    thread = threading.Thread(
        target=lambda: done.append(message_of(read_data_file, pipe)), daemon=True
    )
    thread.start()
    thread.join(60)
    if kept_open is not None:
        os.close(kept_open)
    assert done and "not a regular file" in done[0]


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_not_opened(place: str) -> None:
    if not Path(place).exists():
        pytest.skip("no such device")
    assert "not a regular file" in message_of(read_data_file, Path(place))


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps({"mode": "intro"}))
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    assert read_data_file(tmp_path / "link.json") == {"mode": "intro"}


def test_a_mistake_in_a_game_s_own_file_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "toy_of_mistakes"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "words.yaml").write_text("phrases: {}\nphrases: {}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DataFileError, match=r"^words\.yaml: phrases: written twice \(line 2\)$"):
        Phrasebook.of_package("toy_of_mistakes")
