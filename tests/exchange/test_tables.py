"""Files of rows as spreadsheets and other programs write them: read, or refused in one sentence with the line."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import polars as pl  # noqa: TID253
import pytest

from solver.cfr.solve import Limits
from solver.errors import FileError, TrucError, UsageError
from solver.exchange.exports import export_rows
from solver.exchange.imported import import_profile
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from tests.exchange.test_import import HEAD

ROW = ",elder,7 8 A,7,1\n"


@pytest.fixture(scope="module")
def small() -> Solution:
    rules = catalogue.load("truc", {"ranks": "3", "ladder": "1,2"})
    return solve_game(game_at(rules, parse_score(rules, "0-0"), "points"), Task(limits=Limits(1e-12, 15)))


@pytest.fixture(scope="module")
def rows(small: Solution, tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("rows") / "rows.csv"
    export_rows(small, place, "csv")
    return place.read_text("utf-8")


def with_decimal_commas(text: str, separator: str) -> str:
    """As a spreadsheet of a French machine writes it."""
    return text.replace(",", separator).replace(".", ",")


@pytest.mark.parametrize(
    "form",
    [
        lambda text: (text + "\n\n\n").encode(),
        lambda text: (text + ",,,,,,\n,,,,,,\n").encode(),
        lambda text: ("\n\n" + text).encode(),
        lambda text: text.replace("\n", "\n\n", 3).encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: with_decimal_commas(text, ";").encode(),
        lambda text: with_decimal_commas(text, "\t").encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: re.sub(r"(?m)^(\w+) (raise[^,]*),(.*),(0\.\d+)", r'"\1, \2",\3,"\4"', text).encode(),
        lambda text: "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.split("\n")).encode(),
    ],
    ids=[
        *("blank", "commas", "before", "between", "crlf", "cr", "french"),
        *("utf16", "le", "be", "mark", "some quoted", "quoted"),
    ],
)
def test_forms_of_a_csv_file(small: Solution, rows: str, tmp_path: Path, form: object) -> None:
    place = tmp_path / "rows.csv"
    place.write_bytes(form(rows))  # type: ignore[operator]
    back, findings = import_profile(small.game, place)
    assert findings.missing == 0
    assert back.facts["source_rows"] == rows.count("\n") - 1
    assert back.claim.nash_conv == pytest.approx(small.claim.nash_conv, abs=1e-12)


def test_lines_are_counted_through_empty_ones(small: Solution, tmp_path: Path) -> None:
    place = tmp_path / "bad.csv"
    place.write_text("\n" + HEAD + "\n" + ROW + "\n,,,,\n,elder,7 8 K,7,1\n", "utf-8")
    with pytest.raises(UsageError, match=r"^Line 7 of 'bad\.csv': 'K' at position 5"):
        import_profile(small.game, place)


def test_a_column_called_line_is_one_more(small: Solution, rows: str, tmp_path: Path) -> None:
    frame = pl.read_csv(rows.encode()).with_row_index("line").with_row_index("row")
    for kind in ("csv", "parquet"):
        place = tmp_path / f"rows.{kind}"
        frame.write_csv(place) if kind == "csv" else frame.write_parquet(place)
        _, findings = import_profile(small.game, place)
        assert findings.missing == 0


def test_a_quote_that_swallows_lines_is_refused(small: Solution, rows: str, tmp_path: Path) -> None:
    lines = rows.split("\n")
    lines[9], lines[59] = '"' + lines[9], lines[59] + '"'
    place = tmp_path / "rows.csv"
    place.write_text("\n".join(lines), "utf-8")
    with pytest.raises(FileError, match="line 10 has a quote that is not closed there, and a field holds no"):
        import_profile(small.game, place)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (HEAD.encode() + b",elder,7 8 A,7,0,5\n", "line 2 has 6 fields, the first line 5"),
        (HEAD.encode() + ROW.encode() + b",elder,7 \xe9 A,7,1\n", "line 3 is not text in UTF-8"),
        (HEAD.encode() + b',elder,7 "8" A,7,1\n', "line 2 has a quote within a field"),
        (HEAD.encode() + b',elder,"7 8 A"x,7,1\n', "line 2 has a quote within a field"),
        (HEAD.encode() + ROW.encode() + b',elder,"7 8" A,7,1\n', "line 3 has a quote within a field"),
        (b"\xff\xfea\xd8", "it is not text in UTF-16-LE"),
        (b"history,seat,hand,hand,action,frequency\n,elder,7 8 A,7 8 A,7,1\n", "more than one column 'hand'"),
        (HEAD.encode() + b",elder,7 8 A,7,1_0\n", "'1_0' is no frequency"),
        (HEAD.encode() + ",elder,7 8 A,7,٣/٤\n".encode(), "'٣/٤' is no frequency"),
        (HEAD.encode() + ",elder,7 8 A,7,٠\n".encode(), "'٠' is no frequency"),
        (HEAD.encode() + b",elder,7 8 A,7,1e99999999999\n", "'1e99999999999' is no frequency"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(small: Solution, tmp_path: Path, content: bytes, sentence: str) -> None:
    place = tmp_path / "bad.csv"
    place.write_bytes(content)
    with pytest.raises(TrucError) as caught:
        import_profile(small.game, place)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("hand", ["7", "8"]), ("frequency", [0.5]), ("seat", {"a": 1})])
def test_columns_of_lists_are_refused(
    small: Solution, rows: str, tmp_path: Path, name: str, value: object
) -> None:
    place = tmp_path / "rows.parquet"
    pl.read_csv(rows.encode()).with_columns(pl.lit(pl.Series([value])).first().alias(name)).write_parquet(place)
    with pytest.raises(UsageError, match=f"The column '{name}' of 'rows.parquet' holds "):
        import_profile(small.game, place)


@pytest.mark.parametrize("name", ["b[1].csv", "b?.csv", "b*.csv", "b[1].parquet"])
def test_the_file_named_is_the_one_read(small: Solution, rows: str, tmp_path: Path, name: str) -> None:
    """Beside files that the name would match as a pattern; the digest is that of what was read."""
    frame, kind = pl.read_csv(rows.encode()), Path(name).suffix[1:]
    whole, other = tmp_path / f"whole.{kind}", tmp_path / f"b1.{kind}"
    export_rows(small, whole, kind)
    whole.rename(tmp_path / name)
    frame.head(3).write_csv(other) if kind == "csv" else frame.head(3).write_parquet(other)
    back, _ = import_profile(small.game, tmp_path / name)
    assert back.facts["source_rows"] == frame.height
    assert back.facts["source_digest"] == sha256((tmp_path / name).read_bytes()).hexdigest()


LAST = "7 7 8 8 raise call"


@pytest.mark.parametrize("more", [f"{LAST},elder,7 8 A,A,1\n", f"{LAST} A,dealer,7 8 8,call,1\n"])
def test_rows_of_a_last_card_are_read(small: Solution, rows: str, tmp_path: Path, more: str) -> None:
    """Only one of these is a last card; the other is no choice of the dealer."""
    head, _, rest = rows.partition("\n")
    more = "".join(line + ",0,0\n" for line in more.splitlines())
    place = tmp_path / "rows.csv"
    place.write_text(f"{head}\n{rest}{more}", "utf-8")
    if ",call," in more:
        with pytest.raises(UsageError, match="cannot be done with"):
            import_profile(small.game, place)
        return
    back, _ = import_profile(small.game, place)
    assert back.claim.nash_conv == pytest.approx(small.claim.nash_conv, abs=1e-12)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (f"{LAST},elder,7 8 A,A,0.5", "the last card A follows by itself"),
        (f"{LAST},elder,7 8 A,8,1", "'8' cannot be done with"),
        (f"{LAST},dealer,7 8 A,A,1", "it is the elder who decides"),
        (f"{LAST},elder,8 8 A,A,1", "cannot hold"),
    ],
)
def test_rows_of_another_last_card_are_refused(
    small: Solution, rows: str, tmp_path: Path, row: str, sentence: str
) -> None:
    place = tmp_path / "rows.csv"
    place.write_text(f"{rows}{row},0,0\n", "utf-8")
    with pytest.raises(UsageError, match=sentence):
        import_profile(small.game, place)


@pytest.mark.parametrize("history", ["d:7", "d.7", "7 e:7", "e:7 d:raise e:call d:7 d:8", "7 e:raise"])
def test_a_wrong_seat_in_a_history_is_refused(small: Solution, tmp_path: Path, history: str) -> None:
    place = tmp_path / "bad.csv"
    place.write_text(HEAD + f"{history},dealer,8 8 A,A,1\n", "utf-8")
    with pytest.raises(UsageError, match=r"Line 2 of 'bad\.csv': The history breaks the rules at position \d+: '[ed]:"):
        import_profile(small.game, place)
