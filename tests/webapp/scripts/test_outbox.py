"""What waits on a device: in which order, what replaces what, and what becomes of an answer."""

from typing import Any

import pytest

from tests.webapp.scripts.conftest import Run

GAME, OTHER = f"/games/{16 * 'a'}", f"/games/{16 * 'b'}"
DELIVER = """
  const asked = [];
  const statuses = [...given.statuses];
  window.fetch = async (url, { body }) => {
    asked.push([url, [...body]]);
    const status = statuses.shift();
    if (!status) throw new TypeError("no network");
    const isRefused = [409, 422].includes(status);
    return new Response(isRefused ? '{"message": "no such player"}' : "", { status });
  };
  for (const entry of given.entries) script.keep(entry);
  const finished = await script.deliver();
  return { finished, asked, left: script.queue() };
"""


def entry(same: str, url: str = f"{GAME}/nebula/values", **fields: str) -> dict[str, Any]:
    return {"same": same, "url": url, "fields": [list(field) for field in fields.items()]}


def deliver(run: Run, statuses: list[int], *entries: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = run("outbox.js", DELIVER, {"statuses": statuses, "entries": entries})
    return found


def kept(run: Run, *entries: dict[str, Any]) -> list[dict[str, Any]]:
    body = "for (const entry of given) script.keep(entry); return script.queue();"
    found: list[dict[str, Any]] = run("outbox.js", body, entries)
    return found


def test_what_was_entered_first_goes_first(run: Run) -> None:
    done = deliver(
        run, [200, 200], entry("1", f"{GAME}/nebula/cards"), entry("2", f"{GAME}/nebula/values")
    )
    assert done["finished"] and done["left"] == []
    assert [url for url, _ in done["asked"]] == [f"{GAME}/nebula/cards", f"{GAME}/nebula/values"]


def test_a_later_form_takes_the_place_of_the_same_one_and_goes_last(run: Run) -> None:
    waiting = kept(run, entry("1", black="3"), entry("2"), entry("1", black="4"))
    assert [one["same"] for one in waiting] == ["2", "1"]
    assert waiting[1]["fields"] == [["black", "4"]]


def test_it_still_says_what_the_first_one_was_entered_over(run: Run) -> None:
    """`was` is what the server held when nothing waited: whether it clashes is told by that."""
    waiting = kept(run, entry("1", was="2", black="3"), entry("1", was="3", black="4"))
    assert waiting[0]["fields"] == [["was", "2"], ["black", "4"]]


def test_no_more_waits_than_fits(run: Run) -> None:
    body = """
      for (let n = 0; n < 500; n++) script.keep({ same: String(n), url: "/", fields: [] });
      try { script.keep({ same: "one more", url: "/", fields: [] }); } catch (error) {
        return [error instanceof script.FullError, script.queue().length];
      }
    """
    assert run("outbox.js", body) == [True, 500]


@pytest.mark.parametrize("status", [401, 429, 502, 503, 504])
def test_a_busy_computer_gets_it_later(run: Run, status: int) -> None:
    done = deliver(run, [status], entry("1"), entry("2"))
    assert not done["finished"] and len(done["asked"]) == 1
    assert [one["same"] for one in done["left"]] == ["1", "2"]
    assert "problem" not in done["left"][0]


def test_without_a_network_all_of_it_waits(run: Run) -> None:
    done = deliver(run, [200], entry("1"), entry("2"), entry("3"))
    assert not done["finished"]
    assert [one["same"] for one in done["left"]] == ["2", "3"]


@pytest.mark.parametrize("status", [409, 422])
def test_what_is_refused_says_why_and_holds_up_nothing(run: Run, status: int) -> None:
    done = deliver(run, [status, 200], entry("1"), entry("2"))
    assert done["finished"] and [one["same"] for one in done["left"]] == ["1"]
    assert done["left"][0]["problem"] == "no such player" and done["left"][0]["status"] == status


def test_what_breaks_something_there_is_tried_five_times(run: Run) -> None:
    tries = deliver(run, [500], entry("1"))
    for _ in range(3):
        assert not tries["finished"] and "problem" not in tries["left"][0]
        tries = deliver(run, [500])
    assert not tries["finished"] and tries["left"][0]["tries"] == 4
    last = deliver(run, [500])
    assert last["finished"] and last["left"][0]["problem"] == "it was refused"


def test_nothing_goes_of_a_game_whose_beginning_was_refused(run: Run) -> None:
    begun = entry("begin", "/games/new", id=16 * "a")
    later = entry("2", f"{GAME}/nebula/values")
    done = deliver(run, [422, 200], begun, later, entry("3", f"{OTHER}/nebula/values"))
    assert [url for url, _ in done["asked"]] == ["/games/new", f"{OTHER}/nebula/values"]
    assert [one["same"] for one in done["left"]] == ["begin", "2"]


def test_what_is_sent_again_has_no_problem_any_more(run: Run) -> None:
    deliver(run, [422], entry("1"))
    body = "script.sendAgain(script.queue()[0]); return [script.next(), script.queue()];"
    following, waiting = run("outbox.js", body)
    assert following == waiting[0] == entry("1")


def test_a_form_is_sent_with_the_page_s_own_token(run: Run) -> None:
    token = '<input name="csrf_token" value="new">'
    run("outbox.js", "document.body.insertAdjacentHTML('beforeend', given);", token)
    done = deliver(run, [200], entry("1", csrf_token="old", black="3"))
    assert done["asked"] == [[f"{GAME}/nebula/values", [["csrf_token", "new"], ["black", "3"]]]]


def test_a_photograph_is_kept_until_it_is_taken(run: Run) -> None:
    body = """
      const file = new Blob(["pixels"]);
      await script.keepFile({ same: "photo", url: "/", fields: [] }, file);
      const [entry] = script.queue();
      const text = await (await script.fileOf(entry)).text();
      await script.discard(entry);
      return [entry.size, text, script.queue(), await script.fileOf(entry) ?? null];
    """
    assert run("outbox.js", body) == [6, "pixels", [], None]


def test_a_photograph_that_the_browser_threw_away_is_reported(run: Run) -> None:
    lost = entry("photo") | {"size": 6}
    done = deliver(run, [], lost)
    assert done["finished"] and done["left"][0]["problem"] == "the photograph is gone"


def test_names_are_long_and_never_the_same(run: Run) -> None:
    first, second, short = run(
        "outbox.js", "return [script.newName(), script.newName(), script.newName(8)];"
    )
    assert len(first) == len(second) == 32 and len(short) == 16 and first != second
    assert int(first, 16) >= 0
