"""An evaluation with all that came of it: predictions, responses, fit, failures."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.collecting.answer_collection import Caution, Failure
from itemcurve.evaluation.pools.pool import Task
from itemcurve.responses.matrix import Responses
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    from itemcurve.analysis.confusion.wrong_classes import WrongClasses
    from itemcurve.analysis.findings.all_findings import Findings
    from itemcurve.analysis.items.item_audit import ItemAudit
    from itemcurve.analysis.metrics.class_table import EachClass
    from itemcurve.analysis.respondents.group_strengths import GroupStrengths
    from itemcurve.analysis.respondents.leaderboard import Leaderboard


# Of intervals, unless another is asked for.
_LEVEL = 0.9


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Respondents evaluated on items.

    Attributes
    ----------
    predictions : what every respondent predicted, beside what was given: `Predictions` of classes
        or `Forecasts` of numbers.
    fit : abilities and item parameters.
    failures : respondents left out, with the reason.
    cautions : what estimators warned of.
    notes : what was decided about the data on the way, in words.
    settings : everything needed to run the same evaluation again, but for the data.
    rows : what each item is, in words, where the data came as a table or as texts.
    groups : the group of each item, where rows were parted by groups.
    """

    predictions: Predictions | Forecasts
    fit: FitResult
    failures: tuple[Failure, ...]
    cautions: tuple[Caution, ...]
    notes: tuple[str, ...]
    settings: dict[str, Any]
    rows: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def task(self) -> Task:
        """Whether classes or numbers were predicted."""
        return "classification" if isinstance(self.predictions, Predictions) else "regression"

    @property
    def responses(self) -> Responses:
        """The graded predictions: respondents × items."""
        return self.fit.responses

    @cached_property
    def y_true(self) -> NDArray[Any]:
        """What was given for each item: labels as text, or numbers."""
        if isinstance(self.predictions, Forecasts):
            return self.predictions.targets
        return np.asarray(np.array(self.predictions.classes)[self.predictions.labels])

    @property
    def references(self) -> tuple[str, ...]:
        """Respondents that are marks to compare with: constant answers and oracles."""
        flags = zip(self.predictions.respondents, self.predictions.is_reference, strict=True)
        return tuple(name for name, is_reference in flags if is_reference)

    def leaderboard(self, level: float = _LEVEL) -> "Leaderboard":
        """Rank the respondents, with intervals at this level, tiers and classical metrics.

        By skill; where a model was named, by the ability that it finds.
        """
        if level == _LEVEL:
            return self._usual_board
        return self._rank(level)

    @cached_property
    def _usual_board(self) -> "Leaderboard":
        """Tables, sentences and findings all ask for this one."""
        return self._rank(_LEVEL)

    def _rank(self, level: float) -> "Leaderboard":
        from itemcurve.analysis.respondents.leaderboard import build_leaderboard

        named = self.settings.get("is_model_named", False)
        return build_leaderboard(
            self.fit,
            self.predictions,
            level=level,
            ranked_by="ability" if named else "skill",
            groups=self.groups,
        )

    def audit(self, *, false_discovery_rate: float = 0.1, noise_check: bool = True) -> "ItemAudit":
        """Judge every item: easy, hard, uninformative, or with a suspect label.

        Parameters
        ----------
        false_discovery_rate, noise_check : as for `audit_labels`.
        """
        from itemcurve.analysis.items.item_audit import audit_items

        predictions = self.predictions if isinstance(self.predictions, Predictions) else None
        return audit_items(
            self.fit,
            predictions=predictions,
            false_discovery_rate=false_discovery_rate,
            noise_check=noise_check,
            rows=self.rows,
            # Errors are graded in units of what always predicting the mean gives.
            error_level=1.0,
        )

    def classes(self, respondent: str | None = None) -> "EachClass":
        """Say class by class how often each is recognised, and what it is taken for.

        Parameters
        ----------
        respondent : whose mistakes are told; the first of the leaderboard when left out.
        """
        from itemcurve.analysis.metrics.class_table import measure_each_class

        if not isinstance(self.predictions, Predictions):
            raise EvaluationError(
                "Classes are told of classifications;",
                "here numbers are predicted.",
                "Use .leaderboard() for their errors.",
            )
        who = self.leaderboard().respondents[0] if respondent is None else respondent
        labels = self.audit().labels
        return measure_each_class(
            self.predictions, who, None if labels is None else labels.is_suspect
        )

    def strengths(self, groups: Any = None, *, level: float = _LEVEL) -> "GroupStrengths":
        """Say on which groups of items each respondent does better or worse than elsewhere.

        Parameters
        ----------
        groups : the group of each item, in their order; those that the evaluation was given when
            left out.
        level : of the intervals.
        """
        from itemcurve.analysis.respondents.group_strengths import find_strengths

        return find_strengths(self.predictions, self.groups if groups is None else groups, level)

    def wrong_classes(self) -> "WrongClasses":
        """Say which wrong class each item is taken for, where there are three classes or more.

        β³ for several classes, under log-loss: abilities and difficulties are those of the label's
        probability, and what is left goes to the wrong classes in shares of the item.
        """
        from itemcurve.analysis.confusion.wrong_classes import find_wrong_classes

        if not isinstance(self.predictions, Predictions):
            raise EvaluationError(
                "Items are taken for wrong classes where classes are predicted;",
                "here are numbers.",
                "Evaluate classifiers.",
            )
        return find_wrong_classes(self.predictions)

    def findings(self, *, mute: Iterable[str] = ()) -> "Findings":
        """Look for whatever casts doubt on the evaluation, and say what to do about it.

        Parameters
        ----------
        mute : codes to leave out, such as `("IRT005",)`.
        """
        return self._all_findings.without(mute)

    @cached_property
    def _all_findings(self) -> "Findings":
        from itemcurve.evaluation.evaluation_findings import find_in_evaluation

        return find_in_evaluation(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder: the fit, its analyses as tables, the predictions."""
        from itemcurve.evaluation.saved_evaluation import save_evaluation

        save_evaluation(self, path)

    def report(self, path: str | PathLike[str], **settings: Any) -> Any:
        """Write one self-contained HTML page: the fit, leaderboard, audit, failures.

        Parameters
        ----------
        settings : `title` and `mute`, as for `itemcurve.report`.
        """
        from itemcurve.evaluation.saved_evaluation import evaluation_notes, evaluation_tables

        tables = {name: frame for name, (_, frame) in evaluation_tables(self).items()}
        page = import_module("itemcurve.dashboard.frozen_run")
        return page.report(self.fit, path, tables=tables, notes=evaluation_notes(self), **settings)

    def plot(self, kind: str = "leaderboard", **settings: Any) -> Any:
        """Draw the evaluation: who is ahead, with intervals, unless another picture is named.

        Parameters
        ----------
        kind : `"leaderboard"`, or a picture of `itemcurve.plots` that takes a fit, as
            `"item_map"`, `"item_curves"`, `"ability_metric"`.
        settings : of that picture, as `ax`.
        """
        return import_module("itemcurve.plots.drawing.named_pictures").draw(self, kind, **settings)

    def say(self) -> str:
        """Say what was found: who is first, which labels look wrong, what failed."""
        parts = [self.leaderboard().say(), self.audit().say()]
        parts += [f"{len(self.failures)} estimators failed: .failures"] if self.failures else []
        return "\n".join(parts)

    def __str__(self) -> str:
        board = self.leaderboard()
        said = wrapped(*self.say().splitlines())
        return f"{self!r}\n{text_table(board.brief(), rows=40)}\n{said}"

    def _repr_html_(self) -> str:
        n_respondents, n_items = len(self.leaderboard().respondents), self.responses.shape[1]
        more = ".leaderboard(), .audit(), .findings(), .strengths(groups), .plot(), .report(path)"
        title = f"{n_respondents:,} models on {n_items:,} items ({self.settings.get('split', '')})"
        brief = self.leaderboard().brief()
        return html_card(title, self.say().splitlines(), brief, rows=30, more=more)

    def __repr__(self) -> str:
        n_respondents, n_items = self.responses.shape
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return (
            f"Evaluation({self.task}, {n_respondents:,} respondents × {n_items:,} items, "
            f"{self.fit.model}, {self.fit.status}{failed})"
        )
