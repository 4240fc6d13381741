"""A picture: a chart that can be restyled, the table behind it, and its file formats."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from betterthan.base import BetterthanError, PlanError, escaping, need_path, need_text, optional_library, quoted_value
from betterthan.present.atomic_files import write_bytes

#: Okabe and Ito's colours without the yellow: people with any colour vision can distinguish them.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#000000",
)
#: Lines and letters on white: a brown instead of Okabe and Ito's yellow, which is too light for them.
LINES = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK, "#8C510A")
#: From one extreme over white to the other, in the hues of the report: any colour vision distinguishes them.
DIVERGING = ("#C04F00", "#F7F7F7", "#005F96")
#: From nothing to much.
GROWING = ("#F7FBFF", "#6BAED6", "#08306B")
GREY = "#666666"
#: One column of a paper, in pixels at 96 per inch.
COLUMN = 320
FORMATS = ("svg", "png", "pdf", "html", "json")
#: A page that may run its own scripts and fetch nothing.
_ALONE = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"


@dataclass(frozen=True)
class Picture:
    """A chart, and the table of its numbers.

    `chart` is an Altair chart: change it as you like and save it, or take `restyled(...)`, which passes arguments on
    to `chart.properties` and keeps the rest. `columns` has the numbers.
    """

    chart: Any
    columns: Mapping[str, Sequence[Any]]
    title: str = ""

    def restyled(self, **properties: Any) -> "Picture":
        """Return the picture with other properties: width, height, title …; panels share a width or height.

        Parameters
        ----------
        **properties : object
            Properties of the chart: width, height, title and others of Vega-Lite.

        Returns
        -------
        Picture
            The changed picture.
        """
        chart = self.chart
        for name in ("width", "height"):
            _need_number(properties.get(name, 1), name, 20_000)
            if name in properties and _extent(chart, name):
                chart = _resized(chart, name, float(properties.pop(name)) / _extent(chart, name))
        return replace(self, chart=chart.properties(**properties) if properties else chart)

    def save(self, path: str | Path, *, scale: float = 2.0) -> None:
        """Write the picture; the path's ending says the format: svg, png, pdf, html or json (Vega-Lite).

        Parameters
        ----------
        path : str or path
            File to write.
        scale : float, default 2.0
            Pixels per unit, for PNG.
        """
        need_path(path, "the place of a picture")
        form = Path(path).suffix.lower().removeprefix(".")
        write_bytes(path, self.render(form, scale=scale))

    def render(self, form: str, *, scale: float = 2.0) -> bytes:
        """Return the picture in a format; none of them needs a browser or the network. `scale` is that of pixels.

        Parameters
        ----------
        form : {'svg', 'png', 'pdf', 'html', 'json'}
            Name of the format.
        scale : float, default 2.0
            Pixels per unit, for PNG.

        Returns
        -------
        bytes
            The content of the file.
        """
        need_text(form, "the format of a picture")
        _need_number(scale, "scale", 100)
        if form not in FORMATS:
            raise BetterthanError(f"a picture can be {', '.join(FORMATS)}, not {form!r}. Choose another ending.")
        if form == "json":
            return escaping.json_text(self.spec, indent=1).encode()
        if form == "html":
            return self.to_html().encode()
        convert = _part("vl_convert")
        if form == "svg":
            return _rounded(_numbered(str(convert.vegalite_to_svg(self.spec)))).encode()
        if form == "png":
            return bytes(convert.vegalite_to_png(self.spec, scale=scale))
        return bytes(convert.vegalite_to_pdf(self.spec))

    def to_svg(self) -> str:
        """Return the picture as SVG text."""
        return self.render("svg").decode()

    def to_html(self) -> str:
        """Return one page that shows the picture, with tooltips, without the network."""
        runtime = _part("vl_convert").javascript_bundle()
        spec = escaping.script_json(self.spec)
        actions = '{"export": true, "source": false, "compiled": false, "editor": false}'
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{_ALONE}">'
            f"<title>betterthan</title><script>{runtime}</script></head><body>"
            f'<div id="picture"></div><script>vegaEmbed("#picture", {spec}, {{"actions": {actions}}});</script>'
            "</body></html>\n"
        )

    @property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification, with the data in it."""
        # Charts check themselves while they are made; to check all data again takes longer than to draw it.
        found: dict[str, Any] = _drawable(json.loads(self.chart.to_json(validate=False)))
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.chart._repr_mimebundle_(include, exclude)


