"""Two respondents on the same items: coverage, false alarms of the gate, real models, speed."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import itemcurve as ic
from benchmarks.paired_designs import Design, all_designs
from benchmarks.paired_exact import exact_rates
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.comparison.answer_pairs import AnswerPairs
from itemcurve.analysis.comparison.respondent_comparison import compare_pairs
from itemcurve.gates.release_gate import judge_sides
from itemcurve.gates.sources import Side

_REPLICATES = 2_000
_LEVEL = 0.9
_LOOKS = 1_000
_GATES = (
    (Design(220, 0.6, 0.0), 0.05),
    (Design(1000, 0.6, 0.0), 0.02),
    (Design(1000, 0.9, 0.0, 0.8), 0.01),
    (Design(1000, 0.6, 0.0, 0.7, 50, 0.3), 0.03),
    (Design(220, 0.6, 0.0, tries=5), 0.03),
)
_SEQUENCES = (
    Design(1000, 0.5, 0.0),
    Design(1000, 0.5, 0.06),
    Design(1000, 0.9, 0.04, 0.8),
    Design(500, 0.5, 0.06, tries=5),
)
_REAL = (
    *("benchpred_helm_commonsense", "benchpred_helm_gsm", "benchpred_helm_math"),
    *("benchpred_glue_mrpc", "benchpred_glue_rte", "benchpred_openllm2_ifeval"),
    *("benchpred_openllm_arc_challenge", "mmlu_pro_29x12k"),
)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """All parts, one table each."""
    count = 20 if options.small else _REPLICATES
    designs = all_designs()[:4] if options.small else all_designs()
    rows = [_cover(design, count) for design in designs]
    rows += [row for design, margin in _GATES for row in _judge(design, margin, count)]
    rows += [_follow(design, max(count // 2, 10)) for design in _SEQUENCES]
    rows += [row for name in _REAL if (row := _halve(name, count)) is not None]
    rows += list(_check_others())
    return rows + list(_time(1_000 if options.small else 100_000))


def _cover(design: Design, count: int) -> Row:
    """Share of intervals that hold the true difference, beside the unpaired normal interval."""
    random = np.random.default_rng(1)
    held, widths, plain, plain_widths, found = [], [], [], [], []
    for _ in range(count):
        pairs = design.draw(random)
        own = compare_pairs(pairs, level=_LEVEL)
        held.append(own.lower <= design.difference <= own.upper)
        widths.append(own.upper - own.lower)
        low, high = _unpaired(pairs.first, pairs.second)
        plain.append(low <= design.difference <= high)
        plain_widths.append(high - low)
        found.append(own.p_value < 0.05)
    row: Row = {
        "part": "Coverage of 90 % intervals",
        "design": design.kind,
        "items": design.items,
        "truth": f"{design.score:g} and {design.score + design.difference:g}",
        "coverage": float(np.mean(held)),
        "width": float(np.mean(widths)),
        "unpaired": float(np.mean(plain)),
        "unpaired_width": float(np.mean(plain_widths)),
        "found": float(np.mean(found)),
    }
    show_progress(f"  {row}")
    return row


def _unpaired(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[float, float]:
    """Difference of means, with the normal interval of two independent means."""
    gap = float(second.mean() - first.mean())
    error = np.sqrt(first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second))
    return gap - 1.6448536 * error, gap + 1.6448536 * error


def _judge(design: Design, margin: float, count: int) -> Iterator[Row]:
    """Verdicts of the gate: no difference, half the margin, the margin, twice the margin."""
    nobody = Side("", ic.Responses.from_array([[0.0]]))
    for difference in (0.0, -margin / 2, -margin, -2 * margin):
        random = np.random.default_rng(2)
        case = replace(design, difference=difference)
        verdicts = [
            str(judge_sides(case.draw(random), (nobody, nobody), margin, 0.05).verdict)
            for _ in range(count)
        ]
        row: Row = {
            "part": "Verdicts of the gate, significance 0.05",
            "design": design.kind,
            "items": design.items,
            "score": f"{design.score:g}",
            "margin": margin,
            "true_difference": difference,
            "ship": verdicts.count("ship") / count,
            "regression": verdicts.count("regression") / count,
            "cannot_tell": verdicts.count("cannot tell") / count,
        }
        wrong = {0.0: "regression", -margin: "ship"}.get(difference)
        if wrong:
            row["wrong"] = f"{wrong}: {_judge_rate(verdicts.count(wrong), count)}"
            if case.kind == "single":
                row["exact"] = exact_rates(case, margin)[wrong]
        show_progress(f"  {row}")
        yield row


def _judge_rate(hits: int, count: int) -> str:
    """Say whether the nominal rate is inside or above the binomial interval."""
    from scipy.stats import binomtest

    found = binomtest(hits, count).proportion_ci(0.95)
    return f"{hits / count:.1%} ({found.low:.1%} to {found.high:.1%})" + (
        "" if found.low <= 0.05 else ", too many"
    )


def _follow(design: Design, count: int) -> Row:
    """Share of sequences all of whose intervals hold the true difference."""
    random = np.random.default_rng(3)
    held, last, fixed, decided = [], [], [], []
    for _ in range(count):
        own = compare_pairs(design.draw(random), level=0.95)
        path = own.sequence(0.95)
        truth = design.difference
        held.append(bool(((path.lower <= truth) & (truth <= path.upper)).all()))
        last.append(path.upper[-1] - path.lower[-1])
        fixed.append(own.upper - own.lower)
        decided.append(path.decided_after() is not None)
    row: Row = {
        "part": "Sequences of nominal 95 %, looked at after every item",
        "design": design.kind,
        "items": design.items,
        "truth": f"{design.score:g} and {design.score + design.difference:g}",
        "held": float(np.mean(held)),
        "width": float(np.mean(last)),
        "fixed_width": float(np.mean(fixed)),
        "decided": float(np.mean(decided)),
    }
    show_progress(f"  {row}")
    return row


def _halve(name: str, count: int) -> Row | None:
    """Real models: does the interval of one half of the items foretell the other half?

    With d and its interval on either half, the halves agree at 90 % where |d₁ − d₂| is within the
    root of the summed squares of the half-widths that face each other.
    """
    folder = os.environ.get("ITEMCURVE_DATA")
    path = Path(folder or ".", "data", "llm", f"{name}.npz")
    if folder is None or not path.exists():
        return None
    with np.load(path) as content:
        table = content["R"]
    random = np.random.default_rng(4)
    agree, plain, widths, plain_widths, told, plain_told = [], [], [], [], [], []
    for _ in range(count):
        models = random.choice(len(table), 2, replace=False)
        both = table[models].astype(np.float64)
        both = both[:, (both <= 1).all(axis=0)]
        order = random.permutation(both.shape[1])
        halves = [both[:, part] for part in np.array_split(order, 2)]
        own = [_pair(half) for half in halves]
        agree.append(_agree(own))
        widths.append(own[0][2] - own[0][1])
        told.append(own[0][1] > 0 or own[0][2] < 0)
        rough = [(float(half[1].mean() - half[0].mean()), *_unpaired(*half)) for half in halves]
        plain.append(_agree(rough))
        plain_widths.append(rough[0][2] - rough[0][1])
        plain_told.append(rough[0][1] > 0 or rough[0][2] < 0)
    row: Row = {
        "part": "Real models: one half of the items foretells the other, 90 %",
        "data": f"{name}, {table.shape[0]} × {table.shape[1]:,}",
        "coverage": float(np.mean(agree)),
        "width": float(np.mean(widths)),
        "unpaired": float(np.mean(plain)),
        "unpaired_width": float(np.mean(plain_widths)),
        "told": float(np.mean(told)),
        "unpaired_told": float(np.mean(plain_told)),
    }
    show_progress(f"  {row}")
    return row


def _pair(half: NDArray[np.float64]) -> tuple[float, float, float]:
    items = tuple(map(str, range(half.shape[1])))
    pairs = AnswerPairs(("a", "b"), items, half[0], half[1], np.ones(half.shape))
    found = compare_pairs(pairs, level=_LEVEL)
    return found.difference, found.lower, found.upper


def _agree(halves: list[tuple[float, float, float]]) -> bool:
    (one, low, high), (other, other_low, other_high) = halves
    if one < other:
        return other - one <= np.hypot(high - one, other - other_low)
    return one - other <= np.hypot(one - low, other_high - other)


def _check_others() -> Iterator[Row]:
    """Largest differences from statsmodels and SciPy, over many inputs."""
    from scipy.stats import binom
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.power import TTestPower
    from statsmodels.stats.weightstats import ttost_paired

    random = np.random.default_rng(6)
    gaps: dict[str, list[float]] = {}
    for _ in range(500):
        b, c = (int(count) for count in random.integers(0, 300, size=2))
        own = ic.paired.mcnemar(b, c, kind="exact")
        other = float(mcnemar([[0, b], [c, 0]], exact=True).pvalue)
        gaps.setdefault("McNemar, exact (statsmodels)", []).append(own - other)
        few = binom.pmf(min(b, c), b + c, 0.5) * (1 if b == c else 2)
        other = 2 * binom.cdf(min(b, c) - 1, b + c, 0.5) + few / 2
        gaps.setdefault("McNemar, mid-p (SciPy)", []).append(ic.paired.mcnemar(b, c) - other)
        scores = random.random((2, int(random.integers(10, 500))))
        margin = float(random.uniform(0.01, 0.3))
        responses = ic.Responses.from_array(scores, ["a", "b"])
        tested = ic.compare_respondents(responses, "a", "b").within(margin).equivalent_p
        other = float(ttost_paired(scores[1], scores[0], -margin, margin)[0])
        gaps.setdefault("TOST (statsmodels)", []).append(tested - other)
        effect, items = float(random.uniform(0, 0.5)), int(random.integers(5, 3000))
        power = ic.paired.power(effect, items, spread=1.0)
        other = float(TTestPower().power(effect, items, 0.05))
        gaps.setdefault("power (statsmodels)", []).append(power - other)
    for name, found in gaps.items():
        row: Row = {"part": "Largest difference from other packages, 500 inputs", "data": name}
        # Their own NaN, for far tails of the non-central t, is counted apart.
        row["largest"] = float(np.nanmax(np.abs(found)))
        row["unknown"] = int(np.isnan(found).sum())
        show_progress(f"  {row}")
        yield row


def _time(count: int) -> Iterator[Row]:
    """Processor seconds of `itemcurve gate` on two runs, reading and starting included."""
    random = np.random.default_rng(5)
    answers = (random.random(count) < 0.6).astype(int)
    changed = np.where(random.random(count) < 0.1, 1 - answers, answers)
    items = [f"question-{number}" for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, own in (("old", answers), ("new", changed)):
            responses = ic.Responses.from_array(own[np.newaxis], [name], items)
            responses.save(home / f"{name}.npz")
            responses.frame().to_csv(home / f"{name}.csv", index=False)
            _write_logs(home / name, items, own)
        for kind, ends in (
            ("responses.npz", (".npz", ".npz")),
            ("responses.csv, long", (".csv", ".csv")),
            ("logs of lm-evaluation-harness", ("", "")),
            ("the same logs, read before", ("", "")),
        ):
            cache = ["--no-cache"] if kind.startswith("logs") else []
            runs = [home / f"old{ends[0]}", home / f"new{ends[1]}"]
            best = min(_run([*runs, *cache], home) for _ in range(3))
            row: Row = {"part": "Processor seconds of a gate", "data": kind, "items": count}
            row["seconds"] = best
            show_progress(f"  {row}")
            yield row


def _write_logs(folder: Path, items: list[str], answers: NDArray[np.integer]) -> None:
    folder.mkdir()
    stamp = "2026-01-01T00-00-00.000000"
    head = {
        "results": {"task": {"acc,none": float(answers.mean())}},
        "configs": {"task": {"task": "task"}},
        "model_name": folder.name,
        "config": {"model": "hf", "model_args": folder.name},
        "date": 1.0,
    }
    (folder / f"results_{stamp}.json").write_text(json.dumps(head))
    lines = (
        json.dumps(
            {
                "doc_id": number,
                "doc": {"question": f"What is asked in {item}?"},
                "target": "0",
                "arguments": {"gen_args_0": {"arg_0": f"What is asked in {item}?", "arg_1": " 0"}},
                "resps": [[["-1.0", "False"]]],
                "filtered_resps": [["-1.0", "False"]],
                "filter": "none",
                "metrics": ["acc"],
                "doc_hash": f"{number:064x}",
                "prompt_hash": f"{number:064x}",
                "target_hash": "0",
                "acc": float(answer),
            }
        )
        for number, (item, answer) in enumerate(zip(items, answers.tolist(), strict=True))
    )
    (folder / f"samples_task_{stamp}.jsonl").write_text("\n".join(lines) + "\n")


def _run(arguments: list[object], home: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "itemcurve", "gate", *map(str, arguments), "--margin", "0.01"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(home / "cache"), "OPENBLAS_NUM_THREADS": "1"},
    )
    if done.returncode != 10:
        raise RuntimeError(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


SECTION = Section(
    name="paired",
    title="Two models on the same items",
    notes="`compare_respondents` and `gate` on answers with a known difference "
    f"({_REPLICATES:,} replicates each, {_LOOKS:,} of sequences), on pairs of real models "
    f"({_REPLICATES:,} pairs and halves for each matrix), beside the plainest rival: the "
    "difference of two means with the normal interval of independent samples. *Wrong*: the share "
    "of wrong verdicts with its 95 % binomial interval, where 5 % is allowed: a regression without "
    "any difference, or shipping what is worse by the margin; *exactly*: the same share summed "
    "over all outcomes, where that can be done. Two are *told apart* where the interval leaves out "
    "0.",
    columns=(
        Column("data", "data"),
        Column("design", "design"),
        Column("items", "items", ",d"),
        Column("truth", "true scores"),
        Column("score", "score"),
        Column("margin", "margin", "g"),
        Column("true_difference", "true difference", "g"),
        Column("ship", "ship", ".1%"),
        Column("regression", "regression", ".1%"),
        Column("cannot_tell", "cannot tell", ".1%"),
        Column("wrong", "wrong"),
        Column("exact", "exactly", ".2%"),
        Column("held", "all looks hold", ".1%"),
        Column("coverage", "coverage", ".1%"),
        Column("width", "width", ".3f"),
        Column("fixed_width", "width, one look", ".3f"),
        Column("decided", "decided", ".1%"),
        Column("unpaired", "unpaired", ".1%"),
        Column("unpaired_width", "its width", ".3f"),
        Column("found", "p < .05", ".1%"),
        Column("told", "told apart", ".1%"),
        Column("unpaired_told", "told apart, unpaired", ".1%"),
        Column("largest", "largest", ".1e"),
        Column("unknown", "NaN there", "d"),
        Column("seconds", "CPU seconds", ".2f"),
    ),
    measure=measure,
    group_by="part",
)
