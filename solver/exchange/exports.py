"""Files of plain rows, written a piece at a time, beside their place and renamed into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import polars

from solver.errors import UsageError
from solver.exchange.rows import write_rows
from solver.strategy.solution import Solution
from solver.strategy.store import system_errors

FORMATS = ("parquet", "csv", "json")
PIECE_ROWS = 100_000


class RowFile:
    """One file that takes frames of rows; ``close`` puts it in its place, ``drop`` removes what was written.

    rows, largest   how many rows were written, and the largest reach of any
    """

    def __init__(self, place: Path, kind: str) -> None:
        self.place, self.kind = place, kind
        self.rows, self.waiting, self.pieces = 0, 0, 0
        self.kept: list[polars.DataFrame] = []
        place.parent.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        self.beside = self.folder / place.name
        self.file: IO[bytes] = self.beside.open("wb")
        if kind == "json":
            self.file.write(b"[")

    def add(self, frame: polars.DataFrame) -> None:
        """Take some rows; they are written when enough have come together."""
        self.kept.append(frame)
        self.waiting += frame.height
        if self.waiting >= PIECE_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        if not self.kept:
            return
        piece = polars.concat(self.kept)
        if self.kind == "csv":
            piece.write_csv(self.file, include_header=self.rows == 0)
        elif self.kind == "json":
            lines = piece.write_ndjson().rstrip("\n").replace("\n", ",\n")
            self.file.write((",\n" if self.rows else "\n").encode() + lines.encode())
        else:
            with (self.folder / f"{self.pieces:06d}.piece").open("wb") as part:
                piece.write_parquet(part, compression="zstd")
        self.rows += piece.height
        self.kept, self.waiting, self.pieces = [], 0, self.pieces + 1

    def close(self) -> None:
        """Write the rest and rename the file into its place."""
        self.flush()
        if self.kind == "json":
            self.file.write(b"\n]\n")
        self.file.flush()
        if self.kind == "parquet":
            scan = polars.scan_parquet(self.folder / "*.piece")
            scan.sink_parquet(self.beside, compression="zstd", row_group_size=PIECE_ROWS)
        os.fsync(self.file.fileno())
        self.file.close()
        self.beside.replace(self.place)
        self.drop()

    def drop(self) -> None:
        """Remove what lies beside the place."""
        self.file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def export_rows(
    solution: Solution, place: Path, kind: str, min_reach: float = 0.0, watch: Callable[[int], None] = lambda rows: None
) -> int:
    """Write all rows to a file; returns how many.

    UsageError when no row is reached as often as ``min_reach``; OSError when the file cannot be written, named
    after its place. An old file stays whole until the new one is.
    """
    file, largest = None, 0.0

    def take(frame: polars.DataFrame) -> None:
        nonlocal largest
        largest = max(largest, float(frame["reach"].max() or 0.0))  # type: ignore[arg-type]
        chosen = frame.filter(polars.col("reach") >= min_reach) if min_reach > 0 else frame
        if file is not None and chosen.height:
            file.add(chosen)
            watch(file.rows + file.waiting)

    try:
        with system_errors():
            file = RowFile(place, kind)
            write_rows(solution, take)
            if file.rows + file.waiting == 0:
                raise UsageError(f"No row has a reach of {min_reach:g} or more; the largest is {largest:.3g}.")
            file.close()
    except BaseException as error:
        if file is not None:
            file.drop()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(place), None
        raise
    return file.rows
