"""Batches of Arrow, compared with ``tamis batch``."""

from __future__ import annotations

import pytest

pa = pytest.importorskip("pyarrow")

import tamis
from conftest import comparable, page


def test_rows_are_those_of_the_command(archives, rows_of_batch) -> None:
    rows = [row for batch in tamis.read_pages(archives, batch_rows=7) for row in tamis.extract_batch(batch).to_pylist()]
    assert len(rows) == 43
    assert sum(row["error"] is not None for row in rows) == 3
    assert comparable(rows) == comparable(rows_of_batch)
    assert [row["url"] for row in rows] == [row["url"] for row in rows_of_batch]


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "large_binary", "string_view", "binary_view"])
def test_every_type_of_text_and_bytes(kind: str) -> None:
    html = [page(number)[1] for number in range(3)]
    values = html if "binary" in kind else [one.decode() for one in html]
    batch = pa.record_batch({"html": pa.array([*values, None], getattr(pa, kind)())})
    rows = tamis.extract_batch(batch, columns=["text", "title", "error"])
    assert rows.schema.names == ["title", "text", "error"]
    assert rows.column("title").to_pylist() == ["Story 0", "Story 1", "Story 2", None]
    assert "null" in rows.column("error")[3].as_py()


def test_slices_and_threads_and_other_names() -> None:
    pages = [page(number) for number in range(50)]
    batch = pa.record_batch({"body": [html for _, html in pages], "address": [url for url, _ in pages]})
    names = {"html": "body", "url": "address"}
    whole = tamis.extract_batch(batch, **names)
    assert tamis.extract_batch(batch, threads=3, **names).equals(whole)
    assert tamis.extract_batch(batch.slice(10, 5), **names).equals(whole.slice(10, 5))
    assert tamis.extract_batch(batch.slice(0, 0), **names).num_rows == 0
    assert whole.column("host")[1].as_py() == "www.gazette.example"


def test_types_of_columns() -> None:
    batch = pa.record_batch({"html": ["<p>x"], "status": pa.array([404], pa.int16()), "fetched": ["2026-01-02T03:04:05Z"]})
    rows = tamis.extract_batch(batch)
    assert rows.schema.names == tamis.COLUMNS
    assert rows.schema.field("fetched").type == pa.timestamp("us", "UTC")
    assert rows.column("status").to_pylist() == [404]
    assert rows.column("fetched")[0].as_py().isoformat() == "2026-01-02T03:04:05+00:00"
    assert pa.types.is_struct(rows.schema.field("blocks").type.value_type)


def test_what_json_lines_say_of_their_type_was_lost(tmp_path) -> None:
    import json

    lines = [
        {"url": "http://e.com/1", "html": page(1)[1].decode(), "content_type": "text/html; charset=gbk"},
        {"url": "http://e.com/2", "html": "{}", "content_type": "application/json"},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    batch = next(iter(tamis.read_pages(tmp_path / "a.jsonl")))
    # The text is decoded, whatever its type says of an encoding.
    assert batch.column("content_type").to_pylist() == ["text/html; charset=utf-8", "application/json; charset=utf-8"]
    rows = tamis.extract_batch(batch)
    assert rows.column("error").to_pylist() == [None, "not a web page but application/json"]


def test_what_is_wrong_with_a_batch_is_named() -> None:
    with pytest.raises(tamis.BatchError, match='no column "html"; the columns are text'):
        tamis.extract_batch(pa.record_batch({"text": ["x"]}))
    with pytest.raises(tamis.BatchError, match="binary or string is needed"):
        tamis.extract_batch(pa.record_batch({"html": [1]}))
    with pytest.raises(ValueError, match="colour"):
        tamis.extract_batch(pa.record_batch({"html": ["x"]}), columns=["colour"])
    with pytest.raises(tamis.TamisError, match="no such file"):
        tamis.read_pages("no/such/file.warc")


def test_numbers_without_sense_were_overflows_or_were_taken() -> None:
    batch = pa.record_batch({"html": ["<p>x"]})
    for name in ["threads", "max_bytes"]:
        for number in [0, -1]:
            with pytest.raises(ValueError, match=f"{name} is a number of at least 1, not {number}"):
                tamis.extract_batch(batch, **{name: number})
    with pytest.raises(ValueError, match="max_bytes"):
        tamis.extract("<p>x", max_bytes=-1)
    with pytest.raises(ValueError, match="batch_rows"):
        tamis.read_pages(".", batch_rows=0)
    assert tamis.extract("<p>x", max_bytes=2**40)


def test_parquet_named_a_remedy_of_the_command(tmp_path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(tamis.TamisError, match="pyarrow.*extract_batch"):
        tamis.read_pages(tmp_path / "x.parquet")


def test_a_method_that_ignores_a_memory_took_one_in_silence() -> None:
    with pytest.raises(ValueError, match="makes no use of a memory"):
        tamis.extract("<p>x", memory=tamis.SiteMemory(), method="density")


def test_a_column_besides_the_pages_of_another_type_cost_the_batch() -> None:
    batch = pa.record_batch({"html": ["<p>x"], "status": ["404"], "url": pa.array([b"http://e.com/"]), "fetched": [1.5]})
    rows = tamis.extract_batch(batch, columns=["url", "status", "fetched", "error"]).to_pylist()
    assert rows == [{"url": "http://e.com/", "status": 404, "fetched": None, "error": None}]


def test_the_input_is_not_copied() -> None:
    # A gigabyte of pages would show in what the process takes at most.
    resource = pytest.importorskip("resource")
    html = page(1)[1]
    array = pa.array([html + b" " * (1 << 20)] * 200, pa.binary())
    batch = pa.record_batch({"html": array})
    tamis.extract_batch(batch.slice(0, 2), columns=["title"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tamis.extract_batch(batch, columns=["title"])
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < array.nbytes / 4


def test_a_memory_learned_from_batches(archives, learned_rows_of_batch) -> None:
    memory = tamis.SiteMemory()
    learned = sum(memory.observe_batch(batch) for batch in tamis.read_pages(archives))
    assert learned >= 40
    rows = []
    for batch in tamis.read_pages(archives):
        rows += tamis.extract_batch(batch, memory=memory, method="lines").to_pylist()
    assert comparable(rows) == comparable(learned_rows_of_batch)
    assert not any("Letters to the editor" in (row["text"] or "") for row in rows)
