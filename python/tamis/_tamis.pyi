from collections.abc import Iterator, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, TypedDict

import pyarrow as pa
from typing_extensions import Unpack

__version__: str
FIELDS: list[str]
DEFAULT_FIELDS: list[str]
OPTIONS: list[str]
METHODS: list[str]

class TamisError(Exception):
    """The base class of the package's exceptions."""

class NotAPageError(TamisError):
    """The input is not a web page: a PDF, an image, an archive, noise."""

class TimeLimitError(TamisError):
    """The page exceeded the time limit."""

class TooLargeError(TamisError):
    """The page exceeded the size limit."""

class BatchError(TamisError):
    """A batch lacks a column, or is too large."""

class MemoryFileError(TamisError):
    """A site memory cannot be read or written."""

class Options(TypedDict, total=False):
    """Options of all functions. Unknown options raise ``ValueError``."""

    fields: Sequence[str] | str | None  # which of FIELDS to compute; default: DEFAULT_FIELDS
    content_type: str | None  # the Content-Type header
    encoding: str | None  # a WHATWG label; overrides detection
    fetched: str | datetime | None  # resolves relative dates, rejects later ones
    method: str | None  # one of METHODS
    balance: Literal["precision", "recall"] | None
    model: Model | None
    memory: SiteMemory | None
    feed: str | bytes | list[str | bytes] | None  # feeds of the site: evidence for metadata
    hidden: Literal["drop", "keep", "flag"] | None  # text hidden by markup
    rules: SiteRules | None
    chunks: int | str | None  # 2000, "200tokens", "200tokens,markdown": adds the field chunks
    max_bytes: int | None
    timeout: float | None  # seconds

class BatchOptions(Options, total=False):
    """Additional options of functions on tables: names of columns."""

    html: str
    url: str
    id: str
    keep: Sequence[str] | str  # columns that are copied to the result
    threads: int

class RenderOptions(TypedDict, total=False):
    """Options of Markdown and HTML."""

    links: bool
    images: bool
    tables: bool
    comments: bool
    formatting: bool
    headline: Literal["auto", "always", "never"]
    metadata: bool  # as front matter of Markdown

