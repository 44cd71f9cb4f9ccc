"""The first numbers a user meets, judged on real tables against the plainest rivals."""

from collections.abc import Callable, Iterable, Iterator
from time import process_time

import numpy as np
from scipy.stats import rankdata, spearmanr

import itemcurve as ic
from benchmarks.first_numbers_data import (
    FIRST_SETS,
    OTHER_SETS,
    TABLES,
    AuditRun,
    RegressionRun,
    SplitTable,
    audit_runs,
    regression_runs,
    split_tables,
)
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.labels.label_audit import judge_labels
from itemcurve.analysis.metrics.likely_metrics import measure_likely
from itemcurve.analysis.metrics.usual_metrics import measure_classes, measure_numbers
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.leaderboard import LOSSES
from itemcurve.analysis.respondents.paired_differences import PairedDifferences, pair_choices
from itemcurve.analysis.respondents.skill import share_choices
from itemcurve.analysis.respondents.standings import Standings, find_standings
from itemcurve.analysis.respondents.tiers import assign_tiers_by_pairs

_SPLITS = 3
_RATE = 0.1
_SIGNIFICANCE = 0.05
_TEMPERATURES = (0.25, 4.0)
# A regressor is good when its error on the other half is at least a tenth below the best constant.
_GOOD = 0.9


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """All parts, in the order of the tables."""
    tables = TABLES[:2] if options.small else TABLES
    splits = 1 if options.small else _SPLITS
    rows: list[Row] = []
    for noise in (0.0, 0.2):
        rows += _orders(tables, splits, noise)
    rows.append(_temperature(tables[:8]))
    for name, sets in (("first twelve", FIRST_SETS), ("other twelve", OTHER_SETS)):
        rows += _audits(name, sets[:1] if options.small else sets)
    rows += _regressors(regression_runs(1 if options.small else 10))
    for row in rows:
        show_progress(f"  {row}")
    return rows


def _halves(tables: Iterable[str], splits: int, noise: float) -> Iterator[tuple[Predictions, ...]]:
    """Half of the items with noisy labels, the other half with clean ones; trained models only."""
    for table in split_tables(tuple(tables)):
        for split in range(splits):
            rng = np.random.default_rng(900 + split)
            order = rng.permutation(len(table.labels))
            first, second = np.array_split(order, 2)
            labels = table.labels.copy()
            count = table.probabilities.shape[2]
            flipped = first[rng.random(len(first)) < noise]
            labels[flipped] = (labels[flipped] + rng.integers(1, count, len(flipped))) % count
            yield _take(table, first, labels), _take(table, second, table.labels)


def _take(table: SplitTable, columns: np.ndarray, labels: np.ndarray) -> Predictions:
    kept = ~table.is_constant
    return Predictions(
        tuple(np.array(table.respondents)[kept]),
        tuple(f"i{place}" for place in columns),
        tuple(f"c{k}" for k in range(table.probabilities.shape[2])),
        table.probabilities[kept][:, columns],
        labels[columns],
    )


def _orders(tables: Iterable[str], splits: int, noise: float) -> list[Row]:
    """How well an order on one half foretells the metrics of the other."""
    found: dict[str, list[float]] = {}
    pairs = _PairCount()
    for known, unseen in _halves(tables, splits, noise):
        standings = find_standings(known)
        own = np.flatnonzero(~standings.is_reference)
        later = measure_classes(unseen)
        plain = measure_classes(known)
        likely = measure_likely(known, known.label_noise.soft_labels)
        orders = {
            "accuracy": (plain["accuracy"], standings.pairs.means[own]),
            **{name: (plain[name], likely[f"{name}_likely"]) for name in ("brier", "log_loss")},
            "auc": (plain["auc"], likely["auc_likely"]),
        }
        for name, (usual, ours) in orders.items():
            found.setdefault(f"{name} usual", []).append(_agree(usual, later[name], name, name))
            found.setdefault(f"{name} ours", []).append(_agree(ours, later[name], name, name))
        certain = np.eye(len(unseen.classes))[unseen.labels]
        pairs.add(standings, pair_choices(share_choices(unseen.probabilities), certain), own)
    condition = "clean labels" if noise == 0 else "20 % flipped"
    rows: list[Row] = [
        {
            "part": "Orders of classifiers",
            "labels": condition,
            "foretold": name,
            "plain": float(np.nanmean(found[f"{name} usual"])),
            "itemcurve": float(np.nanmean(found[f"{name} ours"])),
        }
        for name in orders
    ]
    tiers: Row = {"part": "Tiers of classifiers", "labels": condition, **pairs.describe()}
    return [*rows, tiers]


