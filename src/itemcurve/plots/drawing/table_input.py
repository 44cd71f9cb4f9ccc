"""Tables as pictures take them: a result with `.frame()`, or the table itself."""

from typing import TYPE_CHECKING, Any

from itemcurve.analysis.evaluated_fits import unwrap
from itemcurve.errors import ModelError

if TYPE_CHECKING:
    import pandas


def frame_of(result: Any, of_fit: str = "") -> "pandas.DataFrame":
    """Give the table of a result.

    Parameters
    ----------
    of_fit : the attribute that holds the table when the result is a fit.
    """
    # A leaderboard's own table comes first: it has names under the same attribute as a fit.
    if callable(getattr(result, "frame", None)):
        return result.frame()  # type: ignore[no-any-return]
    if callable(getattr(result, "leaderboard", None)) and of_fit == "respondents":
        return result.leaderboard().frame()  # type: ignore[no-any-return]
    inner = unwrap(result)
    if of_fit and hasattr(inner, of_fit):
        return getattr(inner, of_fit)  # type: ignore[no-any-return]
    if hasattr(result, "columns") and hasattr(result, "iloc"):
        return result  # type: ignore[no-any-return]
    raise ModelError(
        "This picture needs a result with .frame(), or a pandas table.",
        f"Got {type(result).__name__}.",
        "Pass the object that the analysis returned.",
    )


def check_columns(table: "pandas.DataFrame", names: tuple[str, ...]) -> None:
    """Raise unless the table has these columns."""
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise ModelError(
            f"This picture needs a table with the columns {', '.join(names)}.",
            f"{', '.join(missing)} is not among {', '.join(map(str, table.columns))}.",
            "Choose a column that is there, or rename one.",
        )
