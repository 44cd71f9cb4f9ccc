"""What families of scores between 0 and 1 share."""

from itemcurve.errors import ResponsesError
from itemcurve.numerics.engine import Array


def check_unit_interval(values: Array) -> None:
    """Refuse anything outside [0, 1]; the ends themselves are the boundary's business."""
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ResponsesError(
            "Models of scores need responses between 0 and 1.",
            f"Found {wrong.size:,} outside, the first is {wrong[0]:g}.",
            "Use the model grm for ratings as they are, gamma for errors; divide scores by their "
            "maximum.",
        )