def _agree(given: np.ndarray, later: np.ndarray, name: str, target: str) -> float:
    signs = [-1 if one in LOSSES else 1 for one in (name, target)]
    return float(spearmanr(signs[0] * given, signs[1] * later).statistic)


class _PairCount:
    """Pairs declared different on one half, and how many of them the other half reverses."""

    def __init__(self) -> None:
        self.total = 0
        self.declared = dict.fromkeys(("holm", "single", "tiers"), 0)
        self.reversed = dict.fromkeys(("holm", "single", "tiers"), 0)
        self.covered: list[float] = []

    def add(self, known: Standings, there: PairedDifferences, own: np.ndarray) -> None:
        """Count the pairs of one split."""
        here = known.pairs.take(own)
        first, second = np.triu_indices(len(own), 1)
        ahead, later = here.differences[first, second], there.differences[first, second]
        adjusted = here.adjusted_p_values()
        tiers = assign_tiers_by_pairs(here.means, adjusted, _SIGNIFICANCE)
        told = {
            "holm": adjusted[first, second] < _SIGNIFICANCE,
            "single": here.p_values[first, second] < _SIGNIFICANCE,
            "tiers": tiers[first] != tiers[second],
        }
        is_reversed = ahead * later < 0
        self.total += len(first)
        for rule, is_told in told.items():
            self.declared[rule] += int(is_told.sum())
            self.reversed[rule] += int((is_told & is_reversed).sum())
        error = np.hypot(here.errors[first, second], there.errors[first, second])
        self.covered.append(float((np.abs(ahead - later) <= here.reach(0.9) * error).mean()))

    def describe(self) -> Row:
        """Shares declared and reversed, and how often intervals of differences cover."""
        row: Row = {"cover": float(np.mean(self.covered))}
        for rule, declared in self.declared.items():
            row[f"{rule}_declared"] = declared / self.total
            row[f"{rule}_reversed"] = self.reversed[rule] / max(declared, 1)
        return row


def _temperature(tables: Iterable[str]) -> Row:
    """How far one model moves when only its temperature changes."""
    moves = []
    for table in split_tables(tuple(tables)):
        own = _take(table, np.arange(len(table.labels)), table.labels)
        before = _ranks(own)
        for row in range(len(own.respondents)):
            for temperature in _TEMPERATURES:
                changed = own.probabilities.copy()
                logs = np.log(np.clip(changed[row], 1e-12, 1.0)) / temperature
                raised = np.exp(logs - logs.max(axis=1, keepdims=True))
                changed[row] = raised / raised.sum(axis=1, keepdims=True)
                other = Predictions(own.respondents, own.items, own.classes, changed, own.labels)
                moves.append(abs(_ranks(other)[row] - before[row]))
    return {
        "part": "Temperature ¼ or 4 on one model",
        "models": len(moves),
        "largest_move": float(np.max(moves)),
        "mean_move": float(np.mean(moves)),
    }


def _ranks(predictions: Predictions) -> np.ndarray:
    standings = find_standings(predictions)
    means = standings.pairs.means[~standings.is_reference]
    # Skills that print alike are one rank.
    return rankdata(-means.round(4))


def _audits(name: str, sets: tuple[str, ...]) -> list[Row]:
    runs = list(audit_runs(sets))
    ways: dict[str, Callable[[AuditRun], tuple[np.ndarray, ...]]] = {
        "itemcurve": lambda run: _audit(run, True),
        "itemcurve, no noise check": lambda run: _audit(run, False),
        "cleanlab, average": _cleanlab,
    }
    return [
        {"part": "Wrong labels", "sets": name, "way": way, **_score_audit(runs, judge)}
        for way, judge in ways.items()
    ]


