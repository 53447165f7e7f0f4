"""What Spark and Ray share: batches in, batches out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tamis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa


def merged(parts: Iterable[bytes]) -> tamis.SiteMemory:
    """One memory of many. The order does not matter."""
    whole = tamis.SiteMemory()
    for part in parts:
        whole.merge(tamis.SiteMemory.from_bytes(part))
    return whole


def learned(batches: Iterable[pa.RecordBatch], names: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """What batches of pages show of their sites: a key and a memory for each."""
    memory = tamis.SiteMemory()
    for batch in batches:
        memory.observe_batch(batch, **names)
    for site in memory.sites():
        yield site, memory.only(site).to_bytes()


def column_names(settings: dict[str, Any]) -> dict[str, str]:
    """Those of the settings that say what columns are called."""
    return {name: settings[name] for name in ("html", "url") if name in settings}
