"""Frames a second while a map of many items is panned: `python -m benchmarks.item_map`.

A service with a small run is opened in Chromium without a GPU; the bytes of its map are replaced by
those of as many items as are asked for. The pointer moves once a frame.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.section import Row
from benchmarks.service.figures import keep, make_row

SIZES = (10_000, 100_000, 1_000_000)
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
# Moves the pointer every frame, and counts how often the map was drawn.
_PAN = """
(seconds) => new Promise((done) => {
  const map = document.getElementById("map"), box = map.getBoundingClientRect();
  const tell = (kind, x, y) => map.dispatchEvent(new PointerEvent(kind, {
    clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true }));
  map.setPointerCapture = () => undefined;
  const count = () => Number(map.dataset.frames || 0);
  tell("pointerdown", 450, 300);
  const start = performance.now(), first = count();
  const step = (now) => {
    const gone = (now - start) / 1000;
    if (gone > seconds) {
      const drawn = count() - first, took = (performance.now() - start) / 1000;
      tell("pointerup", 450, 300);
      done({ frames_per_second: drawn / took, width: map.width, height: map.height });
      return;
    }
    tell("pointermove", 450 + 200 * Math.sin(3 * gone), 300 + 100 * Math.cos(2 * gone));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""


def make_map(items: int) -> bytes:
    """Give the bytes of a map of drawn items, one in a hundred of them suspect."""
    rng = np.random.default_rng(1)
    across = rng.normal(size=items).astype("<f4")
    up = rng.lognormal(0.2, 0.4, size=items).astype("<f4")
    codes = (rng.random(items) < 0.01).astype(np.uint8)
    suspect = int(codes.sum())
    words = [
        {"word": "informative", "items": items - suspect},
        {"word": "suspect label", "items": suspect},
    ]
    header = {"items": items, "across": "difficulty", "up": "discrimination", "verdicts": words}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    length = np.array([len(text)], dtype="<u4").tobytes()
    return length + text + across.tobytes() + up.tobytes() + codes.tobytes()


def pan_map(window: Any, run: str, items: int, seconds: float = 3.0) -> dict[str, Any]:
    """Pan a map of this many items; `window` goes to places of the dashboard."""
    content = make_map(items)
    window.page.route(
        "**/pages/map",
        lambda route: route.fulfill(body=content, content_type="application/octet-stream"),
    )
    page = window.go("run", run, "items")
    page.locator("#map[data-frames]").wait_for(timeout=30_000)
    page.wait_for_timeout(300)
    found: dict[str, Any] = page.evaluate(_PAN, seconds)
    return {"items": items, **found}


def main() -> None:
    """Measure, print and keep the results."""
    from playwright.sync_api import sync_playwright
    from tests.dashboard.conftest import Visit, write_run
    from tests.running.http_service import HttpService

    from itemcurve.service.run_views import RunViews
    from itemcurve.service.settings import ServiceSettings
    from itemcurve.store.data_folder import open_store

    rows = []
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        run = write_run(Path(folder) / "run")
        store = open_store(Path(folder) / "store")
        service = HttpService(store, ServiceSettings(run_folders=[run]))
        (entry,) = RunViews(store, [run]).list_all("local")
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        for items in SIZES:
            page = browser.new_page(viewport={"width": 1000, "height": 900})
            rows.append(pan_map(Visit(page, f"{service.url}/"), entry.id, items))
            print(rows[-1])
            page.close()
        browser.close()
        service.stop()
        store.close()
    keep([_say(row) for row in rows])


def _say(row: dict[str, Any]) -> Row:
    what = f"map of {row['items']:,} items, panned at {row['width']} × {row['height']}, no GPU"
    return make_row(what, f"{row['frames_per_second']:.1f} frames a second", "30")


if __name__ == "__main__":
    main()
