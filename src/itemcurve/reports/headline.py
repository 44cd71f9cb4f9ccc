"""The first screen: what the page is about, three answers, and what to do next."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.analysis.findings.finding_kinds import PROTECTING
from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT
from itemcurve.analysis.respondents.order_words import RankedBy, find_erratic, say_overtaken
from itemcurve.analysis.respondents.ranking import Ranking
from itemcurve.estimation.result import FitResult
from itemcurve.reports.numbers import write_number, write_share
from itemcurve.reports.source import Source

if TYPE_CHECKING:
    import pandas

_NAMED = 3
_SURE = 0.05
# Probability of a wrong label from which a page points at it, suspect or not.
_WORTH_A_LOOK = 0.1
# From here on, skill and accuracy beside each other ask why.
_APART = 0.02
_DECIDES = "IRT019"
_SUSPECTS = "IRT006"
# What to do first, in a sentence, while a finding stands.
_STEPS = {
    "IRT006": "Have the suspect labels looked at, then evaluate again.",
    "IRT010": "Do not use a model that a constant answer matches.",
    "IRT011": "Choose by the metric that you care about, not by the order alone.",
    "IRT012": "Rank by skill: leave model and response out.",
    "IRT013": "Have the first rows of the list looked at before you change any label.",
    "IRT014": "Look where models differ by subject before you take one order for all.",
    "IRT025": "Look at each label that was changed, and undo the wrong changes.",
    "IRT026": "Leave these columns out, or part rows by them, and evaluate again.",
}


@dataclass(frozen=True)
class Tile:
    """One answer: a word or number, a sentence, and the section that has more.

    `kind` is `sound` or `doubt` where the answer is good or bad news, else `plain`.
    """

    question: str
    answer: str
    text: str
    target: str
    kind: Literal["plain", "sound", "doubt"] = "plain"


@dataclass(frozen=True)
class Heading:
    """What the page is about: a title, and one line of facts."""

    title: str
    facts: str


def make_heading(source: Source, title: str) -> Heading:
    """Name the data and the question; a title that was given stays as it is."""
    notes = source.notes("evaluation")
    n_respondents, n_items = source.fit.responses.shape
    data = _data_name(str(notes.get("data") or ""))
    found = title or f"{data or source.fit.model}: {n_respondents:,} respondents, {n_items:,} items"
    if not title and data and "target" in notes:
        found = f"{data}: which of {n_respondents:,} models is best?"
    facts = [f"{n_respondents:,} respondents × {n_items:,} items"]
    if notes.get("target"):
        facts.append(f"predicting {notes['target']}")
    if notes.get("split"):
        facts.append(str(notes["split"]))
    if source.table("before_flips") is not None:
        facts.append("some labels were flipped on purpose")
    return Heading(found, " · ".join([*facts, _today()]))


def answer_best(
    board: "pandas.DataFrame | None", order: Ranking, ranked_by: RankedBy = "skill"
) -> Tile:
    """Who is best, and who cannot be told from it."""
    if board is None:
        tied, names = order.n_tied, order.respondents[1:]
        # Those that the best is not clearly ahead of follow it in no fixed order.
        near = [
            name
            for name, chance in zip(names, order.probability_behind[1:], strict=True)
            if chance < 1 - _SURE
        ]
        height = f"ability {write_number(float(order.ability[0]))}"
        return _best_tile(order.respondents[0], height, near[:tied])
    ranked = board[board["rank"].notna()]
    first, others = ranked.iloc[0], ranked.iloc[1:]
    if ranked_by == "ability":
        near = [str(name) for name in others["respondent"][others["tier"].astype(int) == 1]]
        height = f"ability {write_number(float(first['ability']))}"
        tile = _best_tile(str(first["respondent"]), height, near, "alone in its tier")
        doubt = say_overtaken(board)
        return replace(tile, text=f"{tile.text} {doubt}", kind="doubt") if doubt else tile
    erratic = find_erratic(board)
    level = others[others["behind_best_p"].astype(float) >= _SURE]["respondent"]
    near = [name for name in level if name not in erratic]
    height = f"skill {first['skill']:.2f}"
    if "accuracy" in first and first["accuracy"] == first["accuracy"]:
        height += f", accuracy {first['accuracy']:.2f}"
        if abs(first["skill"] - first["accuracy"]) > _APART:
            height += " against the labels as given"
    return _best_tile(str(first["respondent"]), height, [str(name) for name in near])


def _best_tile(
    name: str, height: str, near: Sequence[str], alone: str = "clearly ahead of everybody else"
) -> Tile:
    if not near:
        text = f"{height}; {alone}."
    else:
        more = f" and {len(near) - _NAMED:,} more" if len(near) > _NAMED else ""
        text = f"{height}. It cannot be told from {', '.join(near[:_NAMED])}{more}."
    return Tile("Who is best?", name, text, "respondents")


def answer_items(source: Source, verdicts: dict[str, int], has_labels: bool) -> Tile:
    """How many labels or items are suspect, and which to look at first."""
    total, suspect = len(source.fit.responses.items), verdicts.get(SUSPECT, 0)
    if source.notes("evaluation").get("labels_judged") is False:
        text = "Rows come in groups; itemcurve audit, without groups, judges labels."
        return Tile("Which labels to check?", "Not judged", text, "items")
    what, target = ("labels", "labels") if has_labels else ("items", "items")
    audit = source.table("audit", "item", LABEL_ERROR)
    first = None
    if audit is not None and has_labels:
        first = _by_suspicion(audit).iloc[0]
    question = f"Which {what} to check?"
    if suspect:
        text = f"of {total:,} are probably wrong, the most suspect first."
        if audit is not None and first is not None:
            # Suspects are those up to a rate of false ones; some of them are right after all.
            wrong = float(_by_suspicion(audit)[LABEL_ERROR].head(suspect).sum())
            text = (
                f"of {total:,} are suspect, about {round(wrong):,} of them wrong; first "
                f"{first['item']} ({write_share(float(first[LABEL_ERROR]))})."
            )
        return Tile(question, f"{suspect:,}", text, target, "doubt")
    if audit is not None and first is not None and float(first[LABEL_ERROR]) >= _WORTH_A_LOOK:
        names = ", ".join(map(str, _by_suspicion(audit)["item"].head(_NAMED)))
        text = f"None of {total:,} is wrong beyond doubt. Look first at {names}."
        return Tile(question, "None for sure", text, target)
    text = f"None of {total:,} is clearly wrong."
    if first is not None:
        text += f" If you want to look at one, look at {first['item']}."
    return Tile(question, "None", text, target, "sound")


def answer_numbers(fit: FitResult, found: Findings) -> Tile:
    """Which items to look at where answers are numbers, of which no label is suspect or not."""
    question = "Which items to check?"
    deciding = next((finding for finding in found if finding.code == _DECIDES), None)
    if deciding is not None:
        text = "One row makes most of the error of some models: look at its values."
        return Tile(question, deciding.concerned[0], text, "items", "doubt")
    worst = np.argsort(-fit.responses.means(axis=0), kind="stable")[:_NAMED]
    names = [fit.responses.items[place] for place in worst]
    text = f"It is forecast worst by all together; then {', '.join(names[1:])}."
    return Tile(question, names[0], text, "items")


def _by_suspicion(audit: "pandas.DataFrame") -> "pandas.DataFrame":
    return audit.sort_values(LABEL_ERROR, ascending=False, kind="stable")


def answer_trust(fit: FitResult, found: Findings) -> Tile:
    """Whether the numbers can be relied on, and what speaks against it."""
    doubts = [f for f in found if f.severity == "warning" or f.code in PROTECTING]
    if not fit.status.is_converged:
        text = "The fit did not converge. Read nothing from these numbers."
        return Tile("May I trust this?", "No", text, "findings", "doubt")
    if not doubts:
        text = "It converged, and no check casts doubt on it."
        return Tile("May I trust this?", "Yes", text, "methods", "sound")
    titles = "; ".join(f.title for f in doubts[:_NAMED])
    more = f" and {len(doubts) - _NAMED} more" if len(doubts) > _NAMED else ""
    # Warnings before notes.
    urgent = min(doubts, key=lambda f: f.severity != "warning")
    step = _STEPS.get(urgent.code, f"Start with what is advised for: {urgent.title}.")
    text = f"Read first: {titles}{more}. {step}"
    return Tile("May I trust this?", "With care", text, "findings", "doubt")


def advise(
    board: "pandas.DataFrame | None",
    tiles: Sequence[Tile],
    found: Findings,
    split: str = "",
    ranked_by: RankedBy = "skill",
) -> list[str]:
    """Give what to do next, the most urgent first, four things at most.

    Parameters
    ----------
    split : how rows were parted into those trained on and those predicted.
    ranked_by : how many items would tell the first two apart is known of skill.
    """
    best, items, trust = tiles
    is_counted = items.kind == "doubt" and items.answer.replace(",", "").isdigit()
    # What to do about suspect ones is said once, with their number.
    warned = [f for f in found if f.severity == "warning"]
    steps = [f.advice for f in warned if not (is_counted and f.code == _SUSPECTS)][:2]
    if trust.answer == "No":
        return steps or [trust.text]
    if is_counted:
        which = "the suspect one" if items.answer == "1" else f"the {items.answer} suspect ones"
        again = "fit" if board is None else "evaluate"
        steps.append(
            f"Look at {which} in the list, correct or drop what is wrong, and {again} again: "
            "the order may change."
        )
    elif items.answer == "None for sure":
        steps.append(
            "Look at the first labels of the list, although none is beyond doubt: those that are "
            "wrong come first."
        )
    if items.target == "labels" and split.startswith("hold-out"):
        steps.append("Judge the labels of all rows, not only of those held out: --cv 5, or cv=5.")
    more = _items_to_tell(board) if ranked_by == "skill" else ""
    if more:
        steps.append(more)
    elif "cannot be told" in best.text:
        steps.append(
            f"Choose between {best.answer} and those level with it by cost, speed or simplicity."
        )
    if not steps:
        steps.append(f"Use {best.answer}.")
    return list(dict.fromkeys(steps))[:4]


def _items_to_tell(board: "pandas.DataFrame | None") -> str:
    """Say how many items would tell the first two apart, if their difference stays as it is."""
    if board is None or len(board[board["rank"].notna()]) < 2:
        return ""
    ranked = board[board["rank"].notna()]
    first, second = ranked.iloc[0], ranked.iloc[1]
    gap = float(second["behind_best"])
    reach = float(second["behind_best_upper"]) - gap
    if not gap > 0 or not reach > 0 or float(second["behind_best_p"]) < _SURE:
        return ""
    # 90 % intervals reach 1.645 standard errors. A two-sided test of 5 % for all pairs together
    # finds in 8 of 10 cases what is this many away.
    n_pairs = len(ranked) * (len(ranked) - 1) / 2
    far = NormalDist().inv_cdf(1 - _SURE / 2 / n_pairs) + NormalDist().inv_cdf(0.8)
    factor = (far / 1.645 * reach / gap) ** 2
    names = f"{first['respondent']} from {second['respondent']}"
    if factor > 100:
        return f"No sensible number of items would tell {names}: choose by cost or simplicity."
    times = f"{factor:.0f}" if factor >= 10 else f"{max(factor, 1.1):.1f}"
    return (
        f"To tell {names}, if they differ as it looks, ask about {times} times as many items; "
        "or choose by cost or simplicity."
    )


def _data_name(given: str) -> str:
    """Name a data set by its file, without the ending."""
    return Path(given).name.split(".")[0] if given else ""


def _today() -> str:
    """The day of the page; of SOURCE_DATE_EPOCH where pages are to be made again bit by bit."""
    fixed: Any = os.environ.get("SOURCE_DATE_EPOCH")
    is_known = fixed is not None and fixed.isdigit()
    day = datetime.fromtimestamp(int(fixed), UTC) if is_known else datetime.now(UTC)
    return f"{day.day} {day:%B %Y}"
