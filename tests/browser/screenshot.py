"""Layouts compared with stored screenshots; `make screenshots` stores new ones after an intended change.

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

from tests.browser.box_font import box_font

STORED = Path(__file__).parent / "screenshots"
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


def in_boxes(page: Any) -> Any:
    """Turn an open page into boxes and filler."""
    page.add_style_tag(content=_STYLE.replace("FONT", box_font()))
    page.evaluate("document.fonts.load('16px Box')")
    page.evaluate(_FILLER)
    return page


def compared(page: Any, name: str, height: int | None = None) -> dict[str, Any]:
    """Take a picture of a page, all of it or its top, and compare it with the stored one where there is one."""
    clip = None if height is None else {"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height}
    taken = _address(page.screenshot(full_page=True, clip=clip))
    stored = STORED / name
    found: dict[str, Any] = page.evaluate(_SMALL, [taken, _address(stored.read_bytes()) if stored.exists() else None])
    return found


def differs(found: dict[str, Any]) -> str:
    """Say in what two pictures differ, nothing where they do not."""
    if found["width"] != found["stored"][0] or abs(found["height"] / found["stored"][1] - 1) > 0.005:
        return f"{found['width']} × {found['height']} small pixels instead of {found['stored']}"
    return f"{100 * found['share']:.2f} % of the pixels differ" if found["share"] > 0.002 else ""


def check(found: dict[str, Any], name: str, artefacts: Path) -> None:
    """Store a picture where that is wanted, else fail if it differs from the stored one."""
    png = b64decode(found["png"].split(",")[1])
    if os.environ.get("STORE_SCREENSHOTS"):
        STORED.mkdir(exist_ok=True)
        (STORED / name).write_bytes(png)
        return
    (artefacts / name).write_bytes(png)
    hint = f"compare test-artefacts/{name} with tests/browser/screenshots; `make screenshots` stores new ones"
    assert differs(found) == "", hint
