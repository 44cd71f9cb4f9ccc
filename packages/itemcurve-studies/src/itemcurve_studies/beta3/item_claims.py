"""Claims of the study of β³ on curves and items: B1, B2 and B7 to B12."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.models.catalogue import get_model
from itemcurve.numerics.engine import get_engine
from itemcurve_studies.beta3.sweep import PAPER_NOISE
from itemcurve_studies.beta3.tables import detect, select, summarise_detection
from itemcurve_studies.study.claims import Claim, judge, skip

if TYPE_CHECKING:
    import pandas

Raw = Mapping[str, "pandas.DataFrame"]
_STEP = 1e-6
_NEARLY = 1e-6
Ways = tuple[str, ...]
# The first decides; the others stand beside it.
_WAYS: Ways = ("published", "log-loss")


def judge_identities(raw: Raw) -> list[Claim]:
    """B1, B2: derivatives and shapes of the curve, computed by the model itself."""
    value, slope = _curve_at_difficulty()
    shapes = {a: _shape(a) for a in (2.0, 1.0, 0.5, -0.5, -2.0)}
    expected = {2.0: "sigmoid", 1.0: "straight", 0.5: "anti-sigmoid"}
    mirrored = {-0.5: "anti-sigmoid", -2.0: "sigmoid"}
    return [
        Claim(
            "B1",
            "Response 0.5 at ability = difficulty, slope a / (4δ(1−δ)) there",
            "exact",
            f"largest deviations {value:.0e} and {slope:.0e} over a from −2 to 2, δ from .1 to .9",
            judge(value < _NEARLY and slope < _NEARLY),
        ),
        Claim(
            "B2",
            "Sigmoid for a > 1, parabolic at a = 1, anti-sigmoid for 0 < a < 1; mirrored below 0",
            "regimes",
            ", ".join(f"a = {a:g}: {word}" for a, word in shapes.items()) + " (δ = .5)",
            judge({**expected, **mirrored} == shapes),
            "on the logits of ability and difficulty all of them are the same curve, the 2PL's",
        ),
    ]


def judge_boundary(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B7: Spearman of the distance from the boundary with difficulty and discrimination."""
    parts, lines = [], []
    right: list[bool] = []
    for way in ways:
        for name in ("moons", "clusters"):
            own = select(raw["items"], data=name, noise=PAPER_NOISE, way=way, flipped=False)
            found, line = (_correlate(own, column) for column in ("distance", "line_distance"))
            parts.append(f"{name}, {way}: {found[0]:+.2f} and {found[1]:+.2f}")
            lines.append(f"{name}, {way}: {line[0]:+.2f} and {line[1]:+.2f}")
            if way == ways[0]:
                right += [found[0] < 0, found[1] > 0]
    return Claim(
        "B7",
        "Near the boundary difficulty is higher and discrimination lower (MOONS, CLUSTERS)",
        "signs − and +",
        "; ".join(parts),
        judge(all(right), any(right)),
        ""
        if all(right)
        else "half of the classifiers draw a line, and items near that line are difficult, not "
        "those near the boundary of the classes; with the distance from the line: "
        + "; ".join(lines),
        is_headline=True,
    )


def _correlate(items: "pandas.DataFrame", column: str) -> tuple[float, float]:
    """Mean over seeds of the Spearman correlations with difficulty and discrimination."""
    found = [
        [table[column].corr(table[value], method="spearman") for value in _VALUES]
        for _, table in items.groupby("seed")
    ]
    first, second = np.mean(found, axis=0)
    return float(first), float(second)


_MEASURES = ("precision", "recall")
_VALUES = ("difficulty", "discrimination")
_PRIOR_CAUSE = (
    "the published objective weighs the prior a ~ N(1, 1) as much as all responses to an item, and "
    "holds items that say little at positive slopes; under log-loss all four relations hold"
)


