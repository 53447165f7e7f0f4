"""One page."""

from __future__ import annotations

import copy
import gzip
import json
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tamis
from conftest import page

HTML = page(1)[1].decode()


def test_a_page_as_text_and_as_bytes() -> None:
    document = tamis.extract(HTML, url="https://www.gazette.example/1")
    assert document.title == "Story 1"
    assert document.language == "en"
    assert document.host == "www.gazette.example"
    assert "of the town." in document.text
    assert "Home" not in document.text
    assert document.markdown.startswith("# Story 1") or "of the town." in document.markdown
    assert document.method in tamis.METHODS
    assert document.blocks is None and any(block["kept"] for block in tamis.extract(HTML, fields=tamis.FIELDS).blocks)
    assert document.to_dict()["text"] == document.text and list(document.to_dict()) == tamis.DEFAULT_FIELDS
    assert all(hasattr(document, name) for name in tamis.FIELDS)
    with pytest.raises(AttributeError, match="colour"):
        _ = document.colour
    assert tamis.extract(HTML.encode()).text == document.text
    assert tamis.extract_text(HTML) == document.text
    assert tamis.extract_markdown(HTML) == document.markdown == document.to_markdown()
    assert tamis.extract_text(bytearray(HTML.encode())) == document.text
    assert "Story 1" in repr(document)


def test_documents_pickle_compare_copy_and_render() -> None:
    html = HTML.replace("</h1>", "</h1><p>The <a href=/pier>old pier</a> of the town was closed by the council, and the ferry stayed.</p>")
    document = tamis.extract(html, "https://www.gazette.example/1", fields=tamis.FIELDS)
    assert document.links == [{"url": "https://www.gazette.example/pier", "text": "old pier"}]
    for same in (pickle.loads(pickle.dumps(document)), copy.copy(document), copy.deepcopy(document), tamis.Document.from_json(document.to_json())):
        assert same == document and hash(same) == hash(document) and same.markdown == document.markdown
    assert pickle.loads(pickle.dumps(document)).to_json() == document.to_json()
    assert document != tamis.extract(HTML)
    assert "](https" in document.to_markdown(links=True) and "](https" not in document.to_markdown()
    assert document.to_markdown(metadata=True).startswith("---")
    assert "<a href" in document.to_html() and "<a href" not in document.to_html(links=False)
    assert document.to_xml() == document.xml and "<TEI" in document.to_tei()
    for wrong in ({"colour": True}, {"headline": "maybe"}):
        with pytest.raises(ValueError, match="setting|headline"):
            document.to_markdown(**wrong)


def test_an_empty_page_is_no_article() -> None:
    for html in ("", b"", "<nav></nav>"):
        document = tamis.extract(html)
        assert (document.text, document.page_type, document.confidence) == ("", "other", 0)


def test_many_pages_come_back_in_order() -> None:
    pages = [HTML, (HTML.encode(), "https://e.com/2"), {"html": b"%PDF-1.7"}, {"html": HTML, "url": "https://e.com/4", "method": "lines"}]
    made = list(tamis.extract_many((page for page in pages), threads=2, errors="return", fields="text,url,title"))
    assert [type(one).__name__ for one in made] == ["Document", "Document", "NotAPageError", "Document"]
    assert [made[0].url, made[1].url, made[3].url, made[3].method] == [None, "https://e.com/2", "https://e.com/4", "lines"]
    with pytest.raises(tamis.NotAPageError):
        list(tamis.extract_many(pages))
    with pytest.raises(ValueError, match="unknown option \"colour\""):
        tamis.extract_many(pages, colour=1)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(HTML)

    def run(*arguments: str, page: bytes = b"") -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", "tamis", *arguments], input=page, capture_output=True, check=False)

    assert run("extract", str(file)).stdout.decode() == tamis.extract_text(HTML)
    assert json.loads(run("extract", "--format", "json", "--fields", "title,url", "--url", "https://e.com/", page=HTML.encode()).stdout) == {
        "url": "https://e.com/",
        "title": "Story 1",
    }
    failed = run("extract", str(tmp_path / "none.html"))
    assert failed.returncode == 2 and b"none.html" in failed.stderr
    assert run("extract", page=b"").returncode == 1
    assert run("extract", "--links", str(file)).returncode == 2
    packed = tmp_path / "page.html.gz"
    packed.write_bytes(gzip.compress(HTML.encode()))
    assert run("extract", str(packed), "-o", str(tmp_path / "text.txt")).returncode == 0
    assert (tmp_path / "text.txt").read_text() == tamis.extract_text(HTML)
    assert b"Story 1" in run("batch", str(tmp_path), "-o", "-").stdout
    # A closed pipe is not an error.
    listed = [sys.executable, "-m", "tamis", "extract", "-f", "json", "--fields", "blocks"] + [str(file)] * 200
    with subprocess.Popen(listed, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 0


def test_the_command_is_that_of_the_workspace(tmp_path: Path) -> None:
    command = os.environ.get("TAMIS_COMMAND")
    if command is None:
        pytest.skip("TAMIS_COMMAND names no tamis to compare with")
    file = tmp_path / "page.html"
    file.write_text(HTML)
    for arguments in (["extract", "--help"], ["extract", str(file)], ["extract", "none.html"], ["batch", str(file), "-o", "-"], ["--colour"]):
        ours, theirs = (subprocess.run([*one, *arguments], capture_output=True, check=False) for one in ([command], [sys.executable, "-m", "tamis"]))
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


MHTML = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n"
    b"Content-Location: https://saved.example/1\r\n\r\n" + HTML.encode() + b"\r\n--b--\r\n"
)


