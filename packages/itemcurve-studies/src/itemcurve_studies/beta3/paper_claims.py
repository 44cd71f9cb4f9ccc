"""Claims of the β³ paper by its own protocol: fresh hold-outs, and algorithm 1 on fresh draws."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.beta3.ability_claims import judge_boosting, judge_metrics, judge_order
from itemcurve_studies.beta3.experiment import Beta3Study
from itemcurve_studies.beta3.fresh_draws import WAY
from itemcurve_studies.beta3.item_claims import Raw, judge_fixed, judge_kinds
from itemcurve_studies.beta3.students.paper_claims import judge_students
from itemcurve_studies.beta3.sweep import PAPER_NOISE
from itemcurve_studies.beta3.tables import detect, select
from itemcurve_studies.study.claims import Claim, judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

if TYPE_CHECKING:
    import pandas

_WAYS = (WAY,)
# By the same rule as ours, from algorithm 1; the first needs no images.
_ALIKE: tuple[Callable[..., Claim], ...] = (judge_kinds,)
_ALIKE_IMAGES: tuple[Callable[..., Claim], ...] = (
    judge_fixed,
    judge_metrics,
    judge_order,
    judge_boosting,
)


def judge_by_paper(study: Beta3Study) -> list[SecondVerdict]:
    """Judge what the rules by the paper's own protocol judge, as far as it was run."""
    raw = study.raw
    found = judge_students(raw["fresh_students"]) if "fresh_students" in raw else []
    if "fresh_items" not in raw:
        return found
    fresh = {"items": raw["fresh_items"], "respondents": raw["fresh_respondents"]}
    draws = f"{fresh['items']['seed'].nunique()} draws of each data set"
    has_images = "mnist" in set(fresh["items"]["data"])
    alike = (*_ALIKE, *(_ALIKE_IMAGES if has_images else ()))
    found += [_boundary(fresh)]
    found += [_as_second(rule(fresh, ways=_WAYS), draws) for rule in alike]
    return found + ([_detection(fresh), _no_noise(fresh)] if has_images else [])


def _as_second(claim: Claim, draws: str) -> SecondVerdict:
    return SecondVerdict(claim.claim, claim.measured, claim.verdict, f"means of {draws}")


def _correlate(items: "pandas.DataFrame", value: str) -> "np.typing.NDArray[np.float64]":
    """Spearman of the distance from the boundary with a parameter, by draw."""
    return np.array(
        [
            own["distance"].corr(own[value], method="spearman")
            for _, own in items.groupby("seed", sort=False)
        ]
    )


def _boundary(raw: Raw) -> SecondVerdict:
    words, ends, right = [], [], []
    for name in ("moons", "clusters"):
        own = select(raw["items"], data=name, noise=PAPER_NOISE, flipped=False)
        found = [_correlate(own, value) for value in ("difficulty", "discrimination")]
        words.append(f"{name} {found[0].mean():+.2f} and {found[1].mean():+.2f}")
        ends.append(f"{name} {_range(found[0])} and {_range(found[1])}")
        right.append(bool(found[0].mean() < 0 < found[1].mean()))
    return SecondVerdict(
        "B7",
        f"distance with difficulty and discrimination: {'; '.join(words)}",
        judge(all(right), any(right)),
        f"over draws: {'; '.join(ends)}",
    )


def _detection(raw: Raw) -> SecondVerdict:
    table = select(detect(raw["items"]), data="mnist", noise=PAPER_NOISE)
    precision, recall = (table[name].to_numpy(np.float64) for name in ("precision", "recall"))
    mean = float(np.nanmean(precision))
    return SecondVerdict(
        "B9",
        f"precision {mean:.2f}, recall {recall.mean():.2f}",
        judge(mean > 1 / 2, mean > 1 / 3),
        f"precision {_range(precision)} over {len(precision)} draws",
    )


def _no_noise(raw: Raw) -> SecondVerdict:
    table = select(detect(raw["items"]), data="mnist", noise=0.0)
    shares = table["negative"].to_numpy(np.float64)
    none = float((shares == 0).mean())
    return SecondVerdict(
        "B11",
        f"none in {none:.0%} of {len(shares)} draws; {shares.mean():.2%} of the items on average",
        judge(none >= 1 / 2, bool(shares.mean() < 0.01)),
        f"{shares.min():.2%} to {shares.max():.2%}",
    )


def _range(values: "np.typing.NDArray[np.float64]") -> str:
    return f"{np.nanmin(values):.2f} to {np.nanmax(values):.2f}"
