"""Branding of a report: title, logo and colours from a validated TOML file."""

import os
import re
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from betterthan.base import PlanError, nearest

_KEYS = ("title", "logo", "accent", "accent_dark")
_LOGOS = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
_LARGEST_LOGO = 500_000
#: What the accent is seen on: paper and cards, in light and in dark.
_LIGHT, _DARK = ("#ffffff", "#f6f7f9"), ("#15171b", "#1f2228")
#: The least contrast of text, and so of links (WCAG 2.2, AA).
_CONTRAST = 4.5


@dataclass(frozen=True)
class Brand:
    """The branding of a page: title, logo as a data address, and colours; None where not given."""

    title: str = ""
    logo: str | None = None
    accent: str | None = None
    accent_dark: str | None = None


def load_brand(place: str | os.PathLike[str]) -> Brand:
    """Read a brand file; the logo's path is relative to it."""
    import tomllib  # noqa: PLC0415 (most pages have no brand)

    where = os.fspath(place)
    try:
        found = tomllib.loads(Path(place).read_text(encoding="utf-8"))
    except OSError as error:
        raise PlanError(f"the brand file cannot be read: {error.strerror}", where=where) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise PlanError(f"is not TOML: {error}", where=where, remedy='Lines look like: accent = "#00629b"') from None
    for name, value in found.items():
        if name not in _KEYS:
            raise PlanError(f"unknown key {name!r}", where=where, allowed=", ".join(_KEYS), remedy=nearest(name, _KEYS))
        if not isinstance(value, str) or not value.strip():
            raise PlanError(f"{name} must be a text, got {value!r}", where=where)
    return _brand(found, where)


def _brand(found: dict[str, Any], where: str) -> Brand:
    accent = _colour(found, "accent", _LIGHT, "light", where)
    dark = _colour(found, "accent_dark", _DARK, "dark", where)
    if accent is not None and dark is None and _least(accent, _DARK) >= _CONTRAST:
        dark = accent
    if accent is not None and dark is None:
        raise PlanError(
            f"accent {accent} has a contrast of {_least(accent, _DARK):.1f} on dark pages, less than {_CONTRAST}",
            where=where,
            remedy="Name a lighter colour for them: accent_dark.",
        )
    logo = _logo(Path(where).parent / found["logo"]) if "logo" in found else None
    return Brand(found.get("title", "").strip(), logo, accent, dark)


def _colour(found: dict[str, Any], name: str, papers: tuple[str, ...], scheme: str, where: str) -> str | None:
    """Return a colour that can be read on all papers of a scheme."""
    if name not in found:
        return None
    text = str(found[name]).strip().lower()
    if not re.fullmatch("#[0-9a-f]{6}", text):
        raise PlanError(f"{name} must be a colour such as #00629b, got {found[name]!r}", where=where)
    if (contrast := _least(text, papers)) < _CONTRAST:
        raise PlanError(
            f"{name} {text} has a contrast of {contrast:.1f} on {scheme} pages, less than {_CONTRAST}",
            where=where,
            remedy=f"Choose a {'darker' if scheme == 'light' else 'lighter'} colour.",
        )
    return text


def _least(colour: str, papers: tuple[str, ...]) -> float:
    return min(contrast_of(colour, paper) for paper in papers)


def contrast_of(one: str, two: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2).

    >>> round(contrast_of("#000000", "#ffffff"), 1), contrast_of("#777777", "#777777")
    (21.0, 1.0)
    """
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _logo(path: Path) -> str:
    """Return an image as an address that holds it; scripts in an image do not run."""
    kind = _LOGOS.get(path.suffix.lower())
    if kind is None:
        raise PlanError("a logo cannot be of this kind", where=str(path), allowed=", ".join(_LOGOS))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PlanError(f"the logo cannot be read: {error.strerror}", where=str(path)) from None
    if len(content) > _LARGEST_LOGO:
        raise PlanError(
            f"the logo has {len(content):,} bytes, more than {_LARGEST_LOGO:,}",
            where=str(path),
            remedy="Make it smaller.",
        )
    return f"data:{kind};base64,{b64encode(content).decode()}"
