"""Archives of invented pages, and the output of ``tamis batch`` for them."""

from __future__ import annotations

import gzip
import json
import os
import random
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

WORDS = "harbour rain ferry baker bridge council garden letter market pier school tide whale winter lamp road island".split()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With TAMIS_ALL_TESTS, a skipped test fails."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("TAMIS_ALL_TESTS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def page(number: int) -> tuple[str, bytes]:
    """A URL and a page."""
    choice = random.Random(number)

    def sentence() -> str:
        return f"The {' '.join(choice.choices(WORDS, k=8))}, and the {' '.join(choice.choices(WORDS, k=6))} of the town."

    paragraphs = "".join(f"<p>{sentence()} {sentence()}</p>" for _ in range(4))
    site = "gazette" if number % 3 else "courier"
    html = (
        f"<html lang=en><title>Story {number} - The Paper</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
        f"<h1>Story {number}</h1>{paragraphs}<p>Letters to the editor of the {site} are welcome, and are answered.</p></html>"
    )
    return f"https://www.{site}.example/{number}", html.encode()


def record(url: str, body: bytes, content_type: str = "text/html; charset=utf-8") -> bytes:
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"WARC-Record-ID: <urn:{url}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two archives with valid pages, a PDF, an image, a page in GBK and a truncated end."""
    folder = tmp_path_factory.mktemp("archives")
    pages = [record(*page(number)) for number in range(40)]
    pages.insert(5, record("https://www.gazette.example/pdf", b"%PDF-1.7 ..."))
    pages.insert(9, record("https://www.gazette.example/png", b"\x89PNG", "image/png"))
    chinese = "<html lang=zh><p>" + "星期一港口下了一整天的雨，花园很高兴。" * 5
    pages.insert(20, record("https://zh.example/", chinese.encode("gbk"), "text/html; charset=gbk"))
    paths = []
    for name, some in (("a.warc.gz", pages[:22]), ("b.warc.gz", pages[22:])):
        packed = b"".join(gzip.compress(one) for one in some)
        path = folder / name
        path.write_bytes(packed if name == "a.warc.gz" else packed[:-12])
        paths.append(str(path))
    return paths


def _batch(archives: list[str], output: Path, *more: str) -> list[dict]:
    command = os.environ.get("TAMIS_COMMAND")
    if command is None:
        pytest.skip("TAMIS_COMMAND names no tamis to compare with")
    subprocess.run([command, "batch", *archives, "-o", str(output), "--quiet", *more], check=True)
    return [json.loads(line) for line in output.read_text().splitlines()]


@pytest.fixture(scope="session")
def rows_of_batch(archives: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """The rows of ``tamis batch``."""
    return _batch(archives, tmp_path_factory.mktemp("batch") / "rows.jsonl")


@pytest.fixture(scope="session")
def learned_rows_of_batch(archives: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """The rows of ``tamis batch --learn``."""
    output = tmp_path_factory.mktemp("learned") / "rows.jsonl"
    return _batch(archives, output, "--learn", "--method", "lines")


def example(name: str) -> Callable[..., None]:
    """The program of that name in ``examples``."""
    return runpy.run_path(str(Path(__file__).parent.parent / "examples" / name))["main"]


def comparable(rows: list[dict]) -> list[dict]:
    """Normalises rows of any origin."""

    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items() if inner is not None}
        if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
            return [plain(inner) for inner in value]
        if isinstance(value, float):
            return round(value, 4)
        if hasattr(value, "strftime"):
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        return value

    def whole(row: dict) -> dict:
        row = {key: value for key, value in row.items() if not key.endswith(("_time", "_precision"))}
        if isinstance(row.get("content"), str):
            row["content"] = json.loads(row["content"])
        return plain(row)

    return sorted(map(whole, rows), key=lambda row: (row.get("url", ""), row.get("error", "")))
