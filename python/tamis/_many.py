"""Many pages: iterables and tables."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from . import _tamis

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from typing_extensions import Unpack

    from ._tamis import BatchOptions, Document, Options


def _pyarrow() -> ModuleType:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("batches need pyarrow: pip install 'tamis[arrow]'") from error
    return pyarrow


def _parts(page: Any) -> dict[str, Any]:
    """The fields of a page given as ``html``, ``(html, url)`` or a mapping with ``html``."""
    if isinstance(page, (str, bytes, bytearray)):
        return {"html": page}
    if isinstance(page, tuple) and len(page) == 2:
        return {"html": page[0], "url": page[1]}
    if isinstance(page, Mapping) and "html" in page:
        return dict(page)
    what = f"a mapping of {', '.join(map(str, page))}" if isinstance(page, Mapping) else type(page).__name__
    raise TypeError(f'a page is html, (html, url) or a mapping with "html", not {what}')


def extract_many(
    pages: Iterable[str | bytes | tuple[str | bytes, str | None] | Mapping[str, Any]],
    *,
    threads: int | None = None,
    errors: Literal["raise", "return"] = "raise",
    **options: Unpack[Options],
) -> Iterator[Document | Exception]:
    """Extract pages from any iterable, lazily and in order.

    A page is ``html``, ``(html, url)`` or a mapping with ``html``, ``url`` and further options. At most four pages per
    thread are in memory. A page that fails raises its exception, or yields it with ``errors="return"``.
    """
    if isinstance(pages, (str, bytes, bytearray, Mapping)) or not isinstance(pages, Iterable):
        what = type(pages).__name__
        raise TypeError(f"pages is an iterable of pages, not {what}: for one page, use tamis.extract, or a list of one")
    if errors not in ("raise", "return"):
        raise ValueError(f'errors is "raise" or "return", not {errors!r}')
    threads = threads or os.cpu_count() or 1
    # Wrong options fail immediately, not with the first page.
    with suppress(_tamis.TamisError):
        _tamis.extract("", **options)

    def work(page: Any) -> Document | Exception:
        try:
            return _tamis.extract(**{**options, **_parts(page)})
        except Exception as error:
            if errors == "raise":
                raise
            return error

    def documents() -> Iterator[Document | Exception]:
        waiting: deque[Any] = deque()
        with ThreadPoolExecutor(threads) as pool:
            try:
                for page in pages:
                    waiting.append(pool.submit(work, page))
                    if len(waiting) >= 4 * threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    return documents()


def extract_batch(pages: Any, **options: Unpack[BatchOptions]) -> Any:
    """Extract a table of pages into a table of records, one row per page, in order.

    ``pages`` is a ``pyarrow.RecordBatch``, any object with Arrow's C stream interface (a ``pyarrow.Table``, a pandas or
    polars frame, a DuckDB relation), or a list of pages as for ``extract_many``. Returns a ``RecordBatch`` for a
    ``RecordBatch`` or list, and otherwise a ``Table``.

    The column ``html`` (binary or string) is required; ``url``, ``content_type``, ``status``, ``fetched``, ``id``, ``path``
    and ``offset`` are used if present. ``keep`` names columns that are copied to the result. A page that fails becomes a row
    with its ``error``. Pages are not copied, and the GIL is released.
    """
    pa = _pyarrow()
    if isinstance(pages, (list, tuple)):
        rows = [_parts(page) for page in pages]
        names = dict.fromkeys(name for row in rows for name in row) or {"html": None}
        is_text = all(isinstance(row.get("html"), (str, type(None))) for row in rows)
        if not is_text:
            rows = [{**row, "html": _encoded(row)} for row in rows]
        html = pa.string() if is_text else pa.binary()
        arrays = {n: pa.array([row.get(n) for row in rows], html if n == "html" else None) for n in names}
        pages = pa.record_batch(arrays)
    if isinstance(pages, pa.RecordBatch):
        return _tamis.extract_record_batch(pages, **options)
    if not hasattr(pages, "__arrow_c_stream__"):
        what = type(pages).__name__
        raise TypeError(f"pages is a table of Arrow, pandas, polars or DuckDB, or a list, not {what}: for one page, use tamis.extract")
    reader = pa.RecordBatchReader.from_stream(pages)
    rows = [_tamis.extract_record_batch(batch, **options) for batch in reader]
    if not rows:
        empty = pa.RecordBatch.from_pylist([], schema=reader.schema)
        rows = [_tamis.extract_record_batch(empty, **options)]
    return pa.Table.from_batches(rows)


def _encoded(row: Mapping[str, Any]) -> bytes | None:
    html = row.get("html")
    # A byte order mark overrides the encoding that the page declares.
    return b"\xef\xbb\xbf" + html.encode("utf-8", "replace") if isinstance(html, str) else html


def read_pages(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], **options: Any) -> Iterator[Any]:
    """Read the pages of WARC files, JSON lines, directories and glob patterns, as batches for ``extract_batch``.

    Options: ``batch_rows`` (default: 256), ``html``, ``url`` and ``id`` (names of fields), ``keep`` (further fields, as
    strings), ``max_bytes``. Damaged input becomes a row with its ``error``.
    """
    _pyarrow()
    return _tamis.read_pages(paths, **options)
