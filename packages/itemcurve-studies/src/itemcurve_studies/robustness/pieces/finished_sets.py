"""What the finished data sets of a run say while the others are still missing.

    python -m itemcurve_studies.robustness.pieces.finished_sets FOLDER --claims claims.csv

Data sets whose pieces are all there are put together; nothing is trained. What they say of the
claims is shown, and put into a table of claims where one is given: as no verdict, until all data
sets are there.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.kappa_profiles import kappa_profiles
from itemcurve_studies.robustness.data import SETS, TableSet, is_there, load_set
from itemcurve_studies.robustness.experiment import RobustnessStudy, measure_set
from itemcurve_studies.robustness.paper_claims import judge_by_paper
from itemcurve_studies.robustness.pieces.trainings import list_pieces, name_piece
from itemcurve_studies.robustness.size import Size, choose_size
from itemcurve_studies.study.finished_parts import FinishedParts
from itemcurve_studies.study.second_verdicts import SecondVerdict

if TYPE_CHECKING:
    import pandas


def read_finished(data: Path, size: Size, work: Path) -> RobustnessStudy:
    """Give the study of the data sets that are finished, without the parts that need no data set.

    Parameters
    ----------
    data : folder with `data/table1`.
    work : folder of the run's finished parts.
    """
    import pandas

    sets = tuple(
        measure_set(load_set(data, source, size.rows), size, work)
        for source in list_finished(data, size, work)
    )
    curves = [one.curves for one in sets]
    profiles = {"dand": kappa_profiles(curves, "dand")} if curves else {}
    return RobustnessStudy(sets, profiles, {}, pandas.DataFrame(), size)


def list_finished(data: Path, size: Size, work: Path) -> Iterator[TableSet]:
    """Give the data sets that are put together or whose pieces are all there."""
    parts = FinishedParts(work / "parts")
    for source in SETS:
        if is_there(data, source) and (
            parts.has_arrays(size.name_set(source.name))
            or all(
                parts.has_arrays(name_piece(source.name, size, piece))
                for piece in list_pieces(size)
            )
        ):
            yield source


def renew_claims(claims: "pandas.DataFrame", found: list[SecondVerdict]) -> "pandas.DataFrame":
    """Put what was found by the paper's protocol in place of what stood there."""
    renewed = claims.set_index("claim")
    for one in found:
        new = {"paper_measured": one.measured, "paper_verdict": one.verdict}
        renewed.loc[one.claim, list(new)] = list(new.values())
        if one.interval:
            renewed.loc[one.claim, "interval"] = one.interval
    return renewed.reset_index()


def _read_arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--claims", type=Path, help="a table of claims to renew")
    parser.add_argument("--rows", type=int, default=0, help="of a data set at most, 0 for all")
    parser.add_argument("--seeds", type=int, default=20, help="of each algorithm in the pool")
    return parser.parse_args()


def main() -> None:
    """Put together what is finished, and say what it says."""
    import pandas

    asked = _read_arguments()
    size = choose_size(asked.rows, asked.seeds, quick=False)
    study = read_finished(Path(os.environ["ITEMCURVE_DATA"]), size, asked.folder / "work")
    found = judge_by_paper(study)
    print(
        f"{len(study.sets)} of {len(SETS)}: {', '.join(one.data.source.name for one in study.sets)}"
    )
    for one in found:
        print(f"{one.claim} {one.verdict}: {one.measured} ({one.interval})")
    if asked.claims is not None:
        claims = pandas.read_csv(asked.claims, keep_default_na=False)
        renew_claims(claims, found).to_csv(asked.claims, index=False)


if __name__ == "__main__":
    main()