def _audit(run: AuditRun, is_checked: bool) -> tuple[np.ndarray, ...]:
    shape = run.probabilities.shape
    names = [tuple(map(str, range(count))) for count in shape]
    found = judge_labels(
        Predictions(*names, run.probabilities, run.given),
        false_discovery_rate=_RATE,
        noise_check=is_checked,
    )
    return found.is_suspect, found.noise.probability_wrong, found.noise.likely


def _cleanlab(run: AuditRun) -> tuple[np.ndarray, ...]:
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    mean = run.probabilities.mean(axis=0)
    mean /= mean.sum(axis=1, keepdims=True)
    flags = find_label_issues(run.given, mean, n_jobs=1)
    return flags, -get_label_quality_scores(run.given, mean), mean.argmax(axis=1)


def _score_audit(runs: list[AuditRun], judge: Callable[[AuditRun], tuple[np.ndarray, ...]]) -> Row:
    from sklearn.metrics import roc_auc_score

    flags = hits = clean = silent = 0
    quality, recall, right, said, was = [], [], [], [], []
    started = process_time()
    for run in runs:
        suspect, score, likely = judge(run)
        wrong = run.given != run.truth
        if run.kind == "none":
            clean += int(suspect.sum())
            continue
        flags, hits = flags + int(suspect.sum()), hits + int((suspect & wrong).sum())
        silent += int(not suspect.any())
        recall.append((suspect & wrong).sum() / wrong.sum())
        quality.append(roc_auc_score(wrong, score))
        right.append((likely[wrong] == run.truth[wrong]).mean())
        said.append(score)
        was.append(wrong)
    seconds = (process_time() - started) / len(runs)
    row: Row = {
        "auroc": float(np.mean(quality)),
        "false": 1 - hits / max(flags, 1),
        "recall": float(np.mean(recall)),
        "silent": silent,
        "clean_flags": clean,
        "clean_labels": sum(len(run.truth) for run in runs if run.kind == "none"),
        "likely": float(np.mean(right)),
        "seconds": seconds,
    }
    scores = np.concatenate(said)
    if scores.min() >= 0:
        row["calibration_error"] = _calibration_error(scores, np.concatenate(was))
    return row


def _calibration_error(said: np.ndarray, was: np.ndarray) -> float:
    place = np.minimum((said * 10).astype(int), 9)
    return float(sum(abs((said - was)[place == one].sum()) for one in range(10)) / len(said))


def _regressors(runs: Iterable[RegressionRun]) -> list[Row]:
    """Orders on half of the test part against the other half."""
    found: dict[str, list[float]] = {}
    pairs = _PairCount()
    for run in runs:
        known, unseen = (_forecasts(run, half) for half in (0, 1))
        started = process_time()
        answers = dict(zip(known.respondents, known.values, strict=True))
        evaluation = ic.from_predictions(answers, known.targets, task="regression")
        board = evaluation.leaderboard().frame().set_index("respondent")
        found.setdefault("seconds", []).append(process_time() - started)
        own = np.flatnonzero(~known.is_reference)
        later = measure_numbers(unseen)
        ability = board["ability"].loc[[known.respondents[row] for row in own]].to_numpy()
        errors = measure_numbers(known)["mae"]
        for name in ("mae", "rmse"):
            target = -later[name][own]
            found.setdefault(f"{name} ours", []).append(spearmanr(ability, target).statistic)
            plain = spearmanr(-errors[own], target).statistic
            found.setdefault(f"{name} usual", []).append(plain)
        standings = find_standings(known)
        is_good = later["mae"] < _GOOD * later["mae"][known.is_constant].min()
        floor = standings.pairs.means[standings.is_floor].max()
        is_level = standings.pairs.means[: len(later["mae"])] <= floor
        is_model = ~known.is_reference
        found.setdefault("level", []).append(_share(is_level, is_good & is_model))
        is_first = standings.pairs.means[standings.is_floor].max() >= (
            standings.pairs.means[~standings.is_reference].max()
        )
        found.setdefault("first", []).append(float(is_first))
        pairs.add(standings, find_standings(unseen).pairs.take(own), own)
    mean = {name: float(np.nanmean(values)) for name, values in found.items()}
    return [
        {
            "part": "Regressors",
            "runs": len(found["first"]),
            "mae_plain": mean["mae usual"],
            "mae_ours": mean["mae ours"],
            "rmse_ours": mean["rmse ours"],
            "level": mean["level"],
            "constant_first": mean["first"],
            "seconds": mean["seconds"],
        },
        {"part": "Tiers of regressors", "labels": "as given", **pairs.describe()},
    ]


