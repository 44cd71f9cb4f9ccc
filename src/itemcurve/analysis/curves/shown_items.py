"""Which items to show when none are named."""

import numpy as np

from itemcurve.estimation.result import FitResult


def typical_items(fit: FitResult, number: int = 4) -> tuple[str, ...]:
    """Give items spread over the difficulties, flagged ones left out where enough remain."""
    table = fit.items
    sound = table[table["flags"] == ""]
    if len(sound) < number:
        sound = table
    ranked = sound.sort_values(fit.locations.name, kind="stable")["item"].tolist()
    places = np.linspace(0.1, 0.9, number) if number > 1 else np.array([0.5])
    chosen = [ranked[round(place * (len(ranked) - 1))] for place in places]
    return tuple(dict.fromkeys(chosen))
