"""npz files from strangers: sound ones are read, all others are refused in our own words."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest
from numpy.lib import format as npy_format

from itemcurve.errors import StorageError
from itemcurve.storage.safe_npz import read_npz, write_npz

ARRAYS = {
    "bytes": np.arange(6, dtype=np.int8).reshape(2, 3),
    "reals": np.array([[0.5, np.nan], [-np.inf, 1e300]]),
    "truths": np.array([True, False]),
    "names": np.array(["é", "日本語", ""]),
    "one": np.array("scalar"),
    "none": np.zeros((0, 3)),
    "turned": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "swapped": np.arange(3, dtype=">i4"),
    "foreign_text": np.array(["ab", "c"], dtype=">U2"),
    "ascii": np.array([b"ab", b"c"]),
    "imaginary": np.array([1 + 2j]),
}


def npy(array=None, header=None, data=b""):
    """Give the bytes of an .npy member, with a header of our choosing."""
    buffer = io.BytesIO()
    if header is None:
        npy_format.write_array(buffer, array)
        return buffer.getvalue()
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def archive(path, members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name), content, compression)
    return path


def describe(kind="'<f8'", shape="(2,)", order="False"):
    return f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}"


def test_arrays_come_back_as_they_went(tmp_path):
    write_npz(tmp_path / "a.npz", ARRAYS)
    read = read_npz(tmp_path / "a.npz")
    assert list(read) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert read[name].dtype == array.dtype
        assert read[name].shape == array.shape
        np.testing.assert_array_equal(read[name], array)


def test_numpy_reads_ours_and_we_read_numpys(tmp_path):
    write_npz(tmp_path / "a.npz", ARRAYS)
    with np.load(tmp_path / "a.npz") as loaded:
        np.testing.assert_array_equal(loaded["names"], ARRAYS["names"])
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "b.npz", **ARRAYS)
        read = read_npz(tmp_path / "b.npz")
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(read[name], array)


def test_equal_arrays_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write_npz(tmp_path / name, ARRAYS)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_highly_compressible_arrays_are_no_bombs(tmp_path):
    write_npz(tmp_path / "a.npz", {"zeros": np.zeros(3_000_000)})
    assert (tmp_path / "a.npz").stat().st_size < 200_000
    assert read_npz(tmp_path / "a.npz")["zeros"].size == 3_000_000


@pytest.mark.parametrize("array", [np.array([{}]), np.array(["2020"], dtype="M8[Y]")])
def test_objects_are_not_written(tmp_path, array):
    with pytest.raises(StorageError, match="numbers or text"):
        write_npz(tmp_path / "a.npz", {"x": array})
    with pytest.raises(StorageError, match="plain name"):
        write_npz(tmp_path / "a.npz", {"../x": np.ones(1)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x.npy", "/x.npy", "a/x.npy", "a\\x.npy", "x.txt", ".npy"])
def test_strange_member_names_are_refused(tmp_path, name):
    archive(tmp_path / "a.npz", [(name, npy(np.ones(2)))])
    with pytest.raises(StorageError, match="holds a member named"):
        read_npz(tmp_path / "a.npz")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path):
    archive(tmp_path / "a.npz", [("x.npy", npy(np.ones(2)))] * 2)
    with pytest.raises(StorageError, match="holds a member named"):
        read_npz(tmp_path / "a.npz")


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_refused(tmp_path, compression):
    archive(tmp_path / "a.npz", [("x.npy", npy(np.ones(2)))], compression)
    with pytest.raises(StorageError, match="unusual way"):
        read_npz(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "member",
    [
        npy(header=describe("'|O'"), data=b"\x80\x04N."),
        npy(header=describe("[('a', '<f8')]"), data=bytes(16)),
        npy(header=describe("'<M8[s]'"), data=bytes(16)),
        npy(header=describe("'|V8'"), data=bytes(16)),
        npy(header=describe("'<f7'"), data=bytes(14)),
        npy(header=describe("'<U0'", "(9000000000,)")),
        npy(header=describe("'<U536870912'", "(1,)")),
        npy(header=describe("'<U999999999'", "(1,)")),
        npy(header=describe(shape="(-2,)"), data=bytes(16)),
        npy(header=describe(shape="(2.0,)"), data=bytes(16)),
        npy(header=describe(shape="False"), data=bytes(16)),
        npy(header=describe(shape=f"({'1,' * 40})"), data=bytes(8)),
        npy(header=describe(shape=f"({'9' * 5000},)"), data=bytes(8)),
        npy(header=describe(shape="(1000000000000,)"), data=bytes(16)),
        npy(header=describe(shape="(3,)"), data=bytes(16)),
        npy(header=describe(shape="(1,)"), data=bytes(16)),
        npy(header=describe(shape="(100000000000000000, 0)")),
        npy(header="__import__('os').system('true')", data=bytes(16)),
        npy(header="{" * 5000),
        npy(header="", data=bytes(16)),
        npy(header=describe("'|b1'"), data=b"\x02\x01"),
        npy(header=describe("'<U1'"), data=b"\xff" * 8),
        npy(np.ones(2))[:9],
        npy(np.ones(2))[:60],
        b"\x93NUMPY\x03\x00" + npy(np.ones(2))[8:],
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(100),
        b"",
        b"not an array",
    ],
)
def test_hostile_arrays_are_refused(tmp_path, member):
    archive(tmp_path / "a.npz", [("good.npy", npy(np.ones(2))), ("x.npy", member)])
    with pytest.raises(StorageError):
        read_npz(tmp_path / "a.npz")


def test_python_two_headers_and_other_orders_of_keys_are_read(tmp_path):
    header = "{'shape': (2,), 'descr': '<f8', 'fortran_order': False}"
    archive(tmp_path / "a.npz", [("x.npy", npy(header=header, data=np.ones(2).tobytes()))])
    np.testing.assert_array_equal(read_npz(tmp_path / "a.npz")["x"], [1, 1])


def test_files_beyond_the_limit_are_refused_before_reading(tmp_path):
    write_npz(tmp_path / "a.npz", {"x": np.zeros(10_000)})
    with pytest.raises(StorageError, match=r"take 80128 bytes, over 1000\.|over 1000"):
        read_npz(tmp_path / "a.npz", limit=1000)


def test_a_lie_about_the_size_is_refused_without_the_memory(tmp_path):
    count = 500_000_000
    data = npy(header=describe(shape=f"({count},)"), data=bytes(16))
    path = archive(tmp_path / "a.npz", [("x.npy", data)], zipfile.ZIP_STORED)
    lie = bytearray(path.read_bytes())
    # Both directories of the zip now claim the size that the header claims.
    claimed = (len(data) - 16 + 8 * count).to_bytes(4, "little", signed=False)
    for start in (22, lie.index(b"PK\x01\x02") + 24):
        lie[start : start + 4] = claimed
    path.write_bytes(lie)
    tracemalloc.start()
    with pytest.raises(StorageError, match="impossible size"):
        read_npz(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_a_header_that_disagrees_with_its_member_is_refused_before_room_is_made(tmp_path):
    data = npy(header=describe(shape="(500,)"), data=bytes(16))
    path = archive(tmp_path / "a.npz", [("x.npy", data)], zipfile.ZIP_STORED)
    with pytest.raises(StorageError, match=r"header of 'x.npy' disagrees with its size"):
        read_npz(path)


def test_a_flipped_length_does_not_swallow_the_members_that_follow(tmp_path):
    path = tmp_path / "a.npz"
    write_npz(path, {"x": np.ones(3), "weights": np.zeros(3)})
    content = bytearray(path.read_bytes())
    comment_length = content.index(b"PK\x01\x02") + 32
    for bit in range(8):
        content[comment_length] ^= 1 << bit
        path.write_bytes(content)
        with pytest.raises(StorageError):
            read_npz(path)
        content[comment_length] ^= 1 << bit


def test_encrypted_members_are_refused(tmp_path):
    path = archive(tmp_path / "a.npz", [("x.npy", npy(np.ones(2)))])
    content = bytearray(path.read_bytes())
    for start in (6, content.index(b"PK\x01\x02") + 8):
        content[start] |= 1
    path.write_bytes(content)
    with pytest.raises(StorageError, match="encrypted"):
        read_npz(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"\x93NUMPY\x01\x00"])
def test_what_is_no_zip_is_refused(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(StorageError, match="cannot be read"):
        read_npz(tmp_path / "a.npz")


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(StorageError, match=r"must exist; there is no .*a\.npz"):
        read_npz(tmp_path / "a.npz")
    with pytest.raises(StorageError, match="cannot be read"):
        read_npz(tmp_path)


def test_damaged_files_are_refused_or_read_intact(tmp_path):
    rng = np.random.default_rng(7)
    write_npz(tmp_path / "a.npz", ARRAYS)
    whole = (tmp_path / "a.npz").read_bytes()
    refused = 0
    for trial in range(400):
        damaged = bytearray(whole)
        if trial % 2:
            damaged = damaged[: rng.integers(len(whole))]
        else:
            damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        (tmp_path / "b.npz").write_bytes(damaged)
        try:
            read = read_npz(tmp_path / "b.npz")
        except StorageError:
            refused += 1
            continue
        for name in set(read) & set(ARRAYS):
            np.testing.assert_array_equal(read[name], ARRAYS[name])
    assert refused > 300
