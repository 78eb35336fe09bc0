"""Parquet files: written in pieces, and given to the reader only when they are what their description says.

A changed byte can end the process of whoever reads such a file, so its digest is compared first: run.json and
match.json hold those of the files beside them under ``files``, a text or a list of texts that are all right.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import polars

from solver.errors import FileError
from solver.reading import parse_json, read_bytes
from solver.strategy.shipped import MATCH

RUN, FILES = "run.json", "files"
ROW_GROUP = 1 << 19
AGAIN = "solve again or restore the file"


def write_parquet(frame: polars.DataFrame, file: IO[bytes]) -> None:
    """One file in row groups small enough that writing takes little memory."""
    frame.write_parquet(file, compression="zstd", compression_level=9, row_group_size=ROW_GROUP)


def digest_of(content: bytes) -> str:
    """SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def read_frame(path: Path, columns: list[str] | None = None, again: str = AGAIN) -> polars.DataFrame:
    """A parquet file; FileError when it is missing, may not be read, is damaged, or lacks a column.

    again   what to do then, as a sentence ends
    """
    content = read_bytes(path, again)
    while True:
        try:
            for name in (RUN, MATCH):
                check_content(content, path, digests_in(path.with_name(name)), again)
            return parse_frame(content, path, columns, again)
        except FileError:
            before, content = content, read_bytes(path, again)
            if content == before:  # nobody wrote it meanwhile
                raise


def digests_in(description: Path) -> Mapping[str, Any]:
    """The digests that a description holds; none where there is none that can be read."""
    try:
        files = parse_json(description.read_bytes()).get(FILES)
    except (OSError, ValueError):
        return {}
    return files if isinstance(files, dict) else {}


def check_content(content: bytes, path: Path, files: Mapping[str, Any], again: str = AGAIN) -> None:
    """FileError when a file is not the one that its description was written with, where that says which."""
    allowed = files.get(path.name)
    if allowed is not None and digest_of(content) not in (allowed if isinstance(allowed, list) else [allowed]):
        other = "not the file that its description was written with: their digests differ"
        raise FileError(f"'{path}' is damaged, or {other}; {again}.")


def parse_frame(
    content: bytes, path: Path, columns: list[str] | None = None, again: str = AGAIN
) -> polars.DataFrame:
    """The table in the content of a file; FileError when it is damaged or lacks a column."""
    try:
        return polars.read_parquet(io.BytesIO(content), columns=columns)
    except polars.exceptions.ColumnNotFoundError as error:
        raise FileError(f"'{path}' lacks one of the columns {', '.join(columns or [])}; it is another file.") from error
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise FileError(f"'{path}' is damaged or no parquet file; {again}.") from error
