"""Notebooks as pages of the site: their words, code, and what came out of it."""

import base64
import json
from pathlib import Path
from typing import Any


def write_notebook_page(notebook: Path, folder: Path) -> str:
    """Write one as Markdown with its pictures beside it; give the name of the page."""
    book = json.loads(notebook.read_text("utf-8"))
    parts, count = [], 0
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            picture = output.get("data", {}).get("image/png")
            if picture is not None:
                count += 1
                target = folder / f"{notebook.stem}_{count}.png"
                target.write_bytes(base64.b64decode(picture))
                parts.append(f"![What it draws]({target.name})")
            elif text := _text(output):
                parts.append(f"```text\n{text}\n```")
    parts.append(f"The notebook: `docs/notebooks/{notebook.name}`.")
    (folder / f"{notebook.stem}.md").write_text("\n\n".join(parts) + "\n", "utf-8")
    return notebook.stem


def _text(output: dict[str, Any]) -> str:
    found = output.get("text") or output.get("data", {}).get("text/plain") or ""
    return "".join(found).rstrip("\n")
