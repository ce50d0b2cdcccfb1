"""The device's camera on the page of photographs."""

from tests.webapp.scripts.conftest import FRAME, Run

HTML = f"""{FRAME}
  <button id="take-here" data-refused="Not allowed.">here</button>
  <label class="taker camera"><input type="file"></label>
  <p id="upload-error" hidden></p>
  <dialog id="viewfinder"><video></video><p id="viewfinder-message"></p>
    <button id="shutter">shoot</button><button id="viewfinder-close">done</button></dialog>
  <section id="photographs"></section>"""


def test_a_camera_that_is_refused_says_so_and_leads_to_the_camera_app(run: Run) -> None:
    body = """
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error("denied"));
      document.getElementById("take-here").click();
      await new Promise((done) => { setTimeout(done, 20); });
      const error = document.getElementById("upload-error");
      return [error.hidden, error.textContent, document.activeElement.type,
        document.getElementById("take-here").hidden];
    """
    assert run("viewfinder.js", body, None, HTML) == [False, "Not allowed.", "file", True]
