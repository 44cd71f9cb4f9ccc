"""Data inside a page: compressed, and in signs that no reader can mistake for markup."""

import base64
import gzip

import numpy as np

from itemcurve.numerics.engine import Array

_LEVEL = 6


def embed_bytes(content: bytes) -> str:
    """Give bytes as base64 of gzip; the same bytes always give the same text."""
    return base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode("ascii")


def pack_shares(values: Array, levels: int) -> bytes:
    """Write shares from 0 to 1 in steps of 1/levels, as differences along the last axis.

    A curve changes little from point to point, so differences compress several times better. 16-bit
    numbers are written as all low bytes, then all high bytes.
    """
    steps = np.rint(np.nan_to_num(np.clip(values, 0.0, 1.0)) * levels).astype(np.int64)
    differences = np.diff(steps, axis=-1, prepend=0)
    if levels < 256:
        return _bytes(differences % 256)
    wrapped = differences % 65536
    return _bytes(wrapped % 256) + _bytes(wrapped // 256)


def _bytes(values: Array) -> bytes:
    return bytes(values.astype(np.uint8).tobytes())
