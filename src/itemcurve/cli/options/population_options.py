"""What `itemcurve fit` is told of the respondents: groups, covariates, anchors, density."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import DensityChoice
from itemcurve.errors import ResponsesError

if TYPE_CHECKING:
    from itemcurve.responses.matrix import Responses

_EQUAL = "slopes,intercepts"


@dataclass(frozen=True)
class PopulationOptions:
    """Where respondents come from."""

    groups: Annotated[
        Path | None,
        typer.Option(help="CSV file with columns respondent and group: populations of their own."),
    ] = None
    reference: Annotated[
        str | None, typer.Option(help="With --groups: the group that sets the scale.")
    ] = None
    equal: Annotated[
        str,
        typer.Option(help="With --groups: what items have in common; 'none' for nothing."),
    ] = _EQUAL
    covariates: Annotated[
        Path | None,
        typer.Option(help="CSV file with a column respondent and others that ability depends on."),
    ] = None
    anchors: Annotated[
        Path | None,
        typer.Option(help="Run folder whose items are known; those in common are held."),
    ] = None
    density: Annotated[
        DensityChoice, typer.Option(help="Shape of the abilities' distribution.")
    ] = DensityChoice.NORMAL

    @property
    def is_given(self) -> bool:
        """Whether anything is said of them."""
        return self != PopulationOptions()

    def settings(self, responses: "Responses") -> dict[str, Any]:
        """Give them as `fit` takes them."""
        from itemcurve.estimation.groups.settings import Groups
        from itemcurve.estimation.saving.saved_fit import load

        found: dict[str, Any] = {"density": self.density.value}
        if self.groups is not None:
            found["groups"] = Groups(read_groups(self.groups), reference=self.reference)
            words = [word.strip() for word in self.equal.split(",")]
            found["equal"] = () if words == ["none"] else tuple(words)
        elif self.reference is not None or self.equal != _EQUAL:
            raise ResponsesError(
                "--reference and --equal go with --groups.", "It is not given.", "Add it."
            )
        if self.covariates is not None:
            found["covariates"] = read_table(self.covariates)
        if self.anchors is not None:
            found["anchors"] = load(self.anchors).bank
        return found


def read_groups(path: Path) -> dict[str, str]:
    """The group of each respondent, from a file with columns respondent and group."""
    table = read_table(path, columns=("group",))
    return dict(zip(table["respondent"].map(str), table["group"].map(str), strict=True))


def read_table(path: Path, what: str = "respondent", columns: tuple[str, ...] = ()) -> Any:
    """A table about respondents or items, with a column of their ids."""
    import pandas

    from itemcurve.storage.text_files import look_over, open_text

    try:
        with open_text(path, False) as stream:
            look_over(stream, ",", str(path))
            table = pandas.read_csv(stream, dtype={what: str})
    except (OSError, ValueError) as error:
        raise ResponsesError(
            f"A file about {what}s must be readable;", f"{error}.", "Check the path."
        ) from None
    wanted = (what, *columns)
    if not set(wanted) <= set(table.columns) or not len(table):
        raise ResponsesError(
            f"The file must have {'columns' if columns else 'a column'} {' and '.join(wanted)};",
            f"{str(path)!r} has {', '.join(map(str, table.columns)) if len(table) else 'no rows'}.",
            f"Write it as {','.join(wanted)}{'' if columns else ',…'}, one row per {what}.",
        )
    return table
