"""Ray, as installed by pip, compared with ``tamis batch`` row by row."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

import tamis
from conftest import comparable, example
from tamis import ray as tamis_ray


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, log_to_driver=False)
    yield
    ray.shutdown()


def test_rows_are_those_of_the_command(archives, rows_of_batch, tmp_path) -> None:
    import pyarrow.parquet

    made = tamis_ray.extract(tamis_ray.read_pages(archives), batch_size=16)
    made.write_parquet(str(tmp_path / "rows"))
    rows = pyarrow.parquet.read_table(tmp_path / "rows").to_pylist()
    assert list(rows[0]) == tamis.record_schema().names
    assert comparable(rows) == comparable(rows_of_batch)


def test_sites_are_learned_merged_and_joined(archives, learned_rows_of_batch) -> None:
    pages = tamis_ray.read_pages(archives)
    memory = tamis_ray.learn(pages, batch_size=10)
    assert memory.sites() == ["courier.example", "gazette.example", "zh.example"]
    made = tamis_ray.extract(pages, memory=memory, method="lines", batch_size=16)
    assert comparable(made.take_all()) == comparable(learned_rows_of_batch)


def test_the_example_reads_archives_and_writes_parquet(archives, tmp_path) -> None:
    import pyarrow.parquet

    example("ray_warc_to_parquet.py")(str(tmp_path / "rows"), *archives)
    table = pyarrow.parquet.read_table(tmp_path / "rows")
    assert table.schema.names == tamis.record_schema("url,title,published,language,text,error").names
    assert table.num_rows == 43
    assert "Story 7" in table.column("title").to_pylist()
