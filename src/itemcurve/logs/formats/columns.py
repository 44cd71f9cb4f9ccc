"""Which column of somebody else's table means what."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class LogColumns:
    """Names of columns (or keys of JSON records) for tables that no harness defined.

    Parameters
    ----------
    respondent
        Column of the model's name; `"@file"` and `"@folder"` take the name of the file or of its
        folder.
    item
        Column of the item's id; the content when left out.
    value
        Column of the score.
    answer, prediction
        Columns whose equality is the score, where there is no `value`.
    task, metric, filter, group, repeat, cost, content
        Further columns, all optional; `content` is the question itself, which identifies the item.

    Examples
    --------
    >>> LogColumns(respondent="model", item="id", answer="answer", prediction="pred").is_given
    True
    """

    respondent: str = ""
    item: str = ""
    value: str = ""
    answer: str = ""
    prediction: str = ""
    task: str = ""
    metric: str = ""
    filter: str = ""
    group: str = ""
    repeat: str = ""
    cost: str = ""
    content: str = ""

    @property
    def is_given(self) -> bool:
        """Whether a score can be found with these columns."""
        return bool(self.value or (self.answer and self.prediction))

    def describe(self) -> dict[str, str]:
        """List what was named, for an index of what was read how."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value}
