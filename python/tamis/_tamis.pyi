from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Literal

import pyarrow as pa

__version__: str
COLUMNS: list[str]
METHODS: list[str]

class TamisError(Exception):
    """What goes wrong in tamis. All other errors are of this type."""

class NotAPageError(TamisError):
    """The bytes are no web page: a PDF, a picture, an archive, noise."""

class TimeLimitError(TamisError):
    """The page took longer than it may."""

class TooLargeError(TamisError):
    """The page has more bytes than it may."""

class BatchError(TamisError):
    """A batch does not have the columns that it should, or is too large."""

class MemoryFileError(TamisError):
    """A memory of sites cannot be read or written."""

class Document:
    """The main text of a page, with its facts."""

    @property
    def url(self) -> str | None:
        """Where the page comes from."""
    @property
    def host(self) -> str | None:
        """The host of that address."""
    @property
    def title(self) -> str | None:
        """The title."""
    @property
    def published(self) -> str | None:
        """When it was published, as ISO 8601 with as many parts as the page gives."""
    @property
    def authors(self) -> list[str]:
        """Who wrote it."""
    @property
    def source(self) -> str | None:
        """Who published it, or from where it was taken over."""
    @property
    def language(self) -> str | None:
        """The language, as a BCP 47 tag."""
    @property
    def page_type(self) -> str | None:
        """What kind of page it is."""
    @property
    def page_type_probability(self) -> float | None:
        """How probable that kind is, from 0 to 1."""
    @property
    def confidence(self) -> float | None:
        """How sure the extraction is, from 0 to 1."""
    @property
    def text(self) -> str:
        """The main text."""
    @property
    def markdown(self) -> str:
        """The main text as Markdown."""
    @property
    def blocks(self) -> list[dict[str, Any]]:
        """All blocks of the page, kept or not: text, kind, path, span, score, kept, comment."""
    @property
    def method(self) -> str:
        """The method that judged the blocks."""
    @property
    def model(self) -> str | None:
        """The digest of the model of one's own that it decided with; None where it was the one that comes with the
        package."""
    def to_json(self) -> str:
        """As a line of JSON, as ``tamis batch`` writes it."""
    def to_dict(self) -> dict[str, Any]:
        """Likewise, as a dictionary."""

class SiteMemory:
    """What sites repeat from page to page, for many sites.

    Two memories of the same site merge into one, in any order, with the same result: learn on many machines, then merge.
    """

    def __init__(self) -> None: ...
    def observe(self, html: str | bytes, url: str | None = None, *, site: str | None = None) -> bool:
        """Learn a page. False where neither address nor ``site`` says which site it belongs to."""
    def observe_batch(self, batch: pa.RecordBatch, *, html: str = "html", url: str = "url") -> int:
        """Learn the pages of a batch, and say how many that were. The GIL is released."""
    def merge(self, other: SiteMemory) -> None:
        """Take over what another one knows."""
    def sites(self) -> list[str]:
        """The keys of all sites, in order."""
    def pages(self, site: str) -> int:
        """How many pages of a site are remembered."""
    def only(self, site: str) -> SiteMemory:
        """What is known of one site alone."""
    def to_bytes(self) -> bytes:
        """As bytes, for files, messages and binary columns."""
    @staticmethod
    def from_bytes(data: bytes) -> SiteMemory:
        """Read what ``to_bytes`` has written; several such texts one after the other are merged."""
    @staticmethod
    def load(path: str | PathLike[str]) -> SiteMemory:
        """Read a file of memories, as ``tamis site learn`` writes it."""
    def save(self, path: str | PathLike[str]) -> None:
        """Merge into a file of memories, which is made where there is none."""
    def __len__(self) -> int: ...
    def __contains__(self, site: str) -> bool: ...
    def __eq__(self, other: object) -> bool: ...

class Model:
    """A custom model, as ``tamis train --out`` writes it, in place of the built-in one."""

    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """Read a model file."""
    @staticmethod
    def from_bytes(data: bytes) -> Model:
        """Read the content of a model file."""
    @property
    def digest(self) -> str:
        """Its name in the column ``model`` of rows."""
    @property
    def methods(self) -> list[str]:
        """The methods that use it."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def extract(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    encoding: str | None = None,
    method: str | None = None,
    balance: Literal["precision", "recall"] | None = None,
    model: Model | None = None,
    memory: SiteMemory | None = None,
    feed: str | bytes | list[str | bytes] | None = None,
    max_bytes: int | None = None,
    timeout: float | None = None,
) -> Document:
    """The main text and facts of a page. ``balance`` is ``"precision"``, ``"recall"`` or nothing. ``model`` is a model of one's own. ``feed`` is a feed of
    the site (RSS, Atom, JSON Feed): what it says of the page is evidence for its facts and its text. The GIL is released."""

def extract_text(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    encoding: str | None = None,
    method: str | None = None,
    balance: Literal["precision", "recall"] | None = None,
    model: Model | None = None,
    memory: SiteMemory | None = None,
    feed: str | bytes | list[str | bytes] | None = None,
    max_bytes: int | None = None,
    timeout: float | None = None,
) -> str:
    """The main text of a page; takes what ``extract`` takes."""

def extract_markdown(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    encoding: str | None = None,
    method: str | None = None,
    balance: Literal["precision", "recall"] | None = None,
    model: Model | None = None,
    memory: SiteMemory | None = None,
    feed: str | bytes | list[str | bytes] | None = None,
    max_bytes: int | None = None,
    timeout: float | None = None,
) -> str:
    """The main text of a page as Markdown; takes what ``extract`` takes."""

def extract_batch(
    batch: pa.RecordBatch,
    *,
    columns: Sequence[str] | None = None,
    html: str = "html",
    url: str = "url",
    encoding: str | None = None,
    method: str | None = None,
    balance: Literal["precision", "recall"] | None = None,
    model: Model | None = None,
    memory: SiteMemory | None = None,
    feed: str | bytes | list[str | bytes] | None = None,
    max_bytes: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> pa.RecordBatch:
    """The rows of a batch of pages, one for each, in order.

    In: ``html`` (binary or string), and if there are such ``url``, ``content_type``, ``status`` and ``fetched``. Out: the columns of
    ``COLUMNS``, or those asked for. A page that fails is a row with its ``error``. The pages are not copied, and the GIL is
    released.
    """

def read_pages(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    batch_rows: int = 256,
    html: str = "html",
    url: str = "url",
    max_bytes: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """The pages of WARC files, JSON lines, directories and patterns, as batches for ``extract_batch``.

    Columns: ``url``, ``html`` (binary), ``content_type``, ``status``, ``fetched``, ``error``. What is damaged is a row with its error.
    """

def site_of(url: str) -> str | None:
    """The key of the site that an address belongs to."""
