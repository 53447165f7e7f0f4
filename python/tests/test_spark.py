"""Spark, as installed by pip, compared with ``tamis batch`` row by row."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java, and there is none", allow_module_level=True)

# By default, Spark starts the first python3 in PATH.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

from pyspark.sql import SparkSession

import tamis
from conftest import comparable, example
from tamis import spark as tamis_spark


@pytest.fixture(scope="module")
def session():
    builder = SparkSession.builder.master("local[2]").appName("tamis")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def rows(frame) -> list[dict]:
    return [row.asDict(recursive=True) for row in frame.collect()]


def test_rows_are_those_of_the_command(session, archives, rows_of_batch, tmp_path) -> None:
    pages = tamis_spark.read_pages(session, archives)
    made = tamis_spark.extract(pages)
    assert made.columns == tamis.record_schema().names
    made.write.parquet(str(tmp_path / "rows"))
    assert comparable(rows(session.read.parquet(str(tmp_path / "rows")))) == comparable(rows_of_batch)


def test_sites_are_learned_merged_and_joined(session, archives, learned_rows_of_batch) -> None:
    pages = tamis_spark.read_pages(session, archives)
    memory = tamis_spark.learn(pages).cache()
    assert sorted(row["site"] for row in rows(memory)) == ["courier.example", "gazette.example", "zh.example"]
    made = tamis_spark.extract_with(pages, memory, method="lines")
    assert comparable(rows(made)) == comparable(learned_rows_of_batch)


def test_unknown_fields_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="unknown field .colour."):
        tamis_spark.schema(["url", "colour"])


def test_the_example_reads_archives_and_writes_parquet(session, archives, tmp_path) -> None:
    # Runs last, since it stops the session.
    import pyarrow.parquet

    example("spark_warc_to_parquet.py")(str(tmp_path / "rows"), *archives)
    table = pyarrow.parquet.read_table(tmp_path / "rows")
    assert table.schema.names == tamis.record_schema("url,title,published,language,text,error").names
    assert table.num_rows == 43
    assert "Story 7" in table.column("title").to_pylist()
