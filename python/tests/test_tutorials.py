"""Runs the Python code of the documents as a reader would."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["README.md", "docs/tutorials/python.md", "docs/tutorials/spark.md"])
def test_tutorials_work_as_written(name: str) -> None:
    if name.endswith("spark.md"):
        pytest.importorskip("pyspark")
        if shutil.which("java") is None:
            pytest.skip("Spark needs Java, and there is none")
    page = (PROJECT / name).read_text(encoding="utf-8")
    code = snippets(page)
    assert code, f"{name} has no Python"
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    run = subprocess.run(
        [sys.executable, "-c", "\n".join(code)], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


# What the reference takes for granted.
GIVEN = """
import pyarrow
html = open("crawl/rain.html", "rb").read()
pages = [html, (html, "https://example.com/rain"), {"html": html}]
frame = pyarrow.table({"html": [html, b"%PDF-1.7"], "url": ["https://example.com/rain", None], "set": ["a", "b"]})
"""


def test_the_reference_works_as_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    html = (PROJECT / "examples" / "harbour-news.html").read_bytes()
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    (crawl / "rain.html").write_bytes(html)
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.com/rain\r\n"
    record = f"{head}Content-Type: application/http\r\nContent-Length: {len(answer)}\r\n\r\n".encode() + answer + b"\r\n\r\n"
    (crawl / "rain.warc.gz").write_bytes(gzip.compress(record))
    code = snippets((PROJECT / "docs" / "python.md").read_text(encoding="utf-8"))
    shows = "assert rows.column('title')[0].as_py().startswith('Harbour lift bridge')"
    run = subprocess.run(
        [sys.executable, "-c", "\n".join([GIVEN, *code, shows])], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


def snippets(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page, flags=re.S | re.M)
