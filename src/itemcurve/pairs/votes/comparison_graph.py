"""Who can be compared with whom: pieces that never met, and those who never lost or never won."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.vote_data import Codes, Floats, Votes

_SHOWN_PIECES, _SHOWN_NAMES = 4, 4


@dataclass(frozen=True, eq=False)
class Reach:
    """Which respondents have a finite strength.

    Attributes
    ----------
    is_core : whether each belongs to the largest group in which everybody has won or tied, and lost
        or tied, directly or through others (Ford 1957): their strengths are finite.
    direction : of the others, +1 above the core for all that the votes say, −1 below it, 0 where
        they met nobody through whom to tell.
    """

    is_core: NDArray[np.bool_]
    direction: NDArray[np.int64]

    @property
    def is_whole(self) -> bool:
        """Whether all strengths are finite."""
        return bool(self.is_core.all())


def find_pieces(votes: Votes) -> NDArray[np.int64]:
    """Give the piece of each respondent, the largest 0; those of one piece are linked by votes."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(votes.respondents)
    links = coo_array((np.ones(len(votes)), (votes.first, votes.second)), (size, size))
    labels = connected_components(links, directed=False)[1]
    return _by_size(labels)


def refuse_pieces(votes: Votes, pieces: NDArray[np.int64]) -> None:
    """Raise where votes fall into pieces, naming them."""
    count = int(pieces.max()) + 1
    if count == 1:
        return
    shown = [_list_piece(votes.respondents, pieces == n) for n in range(min(count, _SHOWN_PIECES))]
    more = f"; and {count - _SHOWN_PIECES} more" if count > _SHOWN_PIECES else ""
    bridge = [votes.respondents[int(np.argmax(pieces == n))] for n in (0, 1)]
    raise ResponsesError(
        "All respondents must be linked by votes, directly or through others;",
        f"there are {count} pieces with no vote between them: {'; '.join(shown)}{more}.",
        f"Collect votes between pieces, as {bridge[0]!r} against {bridge[1]!r}, or keep the "
        'largest with pieces="largest".',
    )


def find_reach(first: Codes, second: Codes, counts: Floats, size: int) -> Reach:
    """Find who has a finite strength.

    Parameters
    ----------
    counts : how often a was better, b was better, neither was (rows × 3).
    size : number of respondents.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # An edge leads from who won to whom it beat; a tie leads both ways.
    a_gains, b_gains = counts[:, [0, 2]].sum(axis=1) > 0, counts[:, [1, 2]].sum(axis=1) > 0
    tails = np.concatenate([first[a_gains], second[b_gains]])
    heads = np.concatenate([second[a_gains], first[b_gains]])
    graph = coo_array((np.ones(len(tails)), (tails, heads)), (size, size)).tocsr()
    labels = _by_size(connected_components(graph, directed=True, connection="strong")[1])
    is_core = labels == 0
    below, above = _reached(graph, is_core), _reached(graph.T.tocsr(), is_core)
    direction = np.where(is_core, 0, above.astype(np.int64) - below.astype(np.int64))
    return Reach(is_core, direction)


def _reached(graph: Any, start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    from scipy.sparse.csgraph import breadth_first_order

    found = start.copy()
    # All of the start reach one another, so that one of them stands for all.
    order = breadth_first_order(
        graph, int(np.argmax(start)), directed=True, return_predecessors=False
    )
    found[order] = True
    return found


def _by_size(labels: NDArray[np.integer]) -> NDArray[np.int64]:
    """Number groups from the largest; equals in order of appearance."""
    counts = np.bincount(labels)
    places = np.empty(len(counts), dtype=np.int64)
    places[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return places[labels]


def _list_piece(names: tuple[str, ...], inside: NDArray[np.bool_]) -> str:
    own = [name for name, is_in in zip(names, inside, strict=True) if is_in]
    more = f" and {len(own) - _SHOWN_NAMES} more" if len(own) > _SHOWN_NAMES else ""
    return f"{len(own)}: {', '.join(own[:_SHOWN_NAMES])}{more}"