def _need_number(value: object, what: str, most: float) -> None:
    """Refuse a size that no picture can have; nan is none."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not 0 < value <= most:  # type: ignore[operator]
        raise PlanError(f"{what} must be a number above 0 and at most {most:,}, got {quoted_value(value)}.")


def _numbered(svg: str) -> str:
    """Number gradients from 0: the renderer counts on over all pictures of a process, and the same one would differ."""
    numbers: dict[str, int] = {}
    return re.sub(r"\bgradient_(\d+)\b", lambda found: f"gradient_{numbers.setdefault(found[1], len(numbers))}", svg)


#: Labels and texts, which stay as they are, or a number with more decimals than a coordinate needs.
_LONG_NUMBER = re.compile(r'aria-label="[^"]*"|>[^<]+<|-?\d+\.\d{4,}(?:e-?\d+)?')


def _rounded(svg: str) -> str:
    """Round coordinates to a thousandth of a pixel: their last digits differ from processor to processor.

    >>> _rounded('<path aria-label="1.23456" d="M12.345678,-0.00001"/>')
    '<path aria-label="1.23456" d="M12.346,0"/>'
    """
    return _LONG_NUMBER.sub(
        lambda found: found[0] if found[0][0] in "a>" else f"{round(float(found[0]), 3) + 0.0:.10g}", svg
    )


def altair() -> Any:
    """Return the library that draws."""
    return _part("altair")


def records(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns as the data of a chart."""
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return {"values": tuple(rows)}  # of lists, Altair would make a copy at every step


def row_height(rows: int) -> int:
    """Return the height of a labelled row; many rows are packed as closely as is readable."""
    return 16 if rows <= 40 else 12 if rows <= 100 else 9


def letters(room: float) -> float:
    """Return the size of letters for rows or columns that many pixels apart."""
    return max(6.0, min(10.0, room - 1.5))


def whole_numbers(low: int, high: int) -> list[int]:
    """Return whole numbers for an axis, few enough to be read.

    >>> whole_numbers(1, 13)
    [2, 4, 6, 8, 10, 12]
    """
    step = next(step for step in (1, 2, 5, 10, 20, 50, 10**9) if (high - low) / step <= 8)
    return [value for value in range(low, high + 1) if value % step == 0 or high - low < step]


def short(value: float, digits: int) -> str:
    """Write a number without what goes without saying.

    >>> short(0.534, 2), short(-0.2, 2), short(10.05, 1), short(-0.001, 2)
    ('.53', '−.20', '10.1', '.00')
    """
    text = f"{abs(value):.{digits}f}"
    shown = text.removeprefix("0") or "0"
    return f"−{shown}" if value < 0 and float(text) else shown


def finished(chart: Any, columns: Mapping[str, Sequence[Any]], title: str = "") -> Picture:
    """Give a chart the common look, and return it with its numbers."""
    if title:
        chart = chart.properties(title=wrap(title, 56))
    chart = (
        chart.configure(font="Helvetica, Arial, sans-serif", background="white")
        .configure_axis(
            grid=False, labelFontSize=10, titleFontSize=11, titleFontWeight="normal", labelLimit=120, titleLimit=220
        )
        .configure_legend(labelFontSize=10, titleFontSize=10, titleFontWeight="normal", labelLimit=160, titleLimit=260)
        .configure_title(fontSize=12, fontWeight="normal", anchor="start", limit=2 * COLUMN)
        .configure_view(stroke=None)
    )
    return Picture(chart, columns, title)


def one_column(chart: Any, height: float) -> Any:
    """Make a chart one column wide, with all its labels; `height` is that of the plot itself."""
    around = {"left": 5, "right": 12, "top": 5, "bottom": 5}  # the last number of an axis reaches beyond its end
    fit = {"type": "fit-x", "contains": "padding"}
    return chart.properties(width=COLUMN, height=height, autosize=fit, padding=around)


def _extent(chart: Any, name: str) -> float:
    """Return the total width or height of a chart's panels, 0 for a chart without panels."""
    beside, below = (_panels(chart, way) for way in ("hconcat", "vconcat"))
    sizes = [_extent(each, name) or float(each[name]) for each in beside or below]
    return sum(sizes) if (name == "width") == bool(beside) else max(sizes, default=0.0)


def _resized(chart: Any, name: str, factor: float) -> Any:
    for way in ("hconcat", "vconcat"):
        if panels := _panels(chart, way):
            chart = chart.copy(deep=False)
            chart[way] = [_resized(each, name, factor) for each in panels]
            return chart
    return chart.properties(**{name: round(float(chart[name]) * factor)})


def _panels(chart: Any, way: str) -> list[Any]:
    found: list[Any] = getattr(chart, "_kwds", {}).get(way) or []
    return found if isinstance(found, list) else []


def _drawable(value: Any) -> Any:
    if isinstance(value, str):
        return escaping.picture_text(value)
    if isinstance(value, list):
        return [_drawable(each) for each in value]
    if isinstance(value, dict):
        return {name: _drawable(each) for name, each in value.items()}
    return value


def _part(name: str) -> Any:
    return optional_library(name, "plots", "a picture")
