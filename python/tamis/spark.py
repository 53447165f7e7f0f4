"""tamis on Spark: ``tamis.extract_batch`` in ``mapInArrow``.

>>> from tamis import spark as tamis_spark                             # doctest: +SKIP
>>> pages = tamis_spark.read_pages(session, ["crawl/a.warc.gz"])       # doctest: +SKIP
>>> rows = tamis_spark.extract(pages)                                  # doctest: +SKIP
>>> rows.write.parquet("rows")                                         # doctest: +SKIP

With site memory, learned first::

    memory = tamis_spark.learn(pages)                 # one row per site
    rows = tamis_spark.extract_with(pages, memory)

Needs pyspark 4.0 or newer, and the package tamis on every worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

import tamis
from tamis._distributed import column_names, learned, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    Fields = Sequence[str] | str | None

#: Pages without a URL have no site; they are spread over this many groups, so that no worker gets all of them.
_GROUPS_WITHOUT_SITE = 1024

#: The columns of :func:`learn`.
MEMORY = "site string, memory binary"


def _spark(schema: pa.Schema) -> StructType:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def schema(fields: Fields = None, pages: DataFrame | None = None, keep: Sequence[str] = ()) -> StructType:
    """The columns of records, then those of ``pages`` named in ``keep``. Unknown fields raise ``ValueError`` here instead of
    on a worker."""
    columns = _spark(tamis.record_schema(fields))
    for name in keep:
        columns = columns.add(pages.schema[name])
    return columns


def read_pages(session: SparkSession, paths: Sequence[str], *, keep: Sequence[str] = (), **options: Any) -> DataFrame:
    """Read the pages of WARC files, JSON lines and directories, one task per path. Every worker must be able to open them.

    ``options`` are those of ``tamis.read_pages``.
    """

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                yield from tamis.read_pages(path, keep=list(keep), **options)

    rows, tasks = [(path,) for path in paths], max(1, len(paths))
    context = getattr(session, "sparkContext", None)
    if context is not None:
        # Slices of equal length, one path each; partitioning by hash would put several paths into one partition.
        named = session.createDataFrame(context.parallelize(rows, tasks), "path string")
    else:
        # A session over Spark Connect has no context.
        named = session.createDataFrame(rows, "path string").repartitionByRange(tasks, "path")
    return named.mapInArrow(read, _spark(tamis.page_schema(list(keep))))


def extract(pages: DataFrame, *, fields: Fields = None, keep: Sequence[str] = (), **settings: Any) -> DataFrame:
    """Extract pages into records, with the columns of ``tamis.extract_batch``. ``settings`` are its options."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield tamis.extract_batch(batch, fields=fields, keep=list(keep), **settings)

    return pages.mapInArrow(work, schema(fields, pages, keep))


def learn(pages: DataFrame, **settings: Any) -> DataFrame:
    """Learn the site memory of pages, one row per site: each partition learns separately, then the memories are merged."""
    names = column_names(settings)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for site, memory in learned(batches, names):
            yield pa.RecordBatch.from_pydict({"site": [site], "memory": [memory]})

    def merge(parts: pa.Table) -> pa.Table:
        memory = merged(parts.column("memory").to_pylist())
        return pa.table({"site": memory.sites(), "memory": [memory.to_bytes()]})

    return pages.mapInArrow(work, MEMORY).groupBy("site").applyInArrow(merge, MEMORY)


def extract_with(
    pages: DataFrame, memory: DataFrame, *, fields: Fields = None, keep: Sequence[str] = (), **settings: Any
) -> DataFrame:
    """Extract pages into records, using the memory of :func:`learn`. Groups pages by site.

    Pages without a site are spread over groups of their own.
    """
    from pyspark.sql import functions

    url, html = settings.get("url", "url"), settings.get("html", "html")
    site = functions.udf(lambda address: (tamis.site_of(address) or "") if address else "", "string")

    def work(batches: pa.Table, parts: pa.Table) -> pa.Table:
        known = merged(parts.column("memory").to_pylist())
        batches = batches.drop_columns(["site"])
        return tamis.extract_batch(batches, fields=fields, keep=list(keep), memory=known, **settings)

    # Site keys have no question mark, so these groups match no memory.
    group = functions.pmod(functions.xxhash64(functions.col(html)), functions.lit(_GROUPS_WITHOUT_SITE))
    alone = functions.concat(functions.lit("?"), group.cast("string"))
    with_site = pages.withColumn("site", site(functions.col(url)))
    with_site = with_site.withColumn("site", functions.when(functions.col("site") == "", alone).otherwise(functions.col("site")))
    groups = with_site.groupBy("site").cogroup(memory.groupBy("site"))
    return groups.applyInArrow(work, schema(fields, pages, keep))