def test_mhtml_and_gzip_are_unwrapped(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    text = tamis.extract(HTML).text
    (tmp_path / "page.mhtml").write_bytes(MHTML)
    (batch,) = tamis.read_pages(tmp_path)
    rows = [tamis.extract(MHTML).to_dict(), tamis.extract(gzip.compress(MHTML)).to_dict()]
    rows += tamis.extract_batch(batch).to_pylist()
    rows += tamis.extract_batch(pa.record_batch({"html": pa.array([MHTML], pa.binary())})).to_pylist()
    assert [(row["url"], row["text"]) for row in rows] == [("https://saved.example/1", text)] * 4
    with pytest.raises(tamis.NotAPageError, match="read_pages"):
        tamis.extract(b"WARC/1.0\r\n")


def test_rules_and_chunks() -> None:
    rules = tamis.SiteRules("[[site]]\nhost = '*.gazette.example'\nkeep = 'h1'\n")
    url = "https://www.gazette.example/1"
    assert rules.hosts() == ["*.gazette.example"] and pickle.loads(pickle.dumps(rules)) == rules
    document = tamis.extract(HTML, url, rules=rules)
    assert document.text.strip() == "Story 1" and document.site_rules
    with pytest.raises(ValueError, match="line 1, column 1"):
        tamis.SiteRules("host = 'x'")
    with pytest.raises(OSError, match=r"none\.toml"):
        tamis.SiteRules.load("none.toml")

    assert tamis.extract(HTML).chunks is None
    for chunks, most in ((120, 120), ("20tokens", 20), ("120,markdown", 120)):
        document = tamis.extract(HTML, chunks=chunks)
        assert len(document.chunks) > 1 and all(chunk["size"] <= most for chunk in document.chunks)
        assert pickle.loads(pickle.dumps(document)) == document
    with pytest.raises(ValueError, match="200tokens"):
        tamis.extract(HTML, chunks="many")


def test_dates_after_today_are_rejected() -> None:
    html = HTML.replace("</h1>", "</h1><p>Published: 12 March 2099</p>")
    assert tamis.extract(html).published is None
    assert tamis.extract(html, fetched="2099-04-01").published == "2099-03-12"


@pytest.mark.parametrize(
    ("call", "error", "remedy"),
    [
        (lambda: tamis.extract_many("a string"), TypeError, "for one page, use tamis.extract"),
        (lambda: tamis.extract_many({"html": "x"}), TypeError, "for one page, use tamis.extract"),
        (lambda: tamis.extract_many(3), TypeError, "pages is an iterable of pages, not int"),
        (lambda: list(tamis.extract_many([3])), TypeError, r"a page is html, \(html, url\) or a mapping"),
        (lambda: list(tamis.extract_many([("a", "b", "c")])), TypeError, r"a page is html, \(html, url\)"),
        (lambda: list(tamis.extract_many([{"page": "x"}])), TypeError, "not a mapping of page"),
        (lambda: tamis.extract_batch("a string"), TypeError, "for one page, use tamis.extract"),
        (lambda: tamis.extract(Path("a.html")), TypeError, "read_bytes"),
        (lambda: tamis.extract(None), TypeError, "str or bytes, not NoneType"),
        (lambda: tamis.extract(HTML, model="m.bin"), TypeError, "model is a tamis.Model .see tamis.Model.load.*, not str"),
        (lambda: tamis.extract(HTML, memory="s.redb"), TypeError, "tamis.SiteMemory.load.*, not str"),
        (lambda: tamis.extract(HTML, rules="r.toml"), TypeError, "tamis.SiteRules.load.*, not str"),
        (lambda: tamis.extract(HTML, fields=3), TypeError, "fields is a list of names"),
        (lambda: tamis.extract(HTML, encoding=3), TypeError, "encoding is a str, not int"),
        (lambda: tamis.extract(HTML, timeout="5s"), TypeError, "timeout is a number of seconds, not str"),
        (lambda: tamis.extract(HTML, max_bytes="1M"), TypeError, "max_bytes is a number of bytes, not str"),
        (lambda: tamis.extract(HTML, fetched=3), TypeError, "fetched is a datetime"),
        (lambda: tamis.read_pages(3), TypeError, "paths is a path, or a list of paths, not int"),
        (lambda: tamis.SiteMemory().observe_batch("x"), TypeError, "batch is a pyarrow.RecordBatch, not str"),
    ],
)
def test_messages_name_the_remedy(call: Callable[[], object], error: type[Exception], remedy: str) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(error, match=remedy):
        call()


def test_every_option_is_in_the_stub() -> None:
    stub = (Path(tamis.__file__).parent / "_tamis.pyi").read_text()
    options = stub[stub.index("class Options") : stub.index("class BatchOptions")]
    assert re.findall(r"^    (\w+): ", options, re.MULTILINE) == tamis.OPTIONS
    document = stub[stub.index("class Document:") : stub.index("    def to_markdown")]
    assert re.findall(r"^    (\w+): ", document, re.MULTILINE) == tamis.FIELDS


def test_bytes_are_decoded_as_browsers_do() -> None:
    chinese = "<p>" + "星期一港口下了一整天的雨，花园很高兴。" * 5
    assert "花园" in tamis.extract_text(chinese.encode("gbk"), content_type="text/html; charset=gbk")
    assert "花园" in tamis.extract_text(chinese.encode("gbk"), encoding="gbk")


def test_errors_have_types_of_their_own() -> None:
    with pytest.raises(tamis.NotAPageError, match="PDF"):
        tamis.extract(b"%PDF-1.7")
    with pytest.raises(tamis.TimeLimitError):
        tamis.extract("<b><p>" * 200_000, timeout=1e-6)
    with pytest.raises(tamis.TooLargeError, match="raise max_bytes"):
        tamis.extract(HTML, max_bytes=10)
    for timeout in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="over 0"):
            tamis.extract(HTML, timeout=timeout)
    with pytest.raises(ValueError, match="method"):
        tamis.extract(HTML, method="guess")
    with pytest.raises(ValueError, match="precision"):
        tamis.extract(HTML, balance="both")
    with pytest.raises(ValueError, match="unknown option \"colour\"; the options are fields"):
        tamis.extract(HTML, colour="red")
    with pytest.raises(ValueError, match="unknown field \"colour\"; the fields are schema"):
        tamis.extract(HTML, fields="colour")
    with pytest.raises(ValueError, match="fetched is a datetime"):
        tamis.extract(HTML, fetched="2024-02-31")
    with pytest.raises(TypeError, match="str or bytes"):
        tamis.extract(3)  # type: ignore[arg-type]
    assert issubclass(tamis.NotAPageError, tamis.TamisError)


