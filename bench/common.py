"""What the benchmarks share: pages of the evaluation sets, processes, medians.

`cargo xtask` starts them, with TAMIS_SETS (a folder with one evaluation set each) and TAMIS_TARGET (the build folder).
"""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("TAMIS_TARGET", ROOT / "target"))
RELEASE = TARGET / "release"

median = statistics.median


def today() -> str:
    return datetime.now(UTC).date().isoformat()


@dataclass
class Page:
    set: str
    id: str
    path: Path
    bytes: int


@dataclass
class Sample:
    """Some pages of every set, the same ones every time."""

    pages: list[Page]
    of: int
    too_large: int
    sets: list[str]

    def megabytes(self) -> float:
        return sum(page.bytes for page in self.pages) / 1e6

    def __str__(self) -> str:
        return (
            f"{len(self.pages)} of {self.of} pages of {len(self.sets)} sets, {self.megabytes():.1f} MB, "
            f"{self.too_large} left out for their size"
        )


def sample(wanted: int, max_bytes: float = float("inf"), sets: list[str] | None = None) -> Sample:
    """So many pages (0: all), from each set its share and at least one, spread evenly over its file names."""
    folder = Path(os.environ.get("TAMIS_SETS", ""))
    known = sorted(path.name for path in folder.iterdir() if (path / "pages").is_dir()) if folder.name else []
    if not known:
        sys.exit("there are no evaluation sets: set TAMIS_SHARED to the folder that has eval/ (see CONTRIBUTING.md)")
    for name in set(sets or []) - set(known):
        sys.exit(f"there is no evaluation set {name}; there are: {', '.join(known)}")
    sets = [name for name in known if not sets or name in sets]
    found = []
    for name in sets:
        paths = sorted((folder / name / "pages").iterdir())
        found.append([Page(name, path.stem, path, path.stat().st_size) for path in paths])
    of = sum(map(len, found))
    fitting = [[page for page in pages if page.bytes <= max_bytes] for pages in found]
    counts = shares([len(pages) for pages in fitting], wanted)
    chosen = [
        pages[(2 * place + 1) * len(pages) // (2 * count)]
        for pages, count in zip(fitting, counts)
        for place in range(count)
    ]
    return Sample(chosen, of, of - sum(map(len, fitting)), sets)


def shares(sizes: list[int], wanted: int) -> list[int]:
    """Apportions by the method of Sainte-Laguë, after one for every set."""
    if wanted == 0 or wanted >= sum(sizes):
        return sizes
    filled = sum(size > 0 for size in sizes)
    given = [min(size, int(wanted >= filled)) for size in sizes]
    while sum(given) < wanted:
        behind = [size / (2 * got + 1) if got < size else 0 for size, got in zip(sizes, given)]
        given[behind.index(max(behind))] += 1
    return given


def look(process: int) -> tuple[float, float] | None:
    """Seconds of CPU time and bytes of memory at most, of a running process."""
    try:
        ticks = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        peak = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM"))
    except (OSError, IndexError, StopIteration):
        return None
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), int(peak.split()[1]) * 1024


@dataclass
class Taken:
    wall: float
    cpu: float
    memory: float


def timed(command: list, **options) -> Taken:
    """Runs a command to its end. Exits if it fails."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], **options)
    cpu = memory = 0.0
    while process.poll() is None:
        # What is known of a process goes with it, so the last look counts.
        cpu, memory = look(process.pid) or (cpu, memory)
        time.sleep(0.01)
    if process.returncode:
        sys.exit(f"{command} failed ({process.returncode})")
    return Taken(time.perf_counter() - begin, cpu, memory)
