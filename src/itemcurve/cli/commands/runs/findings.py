"""`itemcurve findings`: what casts doubt on a run, with codes and advice."""

from typing import Any

from itemcurve.cli.options.frequent_options import Json, Mute, Run

EXAMPLE = "Example: itemcurve findings run --mute IRT005"


def findings_command(
    run: Run,
    mute: Mute = None,
    json: Json = False,
) -> None:
    """Say what casts doubt on a run, and what to do about it."""
    from itemcurve.analysis.findings.all_findings import check_codes
    from itemcurve.analysis.findings.all_findings import findings as find_all
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output, plain_warnings
    from itemcurve.reports.other_runs.any_run import other_fit
    from itemcurve.reports.source import find_in_source, read_source

    muted = check_codes(mute or ())
    labels: dict[str, str] = {}
    with plain_warnings():
        other: Any = other_fit(run)
        if other is not None:
            found = find_all(other, mute=muted)
        else:
            source = read_source(run)
            _, found = find_in_source(source, muted)
            if source.kept is not None:
                source.kept.write()
            labels = find_labels(run, source.fit.responses.items)
    if json:
        rows = found.frame().to_dict("records")
        print_json({"command": "findings", "run": str(run), "findings": rows})
        return
    console = output()
    if not len(found):
        console.print("Nothing found.")
    for finding in found:
        style = "bold yellow" if finding.severity == "warning" else "bold"
        console.print(f"{finding.code} {finding.title} ({finding.severity})", style=style)
        console.print(f"  {finding.message}\n  {finding.advice}", soft_wrap=True)
        if finding.concerned:
            shown = [clean(labels.get(name, name)) for name in finding.concerned[:8]]
            names = ("; " if labels else ", ").join(shown)
            more = f" and {len(finding.concerned) - 8:,} more" * (len(finding.concerned) > 8)
            console.print(f"  {names}{more}", soft_wrap=True)