class Document:
    """The main text of a page with its metadata: the fields of the record, described in docs/schema/document-2.json."""

    schema: int
    id: str | None
    path: str | None
    offset: int | None
    url: str | None
    host: str | None
    status: int | None
    fetched: str | None
    title: str | None
    published: str | None
    modified: str | None
    authors: list[str]
    editors: list[str]
    byline: str | None
    organisation: str | None
    source: str | None
    site_name: str | None
    language: str | None
    direction: Literal["ltr", "rtl"] | None
    description: str | None
    tags: list[str]
    categories: list[str]
    image: str | None
    licence: str | None
    canonical: str | None
    next_page: str | None
    comments_page: str | None
    feeds: list[str]
    evidence: list[dict[str, Any]]
    page_type: str
    page_type_probability: float
    confidence: float | None
    text: str
    content: list[dict[str, Any]]
    links: list[dict[str, str]]
    images: list[dict[str, str]]
    comments: list[dict[str, Any]]
    posts: list[dict[str, Any]]
    entries: list[dict[str, Any]]
    hidden: list[dict[str, Any]]
    site_rules: str | None
    encoding: str | None
    truncated: str | None
    markdown: str
    html: str
    xml: str
    tei: str
    chunks: list[dict[str, Any]] | None
    blocks: list[dict[str, Any]] | None
    method: str
    model: str | None
    version: str
    error: str | None
    def to_markdown(self, **options: Unpack[RenderOptions]) -> str:
        """GitHub-flavoured Markdown; by default without links, images, comments and metadata."""
    def to_html(self, **options: Unpack[RenderOptions]) -> str:
        """A clean HTML page; by default with links and images."""
    def to_xml(self) -> str:
        """XML in a vocabulary of its own."""
    def to_tei(self) -> str:
        """TEI P5."""
    def to_json(self) -> str:
        """The record as a line of JSON, as ``tamis batch`` writes it."""
    def to_dict(self) -> dict[str, Any]:
        """The record as a dictionary."""
    @staticmethod
    def from_json(json: str, fields: Sequence[str] | None = None) -> Document:
        """Reads what ``to_json`` wrote, or a row of ``tamis batch``."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class SiteMemory:
    """Texts that sites repeat from page to page, for many sites.

    Memories merge in any order with the same result, so you can learn on many machines and then merge.
    """

    def __init__(self) -> None: ...
    def observe(self, html: str | bytes, url: str | None = None, *, site: str | None = None) -> bool:
        """Learn a page. False if neither ``url`` nor ``site`` determines its site."""
    def observe_batch(self, batch: pa.RecordBatch, *, html: str = "html", url: str = "url") -> int:
        """Learn the pages of a batch and return their number. The GIL is released."""
    def merge(self, other: SiteMemory) -> None:
        """Merge another memory into this one."""
    def sites(self) -> list[str]:
        """The keys of all sites, in order."""
    def pages(self, site: str) -> int:
        """The number of stored pages of a site."""
    def only(self, site: str) -> SiteMemory:
        """The memory of one site."""
    def to_bytes(self) -> bytes:
        """Serialise to bytes, for files, messages and binary columns."""
    @staticmethod
    def from_bytes(data: bytes) -> SiteMemory:
        """Read the output of ``to_bytes``; concatenated outputs are merged."""
    @staticmethod
    def load(path: str | PathLike[str]) -> SiteMemory:
        """Read a file written by ``tamis site learn``."""
    def save(self, path: str | PathLike[str]) -> None:
        """Merge into a file, which is created if it does not exist."""
    def __len__(self) -> int: ...
    def __contains__(self, site: str) -> bool: ...
    def __eq__(self, other: object) -> bool: ...

class SiteRules:
    """Your rules for sites: CSS selectors of text, title, author and date (docs/site-rules.md)."""

    def __init__(self, text: str) -> None:
        """Parse rules in TOML."""
    @staticmethod
    def load(path: str | PathLike[str]) -> SiteRules:
        """Read a file of rules."""
    def hosts(self) -> list[str]:
        """The hosts that have rules."""
    def __eq__(self, other: object) -> bool: ...

class Model:
    """A custom model, as ``tamis train -o`` writes it, in place of the built-in one."""

    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """Read a model file."""
    @staticmethod
    def from_bytes(data: bytes) -> Model:
        """Read the content of a model file."""
    @property
    def digest(self) -> str:
        """The digest in the field ``model`` of records."""
    @property
    def methods(self) -> list[str]:
        """The methods that use it."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def extract(html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> Document:
    """The main text and metadata of a page. Prefer bytes, which are decoded as browsers do. The GIL is released."""

def extract_text(html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> str:
    """The main text of a page; takes the arguments of ``extract``."""

def extract_markdown(html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> str:
    """The main text of a page as Markdown; takes the arguments of ``extract``."""

def extract_record_batch(batch: pa.RecordBatch, **options: Unpack[BatchOptions]) -> pa.RecordBatch:
    """The records of one batch of pages."""

def record_schema(fields: Sequence[str] | str | None = None) -> pa.Schema:
    """The columns of records."""

def page_schema(keep: Sequence[str] = ()) -> pa.Schema:
    """The columns of ``read_pages``."""

def read_pages(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    batch_rows: int = 256,
    html: str = "html",
    url: str = "url",
    id: str = "id",
    keep: Sequence[str] = (),
    max_bytes: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """Read the pages of WARC files, JSON lines, directories and glob patterns, as batches for ``extract_batch``."""

def run_command(arguments: Sequence[str]) -> int:
    """Run the command ``tamis`` and return its exit code."""

def site_of(url: str) -> str | None:
    """The key of the site that a URL belongs to."""
