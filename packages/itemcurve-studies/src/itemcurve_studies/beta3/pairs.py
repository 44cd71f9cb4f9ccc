"""Figure 5: negative discrimination as a detector of flipped labels, over pairs of digits."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from itemcurve.evaluation.noise.added_noise import flip_labels
from itemcurve_studies.beta3.data import draw_digits
from itemcurve_studies.beta3.fits import fit_way, measure_detection, predict_case, relabel
from itemcurve_studies.beta3.settings import Beta3Settings
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

PLACES = ("test", "both")
PAIR_WAYS = ("published", "log-loss joint")
Pair = tuple[int, int]


def detect_in_pairs(
    parts: FinishedParts, data: Path, settings: Beta3Settings, report: Report
) -> Tables:
    """Give the table `detection`: precision and recall by pair, run, place, level and way."""
    levels, sizes, done = settings.pair_levels, settings.pair_sizes, []
    shares = "-".join(f"{level:g}" for level in levels)
    for run in range(settings.runs):
        for pair in settings.pairs:
            key = f"pair-{pair[0]}-{pair[1]}-{run}-{sizes[0]}-{sizes[1]}-{shares}"
            done.append(parts.tables(key, partial(_detect, data, pair, run, levels, sizes)))
            report(f"run {run}, digits {pair[0]} and {pair[1]}: noise in one part and in both")
    return join_parts(done)


def _detect(
    data: Path, pair: Pair, run: int, levels: Sequence[float], sizes: tuple[int, int]
) -> Tables:
    import pandas

    case = draw_digits(data, run, pair, sizes)
    clean = predict_case(case, run)
    rows = []
    for place in PLACES:
        for index, level in enumerate(levels):
            noisy = flip_labels(case.y_test, level, 1000 * run + index)
            trained = clean
            if place == "both":
                wrong = flip_labels(case.y_train, level, 1000 * run + 500 + index)
                trained = predict_case(case, run, np.asarray(wrong.values))
            given = relabel(trained, np.asarray(noisy.values))
            for way in PAIR_WAYS:
                found = fit_way(given, way)
                slopes = np.asarray(found.estimates.item_columns["discrimination"])
                rows.append(
                    {
                        "pair": f"{pair[0]} and {pair[1]}",
                        "run": run,
                        "place": place,
                        "noise": float(level),
                        "way": way,
                        **measure_detection(slopes, noisy.changed),
                    }
                )
    return {"detection": pandas.DataFrame(rows)}
