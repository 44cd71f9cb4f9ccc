"""Where blocks of respondents come from."""

from typing import Protocol

from itemcurve.responses.layouts.cells import ResponseCells


class BlockSource(Protocol):
    """Blocks of respondents on disk; it knows where, and travels to other processes as such."""

    @property
    def rows(self) -> tuple[int, ...]:
        """How many respondents each block has."""

    @property
    def n_items(self) -> int:
        """How many items every block has."""

    def load(self, block: int) -> ResponseCells:
        """Read one block into memory."""
