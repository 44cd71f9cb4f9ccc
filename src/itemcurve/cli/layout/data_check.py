"""Which data of a study are there, and where the others come from."""

from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.errors import ModelError

if TYPE_CHECKING:
    from itemcurve.cli.installed_studies import Study


def print_data_check(name: str, study: "Study", data: Path, *, is_json: bool) -> None:
    """Print one paragraph per file, what is missing last."""
    check = getattr(study, "check_data", None)
    if check is None:
        raise ModelError(
            "--data-check is for studies that list their data;",
            f"{name} does not.",
            "Ask those who wrote it.",
        )
    from rich.text import Text

    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output

    rows = check(data).to_dict("records")
    if is_json:
        print_json({"study": name, "data": str(data), "files": rows})
        return
    console = output()
    if not rows:
        console.print(f"{name} needs no data.")
        return
    for row in sorted(rows, key=lambda row: str(row["state"]) == "missing"):
        console.print(Text(f"{row['state']}: {row['file']}"), soft_wrap=True)
        if row["state"] != "there":
            console.print(Text(_say_source(row)), soft_wrap=True)
    there = sum(row["state"] != "missing" for row in rows)
    console.print(f"{there} of {len(rows)} files are under {data}.", soft_wrap=True)


def _say_source(row: "dict[str, object]") -> str:
    """Where a file comes from, how it is laid out, what it is for."""
    lines = [f"{row['name']}, {row['identifier']}: {row['address']}"]
    lines += [str(row["note"])] * bool(row["note"])
    lines += [f"for {row['part']}", f"sha256 of the unpacked file {row['sha256']}"]
    return "\n".join(f"    {line}" for line in lines)
