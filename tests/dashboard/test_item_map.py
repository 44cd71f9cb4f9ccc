"""The map of items: what goes in comes out, and polygons hold what they hold."""

import json

import numpy as np

import itemcurve as ic
from itemcurve.dashboard.item_map import inside_polygon
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.source import read_source


def read_map(content):
    length = int(np.frombuffer(content[:4], dtype="<u4")[0])
    header, start = json.loads(content[4 : 4 + length]), 4 + length
    n = header["items"]
    x, y = (np.frombuffer(content, "<f4", n, start + 4 * n * k) for k in (0, 1))
    return header, x, y, np.frombuffer(content, np.uint8, n, start + 8 * n)


def test_a_map_holds_all_items_in_their_order(exam):
    documents, fit = RunDocuments(read_source(exam)), ic.load(exam)
    header, x, y, codes = read_map(documents.map())
    assert (header["across"], header["up"]) == ("difficulty", "discrimination")
    np.testing.assert_allclose(x, fit.items["difficulty"], rtol=1e-6)
    np.testing.assert_allclose(y, fit.items["discrimination"], rtol=1e-6)
    words = [header["verdicts"][code]["word"] for code in codes]
    ranked = documents.ranked.sort_index()
    assert words == ranked["verdict"].tolist()
    assert sum(verdict["items"] for verdict in header["verdicts"]) == 40


def test_equal_slopes_are_not_drawn(tmp_path):
    drawn = ic.simulate("1pl", respondents=80, items=10, seed=1)
    ic.fit(drawn.responses, "1pl").save(tmp_path / "run")
    header, _, y, _ = read_map(RunDocuments(read_source(tmp_path / "run")).map())
    assert header["up"] == "mean_response"
    np.testing.assert_allclose(y, np.nanmean(drawn.responses.array(), axis=0), rtol=1e-6)


def test_a_polygon_holds_what_a_drawing_library_says():
    from matplotlib.path import Path

    rng = np.random.default_rng(1)
    points = rng.normal(size=(2000, 2)).astype(np.float32)
    # A star, which crosses itself nowhere and is not convex.
    angles = np.linspace(0, 2 * np.pi, 11)[:-1]
    reach = np.where(np.arange(10) % 2, 0.6, 1.8)
    corners = np.column_stack([reach * np.cos(angles), reach * np.sin(angles)])
    found = inside_polygon(points[:, 0], points[:, 1], corners)
    expected = np.flatnonzero(Path(corners).contains_points(points))
    assert found.tolist() == expected.tolist()