def _share(of: np.ndarray, among: np.ndarray) -> float:
    return float(of[among].mean()) if among.any() else float("nan")


def _forecasts(run: RegressionRun, half: int) -> Forecasts:
    order = np.random.default_rng(run.split).permutation(len(run.targets))
    columns = np.array_split(order, 2)[half]
    items = tuple(f"i{place}" for place in columns)
    return Forecasts(run.respondents, items, run.forecasts[:, columns], run.targets[columns])


SECTION = Section(
    name="first_numbers",
    title="First numbers",
    notes=(
        "Real tables. Orders: rank correlation of a number on one half of the test items with the "
        "metric named on the other half, which always has clean labels (24 tables × 3 splits, nine "
        "classifiers): the plain metric, and itemcurve's column beside it (skill for accuracy). "
        "Tiers: pairs declared different on one half, and the share of these that the other half "
        "reverses, by Holm's rule, by single tests at 5 %, and as tiers; coverage of 90 % "
        "intervals of differences. Wrong labels: 5 classifiers by cross-validation on noisy "
        "labels, uniform, "
        "pair and class noise at 5 and 15 % (72 runs) and clean ones; constants of the audit were "
        "chosen on both groups of sets with this seed of noise, and confirmed with another "
        "(false discoveries .082 / .125, recall .63 / .50 with the noise check). Regressors: seven "
        "tables × 10 splits; level: good regressors that stand at or below a constant."
    ),
    columns=(
        *(Column("labels", "labels"), Column("foretold", "foretold")),
        *(Column("plain", "plain metric", ".3f"), Column("itemcurve", "itemcurve", ".3f")),
        *(
            Column("holm_declared", "Holm: told apart", ".3f"),
            Column("holm_reversed", "reversed", ".3f"),
        ),
        *(
            Column("single_declared", "single: told apart", ".3f"),
            Column("single_reversed", "reversed", ".3f"),
        ),
        *(
            Column("tiers_declared", "tiers: apart", ".3f"),
            Column("tiers_reversed", "reversed", ".3f"),
        ),
        Column("cover", "90 % intervals cover", ".3f"),
        *(Column("models", "models × temperatures"), Column("largest_move", "largest move", ".1f")),
        *(
            Column("mean_move", "mean move of rank", ".2f"),
            Column("sets", "sets"),
            Column("way", "way"),
        ),
        *(Column("auroc", "AUROC", ".3f"), Column("false", "false discoveries", ".3f")),
        *(Column("recall", "recall", ".3f"), Column("silent", "silent runs")),
        *(Column("clean_flags", "flags on clean labels"), Column("clean_labels", "of")),
        *(
            Column("calibration_error", "calibration error", ".3f"),
            Column("likely", "likely label right", ".3f"),
        ),
        *(Column("runs", "runs"), Column("mae_plain", "MAE → MAE", ".3f")),
        *(Column("mae_ours", "ability → MAE", ".3f"), Column("rmse_ours", "→ RMSE", ".3f")),
        *(
            Column("level", "level with a constant", ".3f"),
            Column("constant_first", "constant ahead of all", ".3f"),
        ),
        Column("seconds", "seconds", ".3f"),
    ),
    measure=measure,
    group_by="part",
)
