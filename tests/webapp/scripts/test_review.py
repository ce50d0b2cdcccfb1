"""A board under review: the palette of a place, what is lit, what would be refused."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, Run, drawn


def reviewed(breaks: str, thumb: str = "on") -> str:
    """What the server draws: a broken rule about some places, and what leads on."""
    reported = f'<button class="break" data-light="{breaks}">broken</button>' if breaks else ""
    board = drawn("a", "b", style="galaxy", a='data-star="red"', b='data-star=""')
    return f"""<p id="review-message">told</p>{reported}{board}
      <template id="heading-now">Ana</template>
      <template id="thumb-now"><button>{thumb}</button></template>"""


HTML = f"""{FRAME}<h1>Ana</h1><div id="review" data-refused="/refused">{reviewed("a b")}</div>
  <div class="thumb"><button>on</button></div><ul id="why"></ul>
  <dialog id="palette"><p id="palette-name" tabindex="-1"></p><input name="space">
    <div class="palette" data-why="why">
      <button name="star" value="red">red</button>
      <button name="star" value="link">link</button>
      <button name="star" value="">none</button></div></dialog>"""
ANEW = """
  const page = await import("./page.js");
  const anew = async (text) => {
    const done = page.swap(element("review"), "/review");
    await settled();
    await asked.findLast(({ url }) => url === "/review").answer(text);
    await done;
  };
  const lit = () => [...document.querySelectorAll(".lit")].map(({ id }) => id);
"""


def review(run: Run, body: str) -> Any:
    return run("dom.js", f'{ASKED} await import("./review.js"); {body}', None, HTML)


def test_the_palette_offers_what_lies_there_and_marks_what_is_refused(run: Run) -> None:
    body = """
      tap(element("drawn"), "space-b");
      const offered = [...document.querySelectorAll("#palette button:not([hidden])")];
      const before = element("why").textContent;
      await asked[0].answer(JSON.stringify({ b: { red: "They are linked." } }));
      return [element("palette").open, element("palette-name").textContent,
        document.querySelector("[name=space]").value, offered.map(({ value }) => value),
        before, element("why").textContent, document.querySelector(".refused").value];
    """
    reported = "They are linked."
    assert review(run, body) == [True, "b", "b", ["red", ""], "", reported, "red"]


def test_reasons_move_nothing_beneath_a_finger(run: Run) -> None:
    body = """
      tap(element("drawn"), "space-b");
      document.dispatchEvent(new PointerEvent("pointerdown", { pointerId: 1 }));
      await asked[0].answer(JSON.stringify({ b: { red: "They are linked." } }));
      const before = element("why").textContent;
      document.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
      document.dispatchEvent(new MouseEvent("click"));
      await settled();
      return [before, element("why").textContent];
    """
    assert review(run, body) == ["", "They are linked."]


def test_what_lies_there_is_pressed_and_has_the_focus(run: Run) -> None:
    body = """
      key(element("space-a"), "Enter");
      return [document.activeElement.value, document.activeElement.getAttribute("aria-pressed")];
    """
    assert review(run, body) == ["red", "true"]


def test_a_lit_rule_break_stays_lit_until_it_is_gone(run: Run) -> None:
    body = f"""{ANEW}
      document.querySelector(".break").click();
      const first = lit();
      await anew(`{reviewed("a b")}`);
      const again = [lit(), document.querySelector(".break").getAttribute("aria-pressed")];
      await anew(`{reviewed("")}`);
      const gone = lit();
      await anew(`{reviewed("a b")}`);
      return [first, again, gone, lit()];
    """
    both = ["space-a", "space-b"]
    assert review(run, body) == [both, [both, "true"], [], []]


ALIKE = """<input type="checkbox" name="spaces" value="a" checked>
  <input type="checkbox" name="spaces" value="b" checked>
  <form class="answers"><button name="star" value="red">red</button></form>"""


def test_what_is_left_out_stays_so_until_it_is_ticked_again(run: Run) -> None:
    body = f"""{ANEW}
      const ticked = () => [...document.querySelectorAll(":checked")].map(({{ value }}) => value);
      const box = (space) => document.querySelector(`[name=spaces][value=${{space}}]`);
      await anew(`{reviewed("")}{ALIKE}`);
      box("b").click();
      document.dispatchEvent(new Event("news", {{ cancelable: true }}));
      await settled();
      await asked.at(-1).answer(`{reviewed("")}{ALIKE}`);
      const first = ticked();
      box("b").click();
      await anew(`{reviewed("")}{ALIKE}`);
      return [first, ticked()];
    """
    assert review(run, body) == [["a"], ["a", "b"]]


def test_an_answer_for_no_space_is_not_given(run: Run) -> None:
    body = f"""{ANEW}
      const answer = () => document.querySelector(".answers button").disabled;
      await anew(`{reviewed("")}{ALIKE}`);
      const boxes = [...document.querySelectorAll("[name=spaces]")];
      const seen = [answer()];
      for (const box of boxes) {{ box.click(); seen.push(answer()); }}
      boxes[0].click();
      return [...seen, answer()];
    """
    assert review(run, body) == [False, False, True, False]


def test_what_leads_on_is_as_the_board_is_now(run: Run) -> None:
    body = f"""{ANEW}
      await anew(`{reviewed("", "really")}`);
      return [".thumb", "h1"].map((part) => document.querySelector(part).textContent);
    """
    assert review(run, body) == ["really", "Ana"]
