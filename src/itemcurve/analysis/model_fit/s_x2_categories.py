"""S-X² of items with several categories (Kang and Chen 2008): observed and expected by sum score.

Respondents with the same sum of grades form a group. With S_k(θ) the probability of a sum k (by the
recursion of Lord and Wingersky, generalised by Thissen and others 1995) and S_k^i the same without
item i, the expected share of grade c of item i among those with a sum of k is

E_ikc = ∫ P_ic S_{k−c}^i φ dθ / ∫ S_k φ dθ,    S-X²_i = Σ_k Σ_c N_k (O_ikc − E_ikc)²/E_ikc.

Cells that are expected less than once are joined, first with a neighbouring grade of the same sum,
then sums with their neighbours, in the order in which R mirt does it.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.numerics.engine import Array

_LEAST_EXPECTED = 1.0
# Of all groups, how many must have a grade for it to stay one of its own.
_LEAST_SHARE = 0.05
_TENTH = 0.1


@dataclass
class Table:
    """Observed and expected counts by sum score and grade, while cells are being joined."""

    seen: Array
    expected: Array

    def join_rows(self, row: int, other: int) -> None:
        """Add a row to another, and leave it out."""
        for table in (self.seen, self.expected):
            table[other] += table[row]
        self._keep(np.arange(len(self.seen)) != row)

    def join_last_column(self) -> None:
        """Add the last column to the one before."""
        self.seen, self.expected = (
            np.column_stack([table[:, :-2], table[:, -2] + table[:, -1]])
            for table in (self.seen, self.expected)
        )

    def _keep(self, rows: Array) -> None:
        self.seen, self.expected = self.seen[rows], self.expected[rows]

    def without_empty_rows(self) -> None:
        """Leave out sums that nobody has."""
        self._keep(self.seen.sum(axis=1) > 0)


def sum_distribution(chances: list[Array]) -> Array:
    """Probability of each sum of grades at each ability (sums × points).

    Parameters
    ----------
    chances : of each item, grades × points.
    """
    found = np.ones((1, chances[0].shape[1]))
    for own in chances:
        wider = np.zeros((len(found) + len(own) - 1, found.shape[1]))
        for grade, chance in enumerate(own):
            wider[grade : grade + len(found)] += chance * found
        found = wider
    return found


def item_statistic(
    grades: Array, sums: Array, chances: list[Array], item: int, weights: Array, joint: Array
) -> tuple[float, int]:
    """S-X² of one item, and the number of cells less the number of groups.

    Parameters
    ----------
    grades : of the item, by respondent.
    sums : of all items, by respondent.
    weights : of the points of ability.
    joint : probability of each sum.
    """
    own = chances[item]
    others = sum_distribution([c for place, c in enumerate(chances) if place != item])
    highest = len(joint) - 1
    table = _table(grades, sums, own, others, weights, joint)
    table = Table(*(part[1:highest] for part in (table.seen, table.expected)))
    _join_impossible(table)
    table.without_empty_rows()
    if len(table.seen) < 2:
        return np.nan, 0
    _join_single(table)
    _join_grades(table)
    _join_sums(table)
    is_cell = table.expected > 0
    difference = (table.seen - table.expected)[is_cell] ** 2 / table.expected[is_cell]
    return float(difference.sum()), int(is_cell.sum()) - len(table.seen)


def _table(
    grades: Array, sums: Array, own: Array, others: Array, weights: Array, joint: Array
) -> Table:
    """Counts of all sums; NaN is expected of grades that a sum leaves no room for."""
    count = np.bincount(sums, minlength=len(joint))
    seen = np.zeros((len(joint), len(own)))
    np.add.at(seen, (sums, grades), 1.0)
    expected = np.full(seen.shape, np.nan)
    for grade, chance in enumerate(own):
        share = (chance * others) @ weights
        rows = slice(grade, grade + len(others))
        expected[rows, grade] = count[rows] * share / np.maximum(joint[rows], 1e-300)
    return Table(seen, expected)


def _join_impossible(table: Table) -> None:
    """Join the lowest and the highest sums, of which some grades cannot be part."""
    is_open = ~np.isnan(table.expected).any(axis=1)
    table.expected = np.nan_to_num(table.expected)
    if is_open.all() or not is_open.any():
        return
    first, last = np.flatnonzero(is_open)[[0, -1]]
    parts = []
    for counts in (table.seen, table.expected):
        kept = counts[first : last + 1].copy()
        kept[0] += counts[:first].sum(axis=0)
        kept[-1] += counts[last + 1 :].sum(axis=0)
        parts.append(kept)
    table.seen, table.expected = parts


def _join_single(table: Table) -> None:
    """Join sums that a single respondent has with the next."""
    row = 0
    while row < len(table.seen) - 1:
        if table.seen[row].sum() == 1:
            table.join_rows(row, row + 1)
        else:
            row += 1
    if len(table.seen) > 1 and table.seen[-1].sum() == 1:
        table.join_rows(len(table.seen) - 1, len(table.seen) - 2)


def _join_grades(table: Table) -> None:
    """Join rare grades within each sum, then grades that hardly any sum has."""
    size = table.seen.shape[1]
    if size > 2:
        for row in range(len(table.seen)):
            seen, expected = _joined_cells(table.seen[row], table.expected[row])
            rest = np.zeros(size - len(seen))
            table.seen[row] = np.concatenate([seen, rest])
            table.expected[row] = np.concatenate([expected, rest])
        least = _LEAST_EXPECTED * np.ceil(len(table.seen) * _TENTH)
        while table.seen.shape[1] > 2 and table.expected[:, -1].sum() < least:
            table.join_last_column()
    for column in range(table.seen.shape[1] - 1, 0, -1):
        if (table.expected[:, column] > 0).mean() < _LEAST_SHARE:
            for counts in (table.seen, table.expected):
                counts[:, column - 1] += counts[:, column]
                counts[:, column] = 0.0


def _joined_cells(seen: Array, expected: Array) -> tuple[Array, Array]:
    """Join the rarest cell of a row with its rarer neighbour; two are left at least."""
    own, other = list(expected), list(seen)
    while len(own) > 2 and min(own) < _LEAST_EXPECTED:
        rarest = max(place for place, value in enumerate(own) if value == min(own))
        sides = [place for place in (rarest - 1, rarest + 1) if 0 <= place < len(own)]
        pick = min(sides, key=lambda place: own[place])
        own[pick] += own[rarest]
        other[pick] += other[rarest]
        del own[rarest], other[rarest]
    return np.array(other), np.array(own)


def _join_sums(table: Table) -> None:
    """Join sums with a rare cell, the first of them first, with the smaller neighbour."""
    while len(table.seen) > 1:
        is_rare = ((table.expected < _LEAST_EXPECTED) & (table.expected > 0)).any(axis=1)
        if not is_rare.any():
            return
        row = int(is_rare.argmax())
        sides = [place for place in (row - 1, row + 1) if 0 <= place < len(table.seen)]
        table.join_rows(row, min(sides, key=lambda place: float(table.seen[place].sum())))