# A model that classifies everything as main text.
GREEDY = b"svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho -1\nlabel 1 0\nSV\n"


def test_a_custom_model(tmp_path: Path) -> None:
    greedy = tamis.Model.from_bytes(GREEDY)
    assert greedy.methods == ["svm", "template-svm"]
    document = tamis.extract(HTML, method="svm", model=greedy)
    assert "Home" in document.text
    assert document.model == greedy.digest == document.to_dict()["model"]
    assert tamis.extract(HTML).model is None
    other = tamis.Model.from_bytes(GREEDY.replace(b"gamma 1", b"gamma 2"))
    assert pickle.loads(pickle.dumps(greedy)) == greedy != other
    assert greedy.digest in repr(greedy)
    (tmp_path / "greedy.txt").write_bytes(GREEDY)
    assert tamis.Model.load(tmp_path / "greedy.txt") == greedy

    with pytest.raises(ValueError, match="not for fused"):
        tamis.extract(HTML, model=greedy)
    with pytest.raises(ValueError, match="tamis train"):
        tamis.Model.from_bytes(b"a letter to my aunt")
    with pytest.raises(OSError, match=r"none\.txt"):
        tamis.Model.load(tmp_path / "none.txt")
    (tmp_path / "noise").write_bytes(b"\xff\x00")
    with pytest.raises(ValueError, match="noise: not a model"):
        tamis.Model.load(tmp_path / "noise")


