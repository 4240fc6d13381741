"""A picture: a chart that can be restyled, the table behind it, and all the formats it can be saved in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from betterthan.errors import BetterthanError, MissingExtraError
from betterthan.present.whole import write_bytes

#: Okabe and Ito's colours, which people with any colour vision tell apart.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW, BLACK = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000",
)  # fmt: skip
PALETTE = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK, YELLOW)
#: From one extreme over white to the other, both told apart by any colour vision, and in print by how dark they are.
DIVERGING = ("#B2182B", "#F7F7F7", "#2166AC")
GREY, FAINT = "#666666", "#DDDDDD"
#: One column of a paper, in pixels at 96 per inch.
COLUMN = 320
FORMATS = ("svg", "png", "pdf", "html", "json")


@dataclass(frozen=True)
class Picture:
    """A chart, and the table whose numbers it shows.

    `chart` is an Altair chart: change it as you like and save it, or take `restyled(...)`, which passes arguments on
    to `chart.properties` and keeps the rest. `columns` has the numbers.
    """

    chart: Any
    columns: Mapping[str, Sequence[Any]]
    title: str = ""

    def restyled(self, **properties: Any) -> "Picture":
        """Return the picture with other properties: width, height, title …"""
        return replace(self, chart=self.chart.properties(**properties))

    def save(self, path: str | Path, *, scale: float = 2.0) -> None:
        """Write the picture; the path's ending says the format: svg, png, pdf, html or json (Vega-Lite)."""
        form = Path(path).suffix.lower().removeprefix(".")
        write_bytes(path, self.render(form, scale=scale))

    def render(self, form: str, *, scale: float = 2.0) -> bytes:
        """Return the picture in a format; none of them needs a browser or the network."""
        if form not in FORMATS:
            raise BetterthanError(f"a picture can be {', '.join(FORMATS)}, not {form!r}. Choose another ending.")
        if form == "json":
            return json.dumps(self.spec, ensure_ascii=False, indent=1).encode()
        if form == "html":
            return self.to_html().encode()
        convert = _part("vl_convert")
        if form == "svg":
            return str(convert.vegalite_to_svg(self.spec)).encode()
        if form == "png":
            return bytes(convert.vegalite_to_png(self.spec, scale=scale))
        return bytes(convert.vegalite_to_pdf(self.spec))

    def to_svg(self) -> str:
        """Return the picture as SVG text."""
        return self.render("svg").decode()

    def to_html(self) -> str:
        """Return one page that shows the picture, with tooltips, without the network."""
        runtime = _part("vl_convert").javascript_bundle()
        # A name may hold </script>: within a script no tag may begin.
        spec = json.dumps(self.spec).replace("<", "\\u003c")
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>betterthan</title><script>{runtime}</script></head><body>"
            f'<div id="picture"></div><script>vegaEmbed("#picture", {spec});</script></body></html>\n'
        )

    @property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification, with the data in it."""
        found: dict[str, Any] = json.loads(self.chart.to_json())
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.chart._repr_mimebundle_(include, exclude)


def altair() -> Any:
    """Return the library that draws."""
    return _part("altair")


def records(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns as the data of a chart."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return altair().Data(values=rows)


def finished(chart: Any, columns: Mapping[str, Sequence[Any]], title: str = "") -> Picture:
    """Give a chart the common look, and return it with its numbers."""
    if title:
        chart = chart.properties(title=title)
    chart = (
        chart.configure(font="Helvetica, Arial, sans-serif", background="white")
        .configure_axis(grid=False, labelFontSize=10, titleFontSize=11, titleFontWeight="normal", labelLimit=160)
        .configure_legend(labelFontSize=10, titleFontSize=10, titleFontWeight="normal", labelLimit=160)
        .configure_title(fontSize=12, fontWeight="normal", anchor="start")
        .configure_view(stroke=None)
    )
    return Picture(chart, columns, title)


def _part(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(name, "plots", "a picture") from None
