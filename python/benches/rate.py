"""Pages per second of ``extract_batch``, the Rust library and two other packages, in turns.

``cargo xtask bench-scale`` runs it. By hand::

    cargo build --release -p tamis-batch --example rate
    python python/benches/rate.py target/release/examples/rate LIST [ROUNDS]

LIST names pages, a file a line. Times are of the processor, not of the clock; a ratio is between two times of the
same round, and the median over the rounds is shown. The table is Markdown.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa

import tamis


def peers() -> dict:
    """The installed packages, each as a function of the bytes of a page."""
    found = {}
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        found[f"resiliparse {version('resiliparse')}"] = lambda page: extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)
    except ImportError:
        pass
    try:
        import trafilatura

        found[f"trafilatura {version('trafilatura')}"] = lambda page: trafilatura.extract(page)
    except ImportError:
        pass
    return found


def main(rust: str, listed: str, rounds: int = 5) -> None:
    files = Path(listed).read_text().splitlines()
    pages = [Path(file).read_bytes() for file in files]
    if not pages:
        sys.exit(f"{listed} names no pages")
    size = sum(map(len, pages)) / 1e6
    batches = [pa.record_batch({"html": pa.array(pages[at : at + 256], pa.binary())}) for at in range(0, len(pages), 256)]
    library = subprocess.Popen([rust, listed], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def of_library(what: str) -> float:
        library.stdin.write(f"{what}\n")
        library.stdin.flush()
        return float(library.stdout.readline().split()[0])

    def timed(work) -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    rust_text, rust_document = "`extract_text` in Rust", "`extract` in Rust"
    tools = {
        rust_document: lambda: of_library("document"),
        "`tamis.extract_batch`, all fields": lambda: timed(lambda: [tamis.extract_batch(batch) for batch in batches]),
        rust_text: lambda: of_library("text"),
        "`tamis.extract_batch`, `text`": lambda: timed(lambda: [tamis.extract_batch(batch, fields=["text"]) for batch in batches]),
        "`tamis.extract_text`": lambda: timed(lambda: [_quietly(tamis.extract_text, page) for page in pages]),
    }
    for name, function in peers().items():
        tools[name] = lambda function=function: timed(lambda: [_quietly(function, page) for page in pages])
    times: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, run in tools.items():
            times[name].append(run())
    library.stdin.close()
    library.wait()
    print(f"{len(pages)} pages of {size:.1f} MB, one thread, {rounds} rounds, by the time of the processor:\n")
    print("| from bytes | pages/s | MB/s | times the Rust library |\n|---|---|---|---|")
    for name, taken in times.items():
        rust = rust_document if name == rust_document or "all fields" in name else rust_text
        ratio = statistics.median(own / other for own, other in zip(times[rust], taken))
        seconds = statistics.median(taken)
        print(f"| {name} | {len(pages) / seconds:.0f} | {size / seconds:.1f} | {ratio:.3f} |")


def _quietly(function, page: bytes) -> None:
    try:
        function(page)
    except Exception:  # noqa: BLE001 - failing pages are timed too
        pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(value) for value in sys.argv[3:4]))
