"""The main text of a web page, and its metadata.

>>> import tamis
>>> document = tamis.extract("<h1>Rain</h1><p>It rained in the harbour on Monday, all day long.")
>>> document.title
'Rain'
>>> "It rained" in document.text
True

One page: :func:`extract`, :func:`extract_text`, :func:`extract_markdown`.
Many pages: :func:`extract_many` on any iterable, :func:`extract_batch` on tables of Arrow, pandas, polars or DuckDB, which
is also what :mod:`tamis.spark` and :mod:`tamis.ray` run; :func:`read_pages` reads archives of crawls, JSON lines and
directories into batches.
What a site repeats: :class:`SiteMemory`. Rules for sites: :class:`SiteRules`. A custom model: :class:`Model`.
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
