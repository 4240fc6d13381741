"""Write the smallest workbooks that spreadsheet programs open, for tests."""

import zipfile
from pathlib import Path
from typing import Any


def write_zip(path: Path, files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write texts into a zip archive."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def write_workbook(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    """Write the smallest workbook that there can be, with texts in place."""

    def cell(value: Any) -> str:
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1))
    links = "".join(
        f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/s{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{packages}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {main} xmlns:r="{office}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packages}/relationships">{links}</Relationships>',
    }
    for number, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        files[f"xl/worksheets/s{number}.xml"] = f"<worksheet {main}><sheetData>{body}</sheetData></worksheet>"
    return write_zip(path, files)
