"""The main text of a web page, and its metadata.

>>> import tamis
>>> document = tamis.extract("<h1>Rain</h1><p>It rained in the harbour on Monday, all day long.")
>>> document.title
'Rain'
>>> "It rained" in document.text
True

One page: :func:`extract`, :func:`extract_text`, :func:`extract_markdown`.
Many pages: :func:`extract_many` for any iterable, :func:`extract_batch` for tables of Arrow, pandas, polars or DuckDB.
:mod:`tamis.spark` and :mod:`tamis.ray` run it on clusters. :func:`read_pages` reads WARC files, JSON lines and directories
into batches.
Site memory: :class:`SiteMemory`. Site rules: :class:`SiteRules`. Custom models: :class:`Model`.
"""

from ._many import extract_batch, extract_many, read_pages
from ._tamis import (
    DEFAULT_FIELDS,
    FIELDS,
    METHODS,
    OPTIONS,
    BatchError,
    Document,
    MemoryFileError,
    Model,
    NotAPageError,
    SiteMemory,
    SiteRules,
    TamisError,
    TimeLimitError,
    TooLargeError,
    __version__,
    extract,
    extract_markdown,
    extract_text,
    page_schema,
    record_schema,
    site_of,
)

__all__ = [
    "DEFAULT_FIELDS",
    "FIELDS",
    "METHODS",
    "OPTIONS",
    "BatchError",
    "Document",
    "MemoryFileError",
    "Model",
    "NotAPageError",
    "SiteMemory",
    "SiteRules",
    "TamisError",
    "TimeLimitError",
    "TooLargeError",
    "__version__",
    "extract",
    "extract_batch",
    "extract_many",
    "extract_markdown",
    "extract_text",
    "page_schema",
    "read_pages",
    "record_schema",
    "site_of",
]
