"""The report's layout, compared with stored screenshots; `make screenshots` stores new ones after an intended change.

What is compared is layout and colour, not letters or wording, so that a picture holds on every machine:

- Every letter is the same box (`box_font`), so neither the fonts of a machine nor how it draws letters matter.
- Prose is replaced by filler, in steps of 40 letters: another word changes nothing, another paragraph does.
- Pictures are compared at an eighth of the size on each side, where the smoothing of edges is averaged away. A small
  pixel differs if a channel is off by more than 16 of 255. At most one in 500 may, and the page's height must be the
  same to half a per cent. A column or a section that is missing, a control that moved, or another colour is far more.
"""

import os
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.browser.box_font import box_font

STORED = Path(__file__).parent / "screenshots"
CASES = [(13, 320, "light"), (13, 320, "dark"), (13, 1440, "light"), (13, 1440, "dark"), (200, 1440, "light")]
_STYLE = """
@font-face { font-family: Box; src: url(FONT); }
* { font-family: Box !important; caret-color: transparent !important; }
select, input { appearance: none !important; }
.contents a { all: unset !important; display: block !important; height: 2rem !important; }
"""
_FILLER = """() => {
  const prose = document.querySelectorAll("p, li, h4, .big, figcaption, dd, pre, .card *");
  for (const node of [...prose].filter((each) => !each.querySelector("input, button, select"))) {
    node.textContent = "xxxx ".repeat(8 * Math.ceil(node.textContent.trim().length / 40)).trim();
  }
}"""
#: Scale a picture down; say how much of it differs from a stored one.
_SMALL = """async ([taken, stored]) => {
  const pixels = async (source, width, height) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width ?? Math.round(image.width / 8), height ?? Math.round(image.height / 8)];
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return { canvas, values: context.getImageData(0, 0, canvas.width, canvas.height).data };
  };
  const now = await pixels(taken);
  const found = { png: now.canvas.toDataURL("image/png"), width: now.canvas.width, height: now.canvas.height };
  if (!stored) return found;
  const image = new Image();
  image.src = stored;
  await image.decode();
  const before = await pixels(stored, image.width, image.height);
  const rows = Math.min(image.height, now.canvas.height), size = rows * image.width;
  let differing = 0;
  for (let at = 0; at < size; at += 1) {
    if ([0, 1, 2].some((channel) => Math.abs(now.values[4 * at + channel] - before.values[4 * at + channel]) > 16)) differing += 1;
  }
  return { ...found, stored: [image.width, image.height], share: differing / size };
}"""


def _address(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"


def opened(browser: Any, path: Path, case: tuple[int, int, str]) -> Any:
    """Open a page in boxes and filler."""
    _, width, scheme = case
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page.goto(path.as_uri())
    page.add_style_tag(content=_STYLE.replace("FONT", box_font()))
    page.evaluate("document.fonts.load('16px Box')")
    page.evaluate(_FILLER)
    return page


def compared(page: Any, case: tuple[int, int, str]) -> dict[str, Any]:
    """Take a picture of a page, and compare it with the stored one where there is one."""
    # A board of 200 systems in full is many times the same row.
    clip = {"x": 0, "y": 0, "width": case[1], "height": 2400} if case[0] > 13 else None
    taken = _address(page.screenshot(full_page=True, clip=clip))
    stored = STORED / name_of(case)
    found: dict[str, Any] = page.evaluate(_SMALL, [taken, _address(stored.read_bytes()) if stored.exists() else None])
    return found


def name_of(case: tuple[int, int, str]) -> str:
    return "report-{}-{}-{}.png".format(*case)


def differs(found: dict[str, Any]) -> str:
    """Say in what two pictures differ, nothing where they do not."""
    if found["width"] != found["stored"][0] or abs(found["height"] / found["stored"][1] - 1) > 0.005:
        return f"{found['width']} × {found['height']} small pixels instead of {found['stored']}"
    return f"{100 * found['share']:.2f} % of the pixels differ" if found["share"] > 0.002 else ""


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_layout_is_the_stored_one(
    case: tuple[int, int, str], browser: Any, pages: dict[int, Path], artefacts: Path
) -> None:
    page = opened(browser, pages[case[0]], case)
    found = compared(page, case)
    page.close()
    png = b64decode(found["png"].split(",")[1])
    if os.environ.get("STORE_SCREENSHOTS"):
        STORED.mkdir(exist_ok=True)
        (STORED / name_of(case)).write_bytes(png)
        return
    (artefacts / name_of(case)).write_bytes(png)
    hint = f"compare test-artefacts/{name_of(case)} with tests/browser/screenshots; `make screenshots` stores new ones"
    assert differs(found) == "", hint


def test_defects_are_seen(browser: Any, pages: dict[int, Path]) -> None:
    case = (13, 1440, "light")
    page = opened(browser, pages[13], case)
    defects = (
        ".drawn { display: none; }",  # a column is missing
        ".page { --accent: #7a1fa2 !important; }",  # another colour of intervals
        ".board td { padding-top: .5rem; }",  # rows are higher
        ".contents { visibility: hidden; }",
    )
    for defect in defects:
        style = page.add_style_tag(content=defect)
        assert differs(compared(page, case)) != "", defect
        style.evaluate("style => style.remove()")
    assert differs(compared(page, case)) == ""
    page.close()
