"""Large data that programs write to files, seeded: sparse as EdNet, and single bits."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

EDNET = (784_309, 13_169, 95_293_926)
"""Students, questions and answers of EdNet-KT1 (Choi et al. 2020)."""
_SEED = 1
_RESPONDENTS_AT_A_TIME = 20_000


def write_sparse_answers(
    file: Path, n_respondents: int, n_items: int, n_answers: int
) -> dict[str, NDArray]:
    """Write a long Parquet table of a simulated 2PL, nobody answers an item twice; give the truth.

    Some answer ten items and some a thousand, some items are asked ten times as often as others:
    both numbers are log-normal, as in logs of a learning app.
    """
    import pyarrow as pa
    import pyarrow.parquet

    rng = np.random.default_rng(_SEED)
    abilities = rng.normal(size=n_respondents)
    truth = {
        "abilities": (abilities - abilities.mean()) / abilities.std(),
        "slope": np.exp(0.4 * rng.normal(size=n_items)),
        "difficulty": rng.normal(size=n_items),
    }
    popularity = np.cumsum(np.exp(rng.normal(size=n_items)))
    activity = np.exp(1.3 * rng.normal(size=n_respondents))
    counts = _answer_counts(activity, n_answers, n_items // 3)
    schema = pa.schema([("respondent", pa.int32()), ("item", pa.int32()), ("response", pa.int8())])
    with pa.parquet.ParquetWriter(file, schema) as writer:
        for first in range(0, n_respondents, _RESPONDENTS_AT_A_TIME):
            own = counts[first : first + _RESPONDENTS_AT_A_TIME]
            rows, columns = _distinct_cells(rng, own, popularity)
            rows += first
            gap = truth["abilities"][rows] - truth["difficulty"][columns]
            right = rng.logistic(size=gap.shape) < truth["slope"][columns] * gap
            arrays = rows.astype(np.int32), columns.astype(np.int32), right.astype(np.int8)
            writer.write_table(pa.table([pa.array(part) for part in arrays], schema=schema))
    return truth


def _answer_counts(activity: NDArray, total: int, most: int) -> NDArray:
    """How many items each answers, in proportion to activity but at least one and at most so many.

    A few more than wanted: some draws meet the same item again and are left out.
    """
    scale = total / activity.sum()
    for _ in range(20):
        counts = np.clip(np.round(scale * activity), 1, most)
        scale *= total / counts.sum()
    return counts.astype(np.int64)


def _distinct_cells(
    rng: np.random.Generator, counts: NDArray, popularity: NDArray
) -> tuple[NDArray, NDArray]:
    """Items that each answers, drawn by popularity; nearly as many as wanted."""
    n_items = popularity.size
    kept = np.empty(0, dtype=np.int64)
    missing = counts
    for _ in range(3):
        rows = np.repeat(np.arange(counts.size), missing)
        drawn = np.searchsorted(popularity, popularity[-1] * rng.random(rows.size), side="right")
        kept = np.unique(np.concatenate([kept, rows * n_items + drawn]))
        missing = counts - np.bincount(kept // n_items, minlength=counts.size)
    return np.divmod(kept, n_items)


def write_bits(folder: Path, n_respondents: int, n_items: int) -> dict[str, NDArray]:
    """Write a simulated 2PL, complete, as a folder of blocks of bits; give the truth.

    Chances are drawn in steps of 1/256, which a hundredth of a standard error of an item tells
    from exact ones: single bytes of random numbers make 10¹⁰ responses in minutes.
    """
    from itemcurve.responses.blocks.block_folder import write_folder
    from itemcurve.responses.layouts.bit_cells import bit_cells

    rng = np.random.default_rng(_SEED)
    abilities = rng.normal(size=n_respondents)
    truth = {
        "abilities": (abilities - abilities.mean()) / abilities.std(),
        "slope": np.exp(0.4 * rng.normal(size=n_items)),
        "difficulty": rng.normal(size=n_items),
    }
    rows = max(1, 2**27 // n_items)

    def block(first: int):  # noqa: ANN202
        own = truth["abilities"][first : first + rows]
        right = np.empty((own.size, n_items), dtype=bool)
        for top in range(0, own.size, 500):
            logits = truth["slope"] * (own[top : top + 500, None] - truth["difficulty"])
            chances = np.round(256 / (1 + np.exp(-logits.astype(np.float32))))
            drawn = np.frombuffer(rng.bytes(logits.size), dtype=np.uint8).reshape(logits.shape)
            right[top : top + 500] = drawn < chances
        return bit_cells(right, None)

    folder.mkdir(parents=True, exist_ok=True)
    blocks = (block(first) for first in range(0, n_respondents, rows))
    write_folder(folder, "bits", n_items, False, blocks)
    return truth
