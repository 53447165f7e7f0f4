"""How fast pages go through ``extract_batch``, beside the Rust library and two other packages, in turns.

cargo build --release -p tamis-corpus --example rate
python python/benches/rate.py target/release/examples/rate FOLDER [ROUNDS]

FOLDER has pages (\\*.html, at any depth). Times are of the processor, not of the clock; a ratio is between two times of the
same round, and the median over the rounds is shown.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa

import tamis


def peers() -> dict:
    """What is installed, each as a function of the bytes of a page."""
    found = {}
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        found["resiliparse"] = lambda page: extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)
    except ImportError:
        pass
    try:
        import trafilatura

        found["trafilatura"] = lambda page: trafilatura.extract(page)
    except ImportError:
        pass
    return found


def main(rust: str, folder: str, rounds: int = 5) -> None:
    files = sorted(str(path) for path in Path(folder).rglob("*.html"))
    pages = [Path(file).read_bytes() for file in files]
    size = sum(map(len, pages)) / 1e6
    batches = [pa.record_batch({"html": pa.array(pages[at : at + 256], pa.binary())}) for at in range(0, len(pages), 256)]
    library = subprocess.Popen([rust, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def of_library() -> float:
        library.stdin.write("\n")
        library.stdin.flush()
        return float(library.stdout.readline().split()[0])

    def timed(work) -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    tools = {
        "Rust library": of_library,
        "extract_batch": lambda: timed(lambda: [tamis.extract_batch(batch, columns=["text"]) for batch in batches]),
        "extract_text": lambda: timed(lambda: [_quietly(tamis.extract_text, page) for page in pages]),
    }
    for name, function in peers().items():
        tools[name] = lambda function=function: timed(lambda: [_quietly(function, page) for page in pages])
    times: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, run in tools.items():
            times[name].append(run())
    library.stdin.close()
    library.wait()
    print(f"{len(pages)} pages, {size:.1f} MB, {rounds} rounds")
    for name, taken in times.items():
        ratio = statistics.median(own / other for own, other in zip(times["Rust library"], taken))
        seconds = statistics.median(taken)
        print(f"{name:14} {size / seconds:8.1f} MB/s {len(pages) / seconds:8.0f} pages/s   {ratio:.3f}x the Rust library")


def _quietly(function, page: bytes) -> None:
    try:
        function(page)
    except Exception:  # noqa: BLE001 - a page that fails costs what it costs
        pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(value) for value in sys.argv[3:4]))
