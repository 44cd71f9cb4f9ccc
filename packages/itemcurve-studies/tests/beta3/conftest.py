"""Rows in which every claim on items and abilities is true by construction."""

import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.beta3.tables import SHORT

WAYS = ("published", "log-loss", "log-loss joint")


LEVELS = (0.0, 0.2, 0.4, 0.5)


@pytest.fixture(scope="module")
def raw():
    """Rows in which every claim on items and abilities is true by construction."""
    rng = np.random.default_rng(0)
    items, respondents, detection = [], [], []
    names = [*SHORT, "Constant 0.5", "Always positive", "Always negative"]
    for data in ("moons", "clusters", "mnist"):
        for way in WAYS:
            for noise in LEVELS:
                keys = {"data": data, "seed": 0, "noise": noise, "way": way}
                for place, name in enumerate(names):
                    ability = 0.9 - 0.06 * place + 0.001 * rng.random()
                    # Good accuracy and nothing else, as boosted stumps have.
                    accuracy = (0.9 if name == "AdaBoost" else 0.8 - 0.01 * place) * (1 - noise)
                    respondents.append(
                        {
                            **keys,
                            "respondent": name,
                            "ability": np.log(ability / (1 - ability)),
                            "ability_01": ability,
                            "mean_response": ability,
                            "accuracy": accuracy,
                            "f1": accuracy,
                            "brier": 1 - accuracy,
                            "log_loss": 1 - accuracy,
                            "auc": accuracy,
                        }
                    )
                if noise <= 0.2:
                    items.append(_items(keys, noise))
    for way in WAYS:
        for place, recall in (("test", 0.9), ("both", 0.4)):
            row = {"way": way, "place": place, "noise": 0.2, "precision": recall, "recall": recall}
            detection += [row, row]
    return {
        "items": pd.concat(items, ignore_index=True),
        "respondents": pd.DataFrame(respondents),
        "detection": pd.DataFrame(detection),
    }


def _items(keys, noise):
    distance = np.linspace(0.1, 2, 50)
    flipped = (np.arange(50) % 5 == 0) & (noise > 0)
    difficulty = 0.45 - 0.1 * distance
    sign = np.where(flipped, -1, 1)
    return pd.DataFrame(
        {
            "flipped": flipped,
            "distance": distance,
            "line_distance": distance,
            "mean_response": 0.5 + 0.2 * sign,
            "difficulty": difficulty,
            "discrimination": sign * distance,
            "probability_negative": flipped.astype(float),
            "fixed_difficulty": np.where(flipped, 0.8, 0.2),
        }
    ).assign(**keys)
