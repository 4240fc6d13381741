"""What a rendered picture must be, in every format."""

import json
import re
import struct
import zlib
from typing import Any
from xml.etree import ElementTree

import altair

from betterthan.present.pictures.picture import Picture


def check(picture: Picture, *forms: str) -> None:
    """Assert that a picture can be rendered, and is what it says it is."""
    for form in forms or ("svg", "png", "pdf", "html", "json"):
        _CHECKS[form](picture.render(form))


def holds_its_numbers(picture: Picture) -> bool:
    """Is the table behind the picture in the data that is drawn, number by number?"""
    names = list(picture.columns)
    wanted = [dict(zip(names, row, strict=True)) for row in zip(*picture.columns.values(), strict=True)]
    assert wanted
    found = [
        [{name: row[name] for name in names} for row in rows]
        for rows in picture.spec["datasets"].values()
        if rows and all(name in rows[0] for name in names)
    ]
    panels = [row for rows in found for row in rows]
    return wanted in found or sorted(map(json.dumps, wanted)) == sorted(map(json.dumps, panels))


def size(picture: Picture) -> tuple[float, float]:
    """Return width and height in pixels."""
    root = ElementTree.fromstring(picture.to_svg())
    return float(root.attrib["width"]), float(root.attrib["height"])


def _svg(content: bytes) -> None:
    root = ElementTree.fromstring(content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [each for each in root.iter() if each.tag.endswith("script")]


def _png(content: bytes) -> None:
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed = 8, b""
    while place < len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        if content[place + 4 : place + 8] == b"IDAT":
            packed += content[place + 8 : place + 8 + length]
        place += 12 + length
    assert len(set(zlib.decompress(packed))) > 20  # a blank picture would have two or three different bytes


def _pdf(content: bytes) -> None:
    assert content.startswith(b"%PDF-")
    assert b"%%EOF" in content[-32:]


def _html(content: bytes) -> None:
    page = content.decode()
    assert page.lower().count("<script") == 2  # the runtime and the picture: none comes from a name
    assert page.lower().count("</script") == 2
    assert "default-src 'none'" in page  # a browser would refuse any request
    own = page[: page.index("<script>")] + page[page.rindex("<script>") :]  # the runtime is the library's
    assert not re.search(r"<[^<>]*\b(src|href)\s*=", own)
    assert not re.search(r'"url"|@import|url\(', own)


def _json(content: bytes) -> None:
    spec: dict[str, Any] = json.loads(content, parse_constant=lambda name: float("nan") / 0)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    altair.Chart.from_dict(spec, validate=True)


_CHECKS = {"svg": _svg, "png": _png, "pdf": _pdf, "html": _html, "json": _json}
