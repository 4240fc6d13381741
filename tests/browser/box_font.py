"""A font whose every letter is the same box: pages look the same whichever fonts a machine has, and text only takes room."""

import struct
from base64 import b64encode

#: Characters that have a box: Latin, Greek, Cyrillic, Hebrew and Arabic, and signs.
_RANGES = ((0x20, 0x6FF), (0x2000, 0x2BFF))
_EM, _WIDTH, _ASCENT, _DESCENT = 1000, 520, 780, 220


def box_font() -> str:
    """Return the font (TrueType) as an address that holds it."""
    box = struct.pack(">5h", 1, 40, 0, _WIDTH - 40, 560)  # one contour, and its bounds
    box += struct.pack(">HH", 3, 0) + bytes([1] * 4)  # the last point, no instructions, four points on the curve
    box += struct.pack(">4h4h", 40, _WIDTH - 80, 0, 80 - _WIDTH, 0, 0, 560, 0)  # steps in x, then in y
    box += b"\0" * (-len(box) % 4)
    tables = {
        "OS/2": struct.pack(
            ">HhHHH10hh10B4I4sHHHhhhHH2IhhHHH",
            4,
            _WIDTH,
            400,
            5,
            0,
            *(0,) * 10,
            0,
            *(0,) * 10,
            0,
            0,
            0,
            0,
            b"none",
            64,
            0x20,
            0x2BFF,
            _ASCENT,
            -_DESCENT,
            0,
            _ASCENT,
            _DESCENT,
            1,
            0,
            500,
            700,
            0,
            32,
            0,
        ),
        "cmap": _characters(),
        "glyf": box * 2,
        "head": struct.pack(
            ">4I2H2Q4h2H3h", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _EM, 0, 0, 0, 0, _WIDTH, _ASCENT, 0, 8, 2, 1, 0
        ),
        "hhea": struct.pack(
            ">I3hH11hH", 0x10000, _ASCENT, -_DESCENT, 0, _WIDTH, 0, 0, _WIDTH, 1, 0, 0, 0, 0, 0, 0, 0, 2
        ),
        "hmtx": struct.pack(">HhHh", _WIDTH, 40, _WIDTH, 40),
        "loca": struct.pack(">3I", 0, len(box), 2 * len(box)),
        "maxp": struct.pack(">I14H", 0x10000, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        "name": struct.pack(">3H", 0, 0, 6),
        "post": struct.pack(">2I2h5I", 0x30000, 0, -100, 50, 0, 0, 0, 0, 0),
    }
    return "data:font/ttf;base64," + b64encode(_joined(tables)).decode()


def _characters() -> bytes:
    """Map every character to the box (format 4)."""
    segments = [*_RANGES, (0xFFFF, 0xFFFF)]
    number = len(segments)
    glyphs, offsets = b"", []
    for place, (first, last) in enumerate(segments):
        # An offset counts from its own place in the table to its first glyph.
        offsets.append(2 * (number - place) + len(glyphs))
        glyphs += struct.pack(">H", 1) * (last - first + 1) if first < 0xFFFF else struct.pack(">H", 0)
    body = struct.pack(f">{number}H", *(last for _, last in segments)) + struct.pack(">H", 0)
    body += struct.pack(f">{number}H", *(first for first, _ in segments)) + struct.pack(f">{number}h", *(0,) * number)
    body += struct.pack(f">{number}H", *offsets) + glyphs
    power = 2 ** (number.bit_length() - 1)
    search = struct.pack(">4H", 2 * number, 2 * power, power.bit_length() - 1, 2 * (number - power))
    subtable = struct.pack(">3H", 4, 6 + len(search) + len(body), 0) + search + body
    return struct.pack(">2H2HI", 0, 1, 3, 1, 12) + subtable


def _joined(tables: dict[str, bytes]) -> bytes:
    """Put tables into one file, with their checksums."""
    number = len(tables)
    power = 2 ** (number.bit_length() - 1)
    found = struct.pack(">I4H", 0x10000, number, 16 * power, power.bit_length() - 1, 16 * (number - power))
    place, content = len(found) + 16 * number, b""
    for name, table in tables.items():
        padded = table + b"\0" * (-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) % 2**32
        found += struct.pack(">4s3I", name.encode(), total, place + len(content), len(table))
        content += padded
    return found + content
