"""Guides show what their code prints and draws: `python docs/site/guide_output.py [pages]`.

Runs the Python of each page, in a folder of its own, and writes what a block prints below it, as a
block of text, and what it draws, as a picture. `tests/test_readme.py` runs the same code and
compares: words must be the same, numbers nearly so.
"""

import io
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures" / "guides"
_BLOCK = re.compile(
    r"```python\n(?P<code>.*?)```\n"
    r"(?:\n```(?:text)?\n(?!(?:itemcurve|make|pip|inspect) )(?P<shown>.*?)```\n)?"
    r"(?P<drawn>(?:\n!\[[^\]]*\]\((?:docs/|\.\./)?pictures/guides/[^)]*\)\n)*)",
    re.DOTALL,
)
_NUMBER = re.compile(r"[-+−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")
# Other releases of NumPy and other processors round otherwise.
_CLOSE = 0.02


@dataclass(frozen=True)
class Block:
    """A block of Python with what the page shows of it, and what it printed and drew."""

    code: str
    shown: str | None
    pictures: tuple[str, ...]
    printed: str = ""
    figures: tuple[object, ...] = ()


def read_blocks(text: str) -> list[Block]:
    """Find the blocks of a page."""
    found = []
    for match in _BLOCK.finditer(text):
        pictures = tuple(re.findall(r"\(([^)]+)\)\n", match["drawn"] or ""))
        found.append(Block(match["code"], match["shown"], pictures))
    return found


def run_blocks(page: str, blocks: list[Block]) -> Iterator[Block]:
    """Run the blocks of a page one after the other, in the present folder."""
    import matplotlib.pyplot as plt

    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        before, told = set(plt.get_fignums()), io.StringIO()
        with redirect_stdout(told):
            exec(compile(block.code, page, "exec"), names)
        drawn = tuple(plt.figure(number) for number in plt.get_fignums() if number not in before)
        printed = "\n".join(line.rstrip() for line in told.getvalue().splitlines())
        yield Block(block.code, block.shown, block.pictures, printed.strip("\n"), drawn)


def is_alike(shown: str, printed: str) -> bool:
    """Whether what a page shows is what came out: words equal, numbers within two per cent."""
    one, other = _NUMBER.sub("#", shown).split(), _NUMBER.sub("#", printed).split()
    numbers = [_NUMBER.findall(text) for text in (shown, printed)]
    return one == other and all(_is_close(a, b) for a, b in zip(*numbers, strict=True))


def _is_close(one: str, other: str) -> bool:
    first, second = (float(text.replace(",", "").replace("−", "-")) for text in (one, other))
    # The last digit that is shown may be rounded either way.
    digits = len(one.partition(".")[2].partition("e")[0])
    return math.isclose(first, second, rel_tol=_CLOSE, abs_tol=2 * 10.0**-digits)


def write_page(path: Path) -> None:
    """Run a page and write what it prints and draws below each block."""
    text = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        blocks = list(run_blocks(str(path), read_blocks(text)))
    remaining, count = iter(blocks), 0

    def renew(match: re.Match[str]) -> str:
        nonlocal count
        block = next(remaining)
        parts = [f"```python\n{block.code}```\n"]
        if block.printed:
            parts.append(f"```text\n{block.printed}\n```\n")
        for figure in block.figures:
            count += 1
            parts.append(_save(path, count, figure))
        return "\n".join(parts)

    path.write_text(_BLOCK.sub(renew, text), "utf-8")


def _save(path: Path, number: int, figure: object) -> str:
    """Save a picture; give the line that shows it."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    target = PICTURES / f"{path.stem.lower()}_{number}.png"
    figure.savefig(target, dpi=80)  # type: ignore[attr-defined]
    return f"![What it draws]({os.path.relpath(target, path.parent)})\n"


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("Agg")
    for given in sys.argv[1:]:
        print(given)
        write_page(Path(given).resolve())