def judge_kinds(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B8: group means on CLUSTERS, near and far split at the median distance."""
    words, right = [], {}
    for way in ways:
        own = select(raw["items"], data="clusters", noise=PAPER_NOISE, way=way)
        own = own.assign(near=own["distance"] < own["distance"].median())
        groups = [
            tuple(_mean(select(own, flipped=flipped, near=near), value) for value in _VALUES)
            for flipped, near in ((False, False), (False, True), (True, True), (True, False))
        ]
        right[way] = _count_relations(groups)
        pairs = ", ".join(f"({difficulty:.2f}, {slope:+.2f})" for difficulty, slope in groups)
        words.append(f"{way}: {pairs}; {right[way]} of 4 relations")
    return Claim(
        "B8",
        "Clean far, clean near, noisy near, noisy far: (difficulty, discrimination) is (low, "
        "high +), (high, low +), (high, low −), (low, high −)",
        "pictures of four items",
        "; ".join(words),
        judge(right[ways[0]] == 4, right[ways[0]] == 3),
        _PRIOR_CAUSE if right[ways[0]] < 4 == right[ways[-1]] else "",
    )


def _count_relations(groups: list[tuple[float, ...]]) -> int:
    """Count how many of the four relations between the group means are as the paper says."""
    far, near, near_wrong, far_wrong = groups
    return sum(
        (
            far[0] < near[0],
            far[1] > near[1] > 0,
            far_wrong[0] < near_wrong[0],
            far_wrong[1] < near_wrong[1] < 0,
        )
    )


def judge_detection(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B9: precision and recall of a < 0, AUROC of −a and of P(a < 0)."""
    table = select(detect(raw["items"]), data="mnist", noise=PAPER_NOISE)
    means = table.groupby("way")[["precision", "recall", "auroc", "auroc_probability"]].mean()
    parts = [
        f"{way}: precision {row['precision']:.2f}, recall {row['recall']:.2f}, AUROC of −a "
        f"{row['auroc']:.3f}"
        # Joint estimates have no posterior of an item.
        + f", of P(a < 0) {row['auroc_probability']:.3f}"
        * bool(row.notna().all())
        for way, row in means.iterrows()
    ]
    precision, recall = (_mean(select(table, way=ways[0]), v) for v in _MEASURES)
    return Claim(
        "B9",
        "Items with negative discrimination are mostly those with wrong labels (3 against 5, 20 %)",
        "none",
        "; ".join(parts),
        judge(precision > 0.5 and recall > 0.5, precision > 0.5),
        is_headline=True,
    )


def judge_fixed(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B10: mean difficulty of flipped items with free and with fixed discrimination."""
    words, verdicts = [], {}
    for way in ways:
        own = select(raw["items"], data="mnist", noise=PAPER_NOISE, way=way)
        wrong, right = select(own, flipped=True), select(own, flipped=False)
        free, fixed = _mean(wrong, "difficulty"), _mean(wrong, "fixed_difficulty")
        clean = _mean(right, "fixed_difficulty")
        verdicts[way] = (fixed > 0.5 and fixed > clean, free < 0.5, free < fixed)
        words.append(f"{way}: fixed {fixed:.2f} (right labels {clean:.2f}), free {free:.2f}")
    is_high, is_low, is_lower = verdicts[ways[0]]
    return Claim(
        "B10",
        "With discrimination fixed wrong labels are difficult; free, their difficulty turns low",
        "high to low",
        "; ".join(words),
        judge(is_high and is_low, is_high and is_lower),
        is_headline=True,
    )


def judge_no_noise(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B11: items with negative discrimination without noise."""
    table = select(detect(raw["items"]), data="mnist", noise=0.0)
    shares = {str(way): own["negative"].to_numpy() for way, own in table.groupby("way")}
    own = shares[ways[0]]
    return Claim(
        "B11",
        "Without noise no negative discrimination is inferred",
        "0 items",
        "; ".join(
            f"{way}: {values.mean():.2%} of the items, none in {np.sum(values == 0)} of "
            f"{len(values)} seeds"
            for way, values in shares.items()
        ),
        judge(bool((own == 0).all()), own.mean() < 0.01),
        "" if (own == 0).all() else _explain_negative(raw, ways[0]),
        is_headline=True,
    )


def _explain_negative(raw: Raw, way: str) -> str:
    """Say how the respondents answer items that come out negative without noise."""
    items = select(raw["items"], data="mnist", noise=0.0, way=way)
    negative = items["discrimination"] < 0
    found, others = (
        _mean(items[negative], "mean_response"),
        _mean(items[~negative], "mean_response"),
    )
    return (
        f"the mean response to these items is {found:.2f}, to the others {others:.2f}: most "
        "respondents take them for the other digit, as if the label were wrong"
    )


def judge_places(raw: Raw) -> Claim:
    """B12: precision and recall with noise in the test part only, and in training too."""
    table = summarise_detection(raw["detection"])
    words, scores = [], {}
    for way, own in table.groupby("way", sort=False):
        for place in ("test", "both"):
            row = select(own, place=place, noise=PAPER_NOISE).iloc[0]
            precision, recall = float(row["precision_mean"]), float(row["recall_mean"])
            scores[str(way), place] = 2 * precision * recall / (precision + recall)
            words.append(f"{way}, {place}: precision {precision:.2f}, recall {recall:.2f}")
    test, both = scores["published", "test"], scores["published", "both"]
    return Claim(
        "B12",
        "Negative discrimination finds flipped labels well with noise in the test part only, much "
        "worse with noise in training too (pairs of digits)",
        "figure 5",
        f"at {PAPER_NOISE:.0%}: " + "; ".join(words),
        judge(test > 0.7 and test - both > 0.1, test > both),
        is_headline=True,
    )


def list_item_claims(raw: Raw) -> list[Claim]:
    """Give B1, B2 and B7 to B12; those without data cannot be tested."""
    claims = [*judge_identities(raw), judge_boundary(raw), judge_kinds(raw)]
    if "mnist" in set(raw["items"]["data"]):
        claims += [judge_detection(raw), judge_fixed(raw), judge_no_noise(raw)]
    else:
        claims += [skip(name, "MNIST is not in the data folder") for name in ("B9", "B10", "B11")]
    if "detection" in raw:
        return [*claims, judge_places(raw)]
    return [*claims, skip("B12", "MNIST is not in the data folder")]


def _mean(table: "pandas.DataFrame", column: str) -> float:
    return float(table[column].to_numpy(float).mean())


def _curve(
    theta: "np.typing.NDArray[np.float64]", slope: float, difficulty: float
) -> "np.typing.NDArray[np.float64]":
    model, engine = get_model("beta3"), get_engine("numpy")
    abilities = np.log(theta) - np.log1p(-theta)
    alpha, beta = model.natural(engine, abilities[:, None], np.array([[slope, difficulty]]))
    return np.asarray((alpha / (alpha + beta))[0])


def _curve_at_difficulty() -> tuple[float, float]:
    """Largest deviations from 0.5 and from a / (4δ(1−δ)), the slope by central differences."""
    worst = [0.0, 0.0]
    for slope in (-2.0, -0.5, 0.5, 1.0, 2.0):
        for difficulty in (0.1, 0.3, 0.5, 0.9):
            around = difficulty + np.array([-_STEP, 0.0, _STEP])
            low, middle, high = _curve(around, slope, difficulty)
            expected = slope / (4 * difficulty * (1 - difficulty))
            worst[0] = max(worst[0], abs(middle - 0.5))
            worst[1] = max(worst[1], abs((high - low) / (2 * _STEP) - expected))
    return worst[0], worst[1]


def _shape(slope: float) -> str:
    """By the slope at the ends against that in the middle."""
    values = np.abs(np.gradient(_curve(np.linspace(0.01, 0.99, 99), slope, 0.5)))
    ratio = values[0] / values[49]
    if abs(ratio - 1) < 1e-3:
        return "straight"
    return "sigmoid" if ratio < 1 else "anti-sigmoid"
