"""Groups of models by what noise does to them, as people read them."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number, output

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
    from itemcurve.analysis.robustness.taxonomy import Taxonomy


def print_taxonomy(
    found: "Taxonomy",
    source: "ChangeProfiles | pandas.DataFrame",
    names: list[str],
    also: tuple[str, ...] = (),
) -> None:
    """Print the groups with what they were made by, and what they mean.

    Parameters
    ----------
    source : the changes that groups were made by, or the losses of κ.
    names : of the tables.
    also : what else is to be said of the tables.
    """
    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles

    console = output()
    shown = ", ".join(map(clean, names[:3])) + (f" and {len(names) - 3} more" * (len(names) > 3))
    if isinstance(source, ChangeProfiles):
        print_table(
            console,
            f"Groups of models by predictions that noise changes, over {shown}",
            _share_columns(found, source),
        )
    else:
        title = f"Groups of models by κ lost, over {shown}"
        print_table(console, title, _kappa_columns(found, source, len(names)))
    for line in say_taxonomy(found, source, also):
        console.print(clean(line), soft_wrap=True)


def say_taxonomy(
    found: "Taxonomy", source: "ChangeProfiles | pandas.DataFrame", also: tuple[str, ...] = ()
) -> list[str]:
    """Give what is printed below the table, apart from what to do next."""
    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
    from itemcurve.analysis.robustness.kappa_words import say_kappa_groups
    from itemcurve.analysis.robustness.taxonomy_words import say_groups

    said = ["★ is the prototype of its group."]
    if isinstance(source, ChangeProfiles):
        said[0] += (
            " The first two shares are of predictions that noise changes; what follows is "
            "accuracy, low on hard rows because models fail there."
        )
        said += say_groups(found, source)
    else:
        said += say_kappa_groups(found, source)
        unread = int((source["data_sets"] - source["kappa_readable_on"]).sum())
        if unread:
            said.append(
                f"κ cannot be read in {unread} of {int(source['data_sets'].sum())} pairs of model "
                "and table: one class is nine in ten of the predictions on the easiest or hardest "
                "rows, or κ is not known to half its range. A few changes decide these groups: "
                "leave --measure out for groups by the share of changes."
            )
    said += also
    said.append(
        f"{_say_number(found)} Groups by few data sets change with the next one: add runs before "
        "you rely on them."
    )
    return said


def _say_number(found: "Taxonomy") -> str:
    """How many groups there are by both rules, and which to take."""
    widths = dict(zip(found.quality["clusters"], found.quality["sil_w"], strict=True))
    best, bend = int(max(widths, key=lambda count: widths[count])), found.elbow
    if best == bend:
        return f"The bend and the best silhouette are both at {best} groups."
    return (
        f"The bend is at {bend} groups (mean silhouette {widths[bend]:.2f}), the best silhouette "
        f"at {best} ({widths[best]:.2f}): take {best} (--clusters {best}) for groups that are "
        f"apart, {bend} to see finer differences."
    )


def print_next(out: Path | None, runs: list[str], count: int) -> None:
    """Say where everything is, and what to do next.

    Parameters
    ----------
    runs : of the sources, those that were runs before; the other of so many lie in `out`.
    """
    console = output()
    if out is None:
        console.print("Add --out FOLDER for profiles and pictures.", soft_wrap=True)
        return
    kept = ", runs of single tables" if len(runs) < count else ""
    console.print(f"Saved to {out}: tables, pictures{kept}", soft_wrap=True)
    again = [f"{shlex.quote(str(out / 'runs'))}/*"] if len(runs) < count else []
    again += _name_runs([Path(run) for run in runs if Path(run).parent != out / "runs"])
    if not again:
        again = _name_runs([Path(run) for run in runs])
    console.print(
        "Next: add a table later without measuring these again: itemcurve taxonomy "
        f"{' '.join(again)} new.csv",
        soft_wrap=True,
    )


def _name_runs(runs: list[Path]) -> list[str]:
    """Give runs as a shell takes them, by a pattern where all that a folder holds are meant."""
    found = []
    for parent in dict.fromkeys(run.parent for run in runs):
        own = [run for run in runs if run.parent == parent]
        beside = {entry.name for entry in parent.iterdir()} if parent.is_dir() else set()
        is_whole = len(own) > 1 and beside == {run.name for run in own}
        found += (
            [f"{shlex.quote(str(parent))}/*"]
            if is_whole
            else [shlex.quote(str(run)) for run in own]
        )
    return found


def _share_columns(found: "Taxonomy", profiles: "ChangeProfiles") -> list[Column]:
    table = found.frame().merge(profiles.frame(), on="respondent")
    table = table.sort_values(["cluster", "changed_hard"], kind="stable")
    return [
        *_first(table),
        Column("easy\nrows", [f"{value:.0%}" for value in table["changed_easy"]]),
        Column("hard\nrows", [f"{value:.0%}" for value in table["changed_hard"]]),
        Column("accu-\nracy", [number(value) for value in table["accuracy"]]),
        Column("with\nnoise", [number(value) for value in table["accuracy_noisy"]]),
        *_on_hard_rows(table),
        Column("sil-\nhouette", [number(value) for value in table["silhouette"]]),
    ]


def _on_hard_rows(table: "pandas.DataFrame") -> list[Column]:
    """Accuracy on the hardest rows, unless a run does not tell it."""
    if table["accuracy_hard_noisy"].isna().any():
        return []
    return [
        Column("hard\nrows", [number(value) for value in table["accuracy_hard"]]),
        Column("with\nnoise", [number(value) for value in table["accuracy_hard_noisy"]]),
    ]


def _kappa_columns(found: "Taxonomy", losses: "pandas.DataFrame", count: int) -> list[Column]:
    table = found.frame().merge(losses, on="respondent")
    table = table.sort_values(["cluster", "loss_by_noise"], kind="stable")
    return [
        *_first(table),
        Column("κ lost,\neasy", [number(value) for value in table["loss_easy"]]),
        Column("hard\nrows", [number(value) for value in table["loss_hard"]]),
        Column("by\nnoise", [number(value, 3) for value in table["loss_by_noise"]]),
        Column("κ can be\nread on", [f"{n} of {count}" for n in table["kappa_readable_on"]]),
        Column("sil-\nhouette", [number(value) for value in table["silhouette"]]),
    ]


def _first(table: "pandas.DataFrame") -> list[Column]:
    marks = ["" if flag is False else " ★" for flag in table["is_prototype"].tolist()]
    names = [name + mark for name, mark in zip(table["respondent"], marks, strict=True)]
    return [
        Column("group", table["cluster"].astype(str).tolist()),
        Column("model", names, is_text=True),
    ]
