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
    assert rows[0]["id"] == "urn:https://www.courier.example/0" and rows[0]["path"] == archives[0]
    assert len({(row["path"], row["offset"]) for row in rows}) == 43


def test_a_page_alone_gives_the_same_record(archives, rows_of_batch) -> None:
    made = {row["url"]: row for row in rows_of_batch if row["error"] is None}
    pages = [row for batch in tamis.read_pages(archives) for row in batch.to_pylist() if row["url"] in made]
    alone = [
        tamis.extract(row["html"], row["url"], content_type=row["content_type"], fetched=row["fetched"]).to_dict() for row in pages
    ]
    own = {"id", "path", "offset", "status", "fetched"}
    assert len(alone) == len(made) == 40
    for document in alone:
        row = made[document["url"]]
        assert {**document, **{name: row[name] for name in own}} == row


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "large_binary", "string_view", "binary_view"])
def test_every_type_of_text_and_bytes(kind: str) -> None:
    html = [page(number)[1] for number in range(3)]
    values = html if "binary" in kind else [one.decode() for one in html]
    batch = pa.record_batch({"html": pa.array([*values, None], getattr(pa, kind)())})
    rows = tamis.extract_batch(batch, fields=["text", "title", "error"])
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
    html = "<html lang=en><h1>Rain</h1><p>May 3, 2021</p><p>It rained in the <a href=/h>harbour</a> on Monday, all day long, until the tide."
    batch = pa.record_batch({"html": [html], "status": pa.array([404], pa.int16()), "fetched": ["2026-01-02T03:04:05Z"]})
    rows = tamis.extract_batch(batch, fields=tamis.FIELDS)
    dates = ["published_time", "published_precision", "modified_time", "modified_precision"]
    assert [name for name in rows.schema.names if name not in dates] == tamis.FIELDS
    assert rows.schema == tamis.record_schema(tamis.FIELDS)
    assert rows.schema.field("fetched").type == pa.timestamp("us", "UTC")
    row = rows.to_pylist()[0]
    assert row["status"] == 404 and row["error"] == "the server answered 404: not found"
    assert row["fetched"].isoformat() == "2026-01-02T03:04:05+00:00"
    assert (row["published"], row["published_precision"]) == ("2021-05-03", "day")
    assert row["published_time"].isoformat() == "2021-05-03T00:00:00+00:00"
    assert any(found["field"] == "published" and found["confidence"] > 0 for found in row["evidence"])
    assert row["links"] == [{"url": "/h", "text": "harbour"}]
    assert any(block["kept"] for block in row["blocks"])


def test_tables_of_other_libraries_and_lists() -> None:
    pages = [page(number) for number in range(3)]
    columns = {"html": [html.decode() for _, html in pages], "url": [url for url, _ in pages], "set": ["a", "b", "c"]}
    given = [pa.table(columns)]
    for name, make in (("pandas", "DataFrame"), ("polars", "DataFrame")):
        try:
            given.append(getattr(__import__(name), make)(columns))
        except ImportError:
            continue
    for table in given:
        rows = tamis.extract_batch(table, fields="url,title", keep=["set"]).to_pylist()
        assert [(row["title"], row["set"]) for row in rows] == [("Story 0", "a"), ("Story 1", "b"), ("Story 2", "c")]
    assert tamis.extract_batch(pa.table(columns).slice(0, 0), fields="url", keep=["set"]).schema.names == ["url", "set"]
    rows = tamis.extract_batch([pages[0][1], (pages[1][1].decode(), "https://e.com/1"), {"html": None, "id": "x"}]).to_pylist()
    assert [row["title"] for row in rows] == ["Story 0", "Story 1", None]
    assert rows[1]["url"] == "https://e.com/1" and rows[2]["id"] == "x" and "null" in rows[2]["error"]
    assert tamis.extract_batch([]).num_rows == 0
    with pytest.raises(TypeError, match="not int"):
        tamis.extract_batch(3)
    with pytest.raises(ValueError, match="cannot keep the field .title."):
        tamis.extract_batch([], keep=["title"])


def test_fields_of_the_input_are_kept(tmp_path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 7, "html": "<p>Rain.", "set": "a", "tokens": [1, 2]}\n{"html": "<p>Sun."}\n')
    (batch,) = tamis.read_pages(tmp_path / "a.jsonl", keep=["set", "tokens"])
    assert batch.schema == tamis.page_schema(["set", "tokens"])
    rows = tamis.extract_batch(batch, fields="id,path,offset", keep=["set", "tokens"]).to_pylist()
    path = str(tmp_path / "a.jsonl")
    assert rows[0] == {"id": "7", "path": path, "offset": 0, "set": "a", "tokens": "[1,2]"}
    assert rows[1] == {"id": None, "path": path, "offset": 60, "set": None, "tokens": None}


def test_what_json_lines_say_of_their_type_was_lost(tmp_path) -> None:
    import json

    lines = [
        {"url": "http://e.com/1", "html": page(1)[1].decode(), "content_type": "text/html; charset=gbk"},
        {"url": "http://e.com/2", "html": "{}", "content_type": "application/json"},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    batch = next(iter(tamis.read_pages(tmp_path / "a.jsonl")))
    # The text is already decoded, so the declared encoding is ignored.
    assert batch.column("content_type").to_pylist() == ["text/html; charset=utf-8", "application/json; charset=utf-8"]
    rows = tamis.extract_batch(batch)
    assert rows.column("error").to_pylist() == [None, "not a web page but application/json"]


def test_what_is_wrong_with_a_batch_is_named() -> None:
    with pytest.raises(tamis.BatchError, match='no column "html"; the columns are text.*html='):
        tamis.extract_batch(pa.record_batch({"text": ["x"]}))
    with pytest.raises(tamis.BatchError, match="binary or string is needed"):
        tamis.extract_batch(pa.record_batch({"html": [1]}))
    with pytest.raises(ValueError, match="colour"):
        tamis.extract_batch(pa.record_batch({"html": ["x"]}), fields=["colour"])
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
    with pytest.raises(ValueError, match="does not use site memory"):
        tamis.extract("<p>x", memory=tamis.SiteMemory(), method="density")


def test_a_column_besides_the_pages_of_another_type_cost_the_batch() -> None:
    batch = pa.record_batch({"html": ["<p>x"], "status": ["203"], "url": pa.array([b"http://e.com/"]), "fetched": [1.5]})
    rows = tamis.extract_batch(batch, fields=["url", "status", "fetched", "error"]).to_pylist()
    assert rows == [{"url": "http://e.com/", "status": 203, "fetched": None, "error": None}]


def test_the_input_is_not_copied() -> None:
    # A copy of a gigabyte of pages would show in the peak memory of the process.
    resource = pytest.importorskip("resource")
    html = page(1)[1]
    array = pa.array([html + b" " * (1 << 20)] * 200, pa.binary())
    batch = pa.record_batch({"html": array})
    tamis.extract_batch(batch.slice(0, 2), fields=["title"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tamis.extract_batch(batch, fields=["title"])
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
