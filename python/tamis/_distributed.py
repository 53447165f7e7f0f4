"""Code shared by Spark and Ray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tamis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa


def merged(parts: Iterable[bytes]) -> tamis.SiteMemory:
    """Merge serialised memories, in any order."""
    whole = tamis.SiteMemory()
    for part in parts:
        whole.merge(tamis.SiteMemory.from_bytes(part))
    return whole


def learned(batches: Iterable[pa.RecordBatch], names: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Learn batches of pages; yield the key and the serialised memory of each site."""
    memory = tamis.SiteMemory()
    for batch in batches:
        memory.observe_batch(batch, **names)
    for site in memory.sites():
        yield site, memory.only(site).to_bytes()


def column_names(settings: dict[str, Any]) -> dict[str, str]:
    """The settings that name columns."""
    return {name: settings[name] for name in ("html", "url") if name in settings}
