"""A table whose labels are judged: its rows by suspicion, and itself with likely labels."""

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.items.verdicts import SUSPECT
from itemcurve.analysis.labels.label_audit import NEXT_IN_LINE, LabelAudit
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.labelled_table import choose_task
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.target_column import find_target

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class AuditedTable:
    """A table with labels, rows as they are in its file.

    Attributes
    ----------
    target : the column of labels.
    """

    frame: "pandas.DataFrame"
    target: str

    def rank(self, audit: LabelAudit) -> "pandas.DataFrame":
        """Give all rows that have a label, the most suspicious first, with what was found.

        Parameters
        ----------
        audit : of these rows, in their order.
        """
        import pandas

        rows = self._labelled(audit)
        order = np.lexsort((-audit.noise.probability_wrong, ~audit.is_suspect))
        found = audit.frame().drop(columns="row", errors="ignore").iloc[order]
        # Counted as a person would in the file: the first row of data is 1.
        found.insert(1, "row", rows[order] + 1)
        found["verdict"] = np.where(audit.is_suspect[order], SUSPECT, NEXT_IN_LINE)
        own = self.frame.iloc[rows[order]].reset_index(drop=True)
        clash = [name for name in own.columns if name in found.columns]
        own = own.rename(columns={name: f"{name} (table)" for name in clash})
        return pandas.concat([found.reset_index(drop=True), own], axis=1)

    def correct(self, audit: LabelAudit) -> "pandas.DataFrame":
        """Give the table with the likely label in place of every suspect one; all else stays."""
        rows = self._labelled(audit)
        values = {str(value): value for value in self.frame[self.target].dropna().unique()}
        table, column = self.frame.copy(), self.frame[self.target].copy()
        for place in np.flatnonzero(audit.is_suspect):
            column.iloc[rows[place]] = values[audit.likely_labels[place]]
        table[self.target] = column
        return table

    def _labelled(self, audit: LabelAudit) -> "np.typing.NDArray[np.intp]":
        """Rows that have a label, which are the items of the audit."""
        rows = np.flatnonzero(self.frame[self.target].notna())
        if len(rows) != len(audit.predictions.items):
            raise EvaluationError(
                "An audit is of all rows that have a label;",
                f"{len(audit.predictions.items)} were judged, {len(rows)} have one.",
                "Judge the same table again.",
            )
        return rows


def read_audited(source: str | PathLike[str], target: str | None) -> AuditedTable:
    """Read a table and find its labels; raise where the target holds numbers.

    Parameters
    ----------
    source : as `read_table` takes it.
    target : the column of labels; found by its name when None.
    """
    frame = read_table(source)
    named, _ = find_target(frame, target)
    if choose_task(frame[named].dropna(), "auto") == "regression":
        raise EvaluationError(
            "An audit is of labels;",
            f"column {named!r} holds numbers.",
            "Choose a column of classes with --target, or use 'itemcurve evaluate' for numbers.",
        )
    return AuditedTable(frame, named)
