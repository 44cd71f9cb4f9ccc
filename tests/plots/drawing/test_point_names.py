"""Names beside points."""

import numpy as np
import pandas
from matplotlib.text import Text

import itemcurve as ic


def test_names_of_points_do_not_cover_one_another():
    rng = np.random.default_rng(2)
    crowd = pandas.DataFrame(
        {
            "respondent": [f"a classifier called {n}" for n in range(15)],
            "ability": rng.normal(0, 0.1, 15),
            "accuracy": 0.9 + rng.normal(0, 0.002, 15),
        }
    )
    ax = ic.plots.ability_metric(crowd, "accuracy")
    ax.figure.canvas.draw()
    # The extent of an annotation as such includes its line to the point.
    names = [t for t in ax.texts if t.get_text().startswith("a cl")]
    boxes = [Text.get_window_extent(name) for name in names]
    assert len(boxes) == 15
    assert not any(a.overlaps(b) for n, a in enumerate(boxes) for b in boxes[n + 1 :])
