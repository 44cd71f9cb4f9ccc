"""What happens to files: they are cut off, lose blocks, gain what is not theirs.

Only damage that can be noticed is done. A flipped bit in plain text may turn a 1 into a 0, and a
row removed whole leaves a table that is sound: no reader can tell. Formats with checksums (gzip,
npz, our Parquet, run folders) take any flip.
"""

from random import Random

LARGEST_BLOCK = 64
_TO_TEXT = ("cut",) * 3 + ("zeros", "noise", "ends", "mark", "blank", "cell", "join")


def damage_text(random: Random, content: bytes, separator: str) -> tuple[str, bytes]:
    """Damage a table of text; give what was done, and the result.

    Parameters
    ----------
    random : decides what and where.
    content : the file.
    separator : between cells; empty for JSON Lines.
    """
    kind = random.choice(_TO_TEXT)
    if kind == "cut":
        return kind, content[: random.randrange(len(content))]
    if kind in ("zeros", "noise"):
        return kind, _overwrite(random, content, is_zero=kind == "zeros")
    if kind == "mark":
        return kind, b"\xef\xbb\xbf" + content
    rows = _split_rows(content, separator)
    if kind == "ends" and b"\r" not in content and all(row.count(b"\n") == 1 for row in rows):
        # JSON Lines end with a line feed.
        end = random.choice((b"\r\n", b"\r")) if separator else b"\r\n"
        return kind, content.replace(b"\n", end)
    place = random.randrange(len(rows))
    if kind == "cell" and separator:
        sign = separator.encode()
        whole = rows[place].rstrip(b"\n")
        if sign in whole and b'"' not in whole and random.random() < 0.5:
            rows[place] = whole[: whole.rindex(sign)] + b"\n"
        else:
            rows[place] = whole + sign * random.randint(1, 3) + b"\n"
        return kind, b"".join(rows)
    # Joined in the middle of quotation marks, two rows may be two others.
    if kind == "join" and place + 1 < len(rows) and b'"' not in rows[place + 1]:
        rows[place] = rows[place].rstrip(b"\n")
        return kind, b"".join(rows)
    rows.insert(place, b"\n" * random.randint(1, 3))
    return "blank", b"".join(rows)


def damage_bytes(random: Random, content: bytes) -> tuple[str, bytes]:
    """Damage a file that has checksums."""
    kind = random.choice(("cut", "flip", "flip", "flip", "zeros", "noise", "tail"))
    if kind == "cut":
        return kind, content[: random.randrange(len(content))]
    if kind == "tail":
        return kind, content + random.randbytes(random.randint(1, LARGEST_BLOCK))
    if kind == "flip":
        changed = bytearray(content)
        for _ in range(random.randint(1, 8)):
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        return kind, bytes(changed)
    return kind, _overwrite(random, content, is_zero=kind == "zeros")


def _overwrite(random: Random, content: bytes, *, is_zero: bool) -> bytes:
    """Put zeros, or bytes that are no text, in the place of a block."""
    start = random.randrange(len(content))
    size = min(random.randint(4, LARGEST_BLOCK), len(content) - start)
    block = bytes(size) if is_zero else bytes(random.randrange(128, 192) for _ in range(size))
    return content[:start] + block + content[start + size :]


def is_cut_at_a_row(damaged: bytes, content: bytes, separator: str) -> bool:
    """Whether what is left are whole rows, so that nobody can see that some are missing.

    Parameters
    ----------
    damaged, content : the file after and before.
    separator : as for `damage_text`.
    """
    rows = _split_rows(content, separator)
    ends = {0}
    for row in rows:
        ends.add(max(ends) + len(row))
    return len(damaged) in ends or len(damaged) + 1 in ends


def _split_rows(content: bytes, separator: str) -> list[bytes]:
    """Give the rows with their ends; a row may hold line breaks between quotation marks."""
    lines = content.removesuffix(b"\n").split(b"\n")
    if not separator:
        return [line + b"\n" for line in lines]
    rows, part = [], b""
    for line in lines:
        part += line + b"\n"
        if part.count(b'"') % 2 == 0:
            rows.append(part)
            part = b""
    return rows
