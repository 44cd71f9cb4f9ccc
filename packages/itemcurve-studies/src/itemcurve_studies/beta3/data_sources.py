"""Data of the study of β³; MOONS and CLUSTERS are drawn and need none."""

from itemcurve_studies.study.data_sources import DataSource

DIGITS = "MNIST (claims B9 to B15)"
STUDENTS = "students (claims B3 to B6)"
_TESTS = "a header, one row a student, one column a question, 0 and 1"


def _digits(file: str, rows: str, checksum: str) -> DataSource:
    return DataSource(
        f"data/core/{file}.csv.gz",
        f"MNIST, {rows}",
        "OpenML 554 (mnist_784)",
        "https://www.openml.org/d/554",
        checksum,
        DIGITS,
        "a header, 784 pixels 0 to 255 row by row, last `target`, the digit",
    )


def _log(file: str, name: str, keeper: str, checksum: str, columns: str) -> DataSource:
    return DataSource(
        f"data/students/{file}_long.csv.gz",
        name,
        f"github.com/{keeper}",
        f"https://github.com/{keeper}",
        checksum,
        STUDENTS,
        f"one row an answer, in the order of the attempts; columns {columns}",
    )


def _test(file: str, name: str, package: str, data: str, checksum: str) -> DataSource:
    return DataSource(
        f"data/students/{file}.csv",
        name,
        f"R package {package}, {data}",
        f"https://cran.r-project.org/package={package}",
        checksum,
        STUDENTS,
        _TESTS,
    )


SOURCES = (
    _digits(
        "mnist_train_first10000",
        "the first 10,000 training images",
        "80de4753649ce9b1298cd28014796a45cb877c12a23ce8880a5eaf3b91d380dd",
    ),
    _digits(
        "mnist_test10000",
        "the 10,000 test images",
        "762755e8ff0d515af09ac70fc38c0a91fbbd114d8c0adb4fa1db7391d68781be",
    ),
    _log(
        "assist2009_updated",
        "ASSISTments 2009, updated",
        "jennyzhang0215/DKVMN",
        "b0eeca1eb4357bfd8db036ca1107ebb05775691fc78f2764e522b92483f563d7",
        "student, question, correct (data/assist2009_updated)",
    ),
    _log(
        "statics2011",
        "OLI Statics 2011",
        "jennyzhang0215/DKVMN",
        "8d1c7a7fee632cf117e6a4b10423b563166c933dab9e6de8d16a2dd63a43fe02",
        "student, question, correct (data/STATICS)",
    ),
    _log(
        "math1",
        "Math1",
        "CSLiJT/Generative-CD",
        "4994fc2d0db2f8feb5db8933c4509b9a7c7a24f1d3a3186446bb17025b5b5aa0",
        "user_id, item_id, score (GNCDM/data/math1)",
    ),
    _log(
        "assistments0910",
        "ASSISTments 2009-10",
        "CSLiJT/Generative-CD",
        "a851009c3529ff3a7a43301328e4a8033640bd413b11a343d7349ef0cb474c90",
        "user_id, item_id, score (data/a0910)",
    ),
    _test(
        "sat12_scored",
        "SAT 12",
        "mirt",
        "SAT12 scored by key2binary with the key of its help page",
        "9e3783daeb2443a2724e2c2ad35a1bf7c655eb430987edfb58075876b419d8fa",
    ),
    _test(
        "fraction_subtraction",
        "fraction subtraction",
        "CDM",
        "fraction.subtraction.data",
        "6f1236841d76ee63dd86c3059562ef1f10952295003087b9a9f7b57d89d9b520",
    ),
    _test(
        "irtoys_scored",
        "irtoys",
        "irtoys",
        "Scored",
        "e343a52d719ad5160fb5dc6d2e9579cd720c0a262f7c25463cd8bfc58ab96a04",
    ),
    _test(
        "sirt_read",
        "reading",
        "sirt",
        "data.read",
        "5a0a2707cd33cdf61e0d42b0d4ca6ff1593c67d2eba040d135078a58619553ee",
    ),
)
