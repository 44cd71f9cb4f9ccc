"""Real judges one by one: what a fit of their ratings finds, beside what is known of them."""

import os
from pathlib import Path

import pandas

import itemcurve as ic
from benchmarks.raters import real_ratings
from benchmarks.section import Column, Options, Row, Section, show_progress

_CHECKS = {"WMT 2023 zh-en": "wmt23-zhen", "WMT 2023 en-de": "wmt23-ende"}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit every set whole, and report on its judges."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "judges")
    if not folder.is_dir():
        show_progress("  skipped: ITEMCURVE_DATA names no folder with ratings of judges")
        return cached
    rows: list[Row] = []
    for name, ratings in real_ratings(folder).items():
        fit = ic.fit(ratings, "grm", raters="rater")
        rows += _rows(name, fit, _missed_checks(folder, _CHECKS.get(name)))
        show_progress("\n".join(f"  {row}" for row in rows[-len(ratings.raters) :]))
    return rows


def _rows(name: str, fit: ic.judges.RaterFit, checks: dict[str, str]) -> list[Row]:
    report = ic.judges.judge_report(fit)
    fair, spreads, agreement = fit.respondents["fair_rating"], fit.spreads, report.agreement()
    title = (
        f"{name}: fair ratings of the models span {fair.max() - fair.min():.2f} points (sd "
        f"{fair.std():.2f}); tastes for models {spreads['tastes_for_respondents']:.2f} sd, for "
        f"items {spreads['tastes_for_items']:.2f} logits; kappa "
        f"{agreement['agreement'].mean():.2f}, corrected for severity "
        f"{agreement['agreement_corrected'].mean():.2f}"
    )
    apart = dict(zip(fit.ratings.raters, report.severity.effect, strict=True))
    return [
        {
            "set": title,
            "rater": str(row["rater"]),
            "ratings": int(row["ratings"]),
            "mean": float(row["mean_rating"]),
            "apart": float(apart[row["rater"]]),
            "severity": float(row["severity"]),
            "error": float(row["severity_se"]),
            "consistency": float(row["consistency"]),
            "consistency_error": float(row["consistency_se"]),
            "missed": checks.get(str(row["rater"])),
            "flags": str(row["flags"]),
        }
        for row in report.frame().to_dict("records")
    ]


def _missed_checks(folder: Path, test: str | None) -> dict[str, str]:
    """Planted errors that each rater missed, of those it was shown."""
    if test is None:
        return {}
    table = pandas.read_csv(folder / "wmt_mqm.csv.gz")
    sums = table[table["test"] == test].groupby("rater")[["check_found", "check_missed"]].sum()
    return {
        str(rater): f"{int(row['check_missed'])} of {int(row.sum())}"
        for rater, row in sums.iterrows()
        if row.sum()
    }


SECTION = Section(
    name="raters_found",
    title="Real judges one by one",
    notes="""\
`ic.fit(ratings, "grm", raters="rater")` on all ratings of each set, and what \
`ic.judges.judge_report` says. Apart: points lower than the median of the others on the same \
answers; severity: than their mean. Missed: planted errors that a rater did not mark, which the \
fit does not know of.""",
    columns=(
        Column("rater", "rater"),
        Column("ratings", "ratings", ","),
        Column("mean", "mean rating", ".2f"),
        Column("apart", "apart", ".2f"),
        Column("severity", "severity", ".2f"),
        Column("error", "± se", ".2f"),
        Column("consistency", "consistency", ".2f"),
        Column("consistency_error", "± se", ".2f"),
        Column("missed", "checks missed"),
        Column("flags", "flags"),
    ),
    measure=measure,
    group_by="set",
)
