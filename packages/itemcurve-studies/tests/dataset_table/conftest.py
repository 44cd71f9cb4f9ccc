"""Data sets to measure classifiers on."""

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def data_folder(tmp_path):
    """Two small data sets: text, numbers, missing cells, three classes and a rare one."""
    rng = np.random.default_rng(0)
    for name, rows in (("small", 40), ("large", 90)):
        classes = np.repeat(["a", "b", "c"], rows // 3)
        frame = pd.DataFrame(
            {
                "number": rng.normal(size=classes.size) + (classes == "a"),
                "text": rng.choice(["x", "y", None], size=classes.size),
                "target": classes,
            }
        )
        frame.loc[3, "number"] = np.nan
        rare = pd.DataFrame({"number": [0.0], "text": ["x"], "target": ["rare"]})
        folder = tmp_path / "data" / "pmlb"
        folder.mkdir(parents=True, exist_ok=True)
        pd.concat([frame, rare]).to_csv(folder / f"{name}.csv.gz", index=False)
    return tmp_path / "data"
