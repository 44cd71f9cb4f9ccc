"""What a run folder holds, told by its files; their contents are checked when they are read."""

from os import PathLike
from pathlib import Path

RATINGS, VOTES = "rater_fit.json", "pairs.json"
ABILITIES, POPULATIONS = "dimensions_fit.json", "population.json"
_KINDS = {RATINGS: "ratings", VOTES: "votes", ABILITIES: "abilities"}


def name_contents(path: str | PathLike[str]) -> str:
    """Say what a run seems to be a fit of: responses, ratings, votes, or several abilities."""
    found = (kind for name, kind in _KINDS.items() if (Path(path) / name).is_file())
    return next(found, "responses")
