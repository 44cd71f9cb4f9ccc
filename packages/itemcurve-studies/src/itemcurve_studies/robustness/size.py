"""How much of the study on robustness is run."""

from dataclasses import dataclass

from itemcurve_studies.robustness.calibration_pool import calibration_pool

# A stratified sample of larger data sets, so that the study ends within hours on two cores.
ROWS = 1_000


@dataclass(frozen=True)
class Size:
    """How much of the study is run.

    Attributes
    ----------
    rows : of each data set at most; None for all.
    seeds : classifiers of each algorithm in the pool that difficulty comes from.
    is_quick : six data sets and eight models stand for all, with 3 folds for 5.
    """

    rows: int | None
    seeds: int
    is_quick: bool = False

    @property
    def folds(self) -> int:
        """Of the cross-validations."""
        return 3 if self.is_quick else 5

    def name_set(self, data_set: str) -> str:
        """Name what is found on a data set among the finished parts."""
        rows = "all" if self.rows is None else self.rows
        return f"set-{data_set}-{rows}-{self.seeds}-{self.folds}{'-quick' * self.is_quick}"

    def describe(self) -> str:
        """Say it in words, as titles do."""
        pool = len(calibration_pool(self.seeds, 1, is_quick=self.is_quick))
        taken = "all rows of each data set"
        if self.rows is not None:
            taken = f"at most {self.rows:,} rows of each data set ({self.rows // 2:,} of wide ones)"
        return f"{taken}, difficulty from {pool} classifiers"


def choose_size(rows: int | None, seeds: int | None, *, quick: bool) -> Size:
    """Give the size asked for; 0 rows are all of them, None the study's own number."""
    return Size((ROWS if rows is None else rows) or None, seeds or (3 if quick else 5), quick)
