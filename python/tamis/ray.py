"""tamis on Ray Data: ``tamis.extract_batch`` in ``map_batches``.

>>> from tamis import ray as tamis_ray                        # doctest: +SKIP
>>> pages = tamis_ray.read_pages(["crawl/a.warc.gz"])         # doctest: +SKIP
>>> tamis_ray.extract(pages).write_parquet("rows")            # doctest: +SKIP

With site memory, learned first::

    memory = tamis_ray.learn(pages)
    rows = tamis_ray.extract(pages, memory=memory)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

import tamis
from tamis._distributed import column_names, learned, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import ray.data


def _batches(table: pa.Table) -> list[pa.RecordBatch]:
    # Not combined, since an array cannot contain more than two gigabytes of pages.
    return table.to_batches()


def read_pages(paths: Sequence[str], **options: Any) -> ray.data.Dataset:
    """Read the pages of WARC files, JSON lines and directories, one task per path. Every worker must be able to open them.

    ``options`` are those of ``tamis.read_pages``.
    """
    import ray.data

    def read(named: pa.Table) -> Iterator[pa.Table]:
        for path in named.column("path").to_pylist():
            for batch in tamis.read_pages(path, **options):
                yield pa.Table.from_batches([batch])

    named = ray.data.from_items([{"path": path} for path in paths], override_num_blocks=max(1, len(paths)))
    return named.map_batches(read, batch_format="pyarrow", batch_size=1)


def extract(
    pages: ray.data.Dataset,
    *,
    memory: tamis.SiteMemory | None = None,
    batch_size: int = 256,
    **settings: Any,
) -> ray.data.Dataset:
    """Extract pages into records, with the columns of ``tamis.extract_batch``. ``settings`` are its options."""
    import ray

    known = None if memory is None else ray.put(memory.to_bytes())
    held: dict[str, tamis.SiteMemory] = {}

    def work(table: pa.Table) -> pa.Table:
        if known is not None and "memory" not in held:
            held["memory"] = tamis.SiteMemory.from_bytes(ray.get(known))
        return tamis.extract_batch(table, memory=held.get("memory"), **settings)

    return pages.map_batches(work, batch_format="pyarrow", batch_size=batch_size)


def learn(pages: ray.data.Dataset, *, batch_size: int = 4096, **settings: Any) -> tamis.SiteMemory:
    """Learn the site memory of pages: each batch learns separately, then the memories of a site are merged."""
    names = column_names(settings)

    def work(table: pa.Table) -> pa.Table:
        rows = list(learned(_batches(table), names))
        sites, memories = [row[0] for row in rows], [row[1] for row in rows]
        return pa.table({"site": pa.array(sites, pa.string()), "memory": pa.array(memories, pa.binary())})

    def merge(parts: pa.Table) -> pa.Table:
        memory = merged(parts.column("memory").to_pylist())
        return pa.table({"site": pa.array(memory.sites(), pa.string()), "memory": pa.array([memory.to_bytes()], pa.binary())})

    parts = pages.map_batches(work, batch_format="pyarrow", batch_size=batch_size)
    sites = parts.groupby("site").map_groups(merge, batch_format="pyarrow")
    return merged(row["memory"] for row in sites.iter_rows())