def test_half_characters_do_no_harm() -> None:
    assert "harbour" in tamis.extract_text(f"<p>\ud800 {HTML}")


def test_the_gil_is_released() -> None:
    big = HTML * 3_000
    ticks = 0
    done = threading.Event()

    def work() -> None:
        tamis.extract(big)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 5


def test_a_memory_could_not_be_asked_while_it_learned() -> None:
    pa = pytest.importorskip("pyarrow")
    pages = [page(number) for number in range(300)]
    batch = pa.record_batch({"html": [html for _, html in pages], "url": [url for url, _ in pages]})
    memory = tamis.SiteMemory()
    thread = threading.Thread(target=memory.observe_batch, args=(batch,))
    thread.start()
    asked = 0
    while thread.is_alive():
        asked += 1
        assert len(memory) <= 2
        tamis.extract_text(HTML, "https://www.gazette.example/1", memory=memory)
    thread.join()
    assert asked > 1 and len(memory) == 2
    memory.merge(memory)
    assert memory == memory


def test_site_memory_learns_merges_and_travels(tmp_path) -> None:
    one, other = tamis.SiteMemory(), tamis.SiteMemory()
    for number in range(20):
        url, html = page(number)
        assert (one if number % 2 else other).observe(html, url)
    assert not one.observe(HTML)
    assert one.sites() == ["courier.example", "gazette.example"]
    together, turned = tamis.SiteMemory(), tamis.SiteMemory()
    together.merge(one)
    together.merge(other)
    turned.merge(other)
    turned.merge(one)
    assert together == turned and together != one
    assert together.pages("gazette.example") + together.pages("courier.example") == 20
    assert tamis.SiteMemory.from_bytes(together.to_bytes()) == together
    assert pickle.loads(pickle.dumps(together)) == together
    together.save(tmp_path / "sites.redb")
    assert tamis.SiteMemory.load(tmp_path / "sites.redb") == together
    assert "gazette.example" in together and len(together.only("gazette.example")) == 1
    url, html = page(25)
    assert "Letters to the editor" in tamis.extract_text(html, url, method="lines")
    assert "Letters to the editor" not in tamis.extract_text(html, url, method="lines", memory=together)
    with pytest.raises(tamis.MemoryFileError):
        tamis.SiteMemory.load(tmp_path / "none.redb")
    with pytest.raises(tamis.MemoryFileError):
        tamis.SiteMemory.from_bytes(b"nothing\n")


def test_a_feed_of_the_site_says_who_wrote_the_page() -> None:
    url = "https://www.gazette.example/1"
    feed = f"<feed><entry><link href='{url}'/><published>2010-12-15T08:30:00Z</published><author><name>Ada Finch</name></author></entry></feed>"
    for given in (feed, feed.encode(), ["<rss></rss>", feed.encode()]):
        document = tamis.extract(HTML, url=url, feed=given)
        assert (document.authors, document.published) == (["Ada Finch"], "2010-12-15T08:30:00Z")
    assert tamis.extract(HTML, url="https://www.gazette.example/2", feed=feed).authors == []
    assert tamis.extract_text(HTML, url=url, feed=feed) == tamis.extract_text(HTML, url=url)
    with pytest.raises(ValueError, match="a web page, not a feed"):
        tamis.extract(HTML, feed=HTML)
    with pytest.raises(TypeError, match="str or bytes"):
        tamis.extract(HTML, feed=3)  # type: ignore[arg-type]
