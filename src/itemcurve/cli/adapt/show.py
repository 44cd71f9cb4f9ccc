"""`itemcurve adapt show`: where a test stands."""

from itemcurve.cli.adapt import options

EXAMPLE = "Example: itemcurve adapt show session.json --json"


def show_command(
    session: options.Session,
    bank: options.BankOption = None,
    json: options.Json = False,
) -> None:
    """Show ability, predicted score and what was answered."""
    from itemcurve.cli.adapt.sessions import describe, open_session, print_summary
    from itemcurve.cli.json_layout import print_json

    test = open_session(session, bank)
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)
