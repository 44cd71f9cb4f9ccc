"""RESULTS.md, rebuilt from the cached rows of all sections."""

import json
from collections.abc import Iterable
from pathlib import Path

from benchmarks.machine import describe_machine
from benchmarks.section import Cell, Column, Row, Section

_FOLDER = Path(__file__).parent
_RESULTS = _FOLDER / "results"
_INTRODUCTION = """\
# Measurements

Written by `make bench` (`python -m benchmarks.run`); do not edit. `--only SECTION` measures one \
section again, `--keep-peers` reuses the rows of other tools. The numbers behind the tables are in \
`benchmarks/results/`.
"""


def load_rows(section: Section) -> list[Row]:
    """Cached rows of a section; none if it was never measured."""
    path = _RESULTS / f"{section.name}.json"
    return json.loads(path.read_text())["rows"] if path.exists() else []


def save_rows(section: Section, rows: list[Row]) -> None:
    """Cache the rows with the machine that gave them."""
    _RESULTS.mkdir(exist_ok=True)
    content = {"machine": describe_machine(), "rows": rows}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (_RESULTS / f"{section.name}.json").write_text(text + "\n")


def write_report(sections: Iterable[Section]) -> Path:
    """Rebuild RESULTS.md."""
    target = _FOLDER / "RESULTS.md"
    parts = [_INTRODUCTION, *(_section_text(section) for section in sections)]
    target.write_text("\n".join(parts))
    return target


def format_tables(section: Section, rows: list[Row]) -> str:
    """The rows as Markdown: one table, or one per group."""
    if section.group_by is None:
        return _table(section.columns, rows)
    groups = dict.fromkeys(row[section.group_by] for row in rows)
    return "\n".join(
        f"### {group}\n\n"
        + _table(section.columns, [row for row in rows if row[section.group_by] == group])
        for group in groups
    )


def _section_text(section: Section) -> str:
    path = _RESULTS / f"{section.name}.json"
    head = f"## {section.title}\n"
    if not path.exists():
        return f"{head}\nNot measured yet: `python -m benchmarks.run --only {section.name}`.\n"
    content = json.loads(path.read_text())
    facts = content["machine"]
    where = (
        f"{facts['date']}, {facts['cores']} cores ({facts['processor']}), load {facts['load']}, "
        + ", ".join(f"{name} {facts[name]}" for name in ("Python", "numpy", "scipy", "itemcurve"))
    )
    return f"{head}\n{where}.\n\n{section.notes}\n\n{format_tables(section, content['rows'])}"


def _table(columns: tuple[Column, ...], rows: list[Row]) -> str:
    used = [c for c in columns if any(row.get(c.key) not in (None, "") for row in rows)]
    lines = [
        "| " + " | ".join(column.header for column in used) + " |",
        "|" + "|".join("---:" if column.form else "---" for column in used) + "|",
    ]
    lines += [
        "| " + " | ".join(_cell(row.get(column.key), column.form) for column in used) + " |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _cell(value: Cell, form: str) -> str:
    if value is None or value != value:
        return "–"
    return format(value, form) if form and not isinstance(value, str) else str(value)
