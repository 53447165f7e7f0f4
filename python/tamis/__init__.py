"""The main text of a web page, and its facts.

>>> import tamis
>>> document = tamis.extract("<h1>Rain</h1><p>It rained in the harbour on Monday, all day long.")
>>> document.title
'Rain'
>>> "It rained" in document.text
True

One page: :func:`extract`, :func:`extract_text`, :func:`extract_markdown`.
Many pages: :func:`extract_batch` on batches of Arrow, which is also what :mod:`tamis.spark` and :mod:`tamis.ray` run;
:func:`read_pages` reads archives of crawls, JSON lines and directories into such batches.
What a site repeats: :class:`SiteMemory`. A custom model: :class:`Model`.
"""

from ._tamis import (
    COLUMNS,
    METHODS,
    BatchError,
    Document,
    MemoryFileError,
    Model,
    NotAPageError,
    SiteMemory,
    TamisError,
    TimeLimitError,
    TooLargeError,
    __version__,
    extract,
    extract_batch,
    extract_markdown,
    extract_text,
    read_pages,
    site_of,
)

__all__ = [
    "COLUMNS",
    "METHODS",
    "BatchError",
    "Document",
    "MemoryFileError",
    "Model",
    "NotAPageError",
    "SiteMemory",
    "TamisError",
    "TimeLimitError",
    "TooLargeError",
    "__version__",
    "extract",
    "extract_batch",
    "extract_markdown",
    "extract_text",
    "read_pages",
    "site_of",
]
