"""What many pages cost: `tamis batch` on one core and two in turns, its memory, its rows after kills, the Python package.

`cargo xtask bench-scale` starts it, on Linux. It wants a machine that does nothing else.
"""

import argparse
import filecmp
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

from common import RELEASE, ROOT, TARGET, Taken, median, sample, timed, today

HOME = TARGET / "scale"
# What people keep of a page who do not need to know why.
TEXT = "url,title,published,language,text,error"
KILLS = 3
PAGES_OF_A_MONTH = 2.5e9  # of Common Crawl
# Dollars for an hour of one core: preemptible, and on demand.
PRICES = (0.015, 0.04)
BEGIN, END = "<!-- figures: cargo xtask bench-scale --write -->", "<!-- end of figures -->"
# Compared with in Python; the versions of bench/peers.
PACKAGES = ["pyarrow", "resiliparse==1.1.0", "trafilatura==2.3.1"]


def batch(archive: Path, out: Path, cores: str, *flags: str) -> list:
    threads = str(cores.count(",") + 1)
    return ["taskset", "-c", cores, RELEASE / "tamis", "batch", archive, "-o", out, "-j", threads, "--quiet", *flags]


def same(one: Path, other: Path, what: str):
    if not filecmp.cmp(one, other, shallow=False):
        sys.exit(f"{what} gave other rows: {other} differs from {one}")


def killed(archive: Path, out: Path, seconds: float) -> int:
    """A run that is killed at some moments, later each time, and started again until it ends."""
    out.unlink(missing_ok=True)
    for kills in range(KILLS):
        process = subprocess.Popen([str(word) for word in batch(archive, out, "0,1")])
        time.sleep(0.15 * (kills + 1) * seconds)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            return kills
    timed(batch(archive, out, "0,1"))
    return KILLS


def python_table(pages: int, rounds: int) -> str:
    """python/benches/rate.py in a fresh environment with the wheel as it is released."""
    chosen = sample(pages)
    listing, venv = HOME / "pages.list", HOME / "venv"
    listing.write_text("".join(f"{page.path}\n" for page in chosen.pages))
    python = venv / "bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
    build = {**os.environ, "MATURIN_PEP517_ARGS": "--profile release", "CARGO_TARGET_DIR": str(TARGET / "python/target")}
    subprocess.run([python, "-m", "pip", "install", "-q", ROOT / "python", *PACKAGES], check=True, env=build)
    command = [python, ROOT / "python/benches/rate.py", RELEASE / "examples/rate", listing, str(rounds)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def plan(rates: list[float], row_bytes: list[float]) -> str:
    """What a million pages and a month cost, at the rates of one of two busy cores."""
    hours = lambda rate, pages: pages / rate / 3600
    dollars = lambda rate, pages, form: " to ".join(form.format(hours(rate, pages) * price) for price in PRICES)
    rows = {
        "core hours for a million pages": lambda rate, _: f"{hours(rate, 1e6):.2f}",
        "dollars for a million pages": lambda rate, _: dollars(rate, 1e6, "{:.3f}"),
        "core hours for a month": lambda rate, _: f"{hours(rate, PAGES_OF_A_MONTH):.0f}",
        "dollars for a month": lambda rate, _: dollars(rate, PAGES_OF_A_MONTH, "{:.0f}"),
        "machines of 64 cores for a month in a day": lambda rate, _: f"{-(-hours(rate, PAGES_OF_A_MONTH) // (24 * 64)):.0f}",
        "JSON lines of a month, TB": lambda _, size: f"{size * PAGES_OF_A_MONTH / 1e12:.1f}",
    }
    lines = ["| | all columns | metadata and text alone |", "|---|---|---|"]
    for name, value in rows.items():
        lines.append(f"| {name} | " + " | ".join(value(*pair) for pair in zip(rates, row_bytes)) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask bench-scale", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=20_000, help="pages of the archive (default: 20000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each number of cores is measured (default: 3)")
    parser.add_argument("--python-pages", type=int, default=1000, help="pages for the Python package; 0: none (default: 1000)")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/scale.md")
    options = parser.parse_args()
    HOME.mkdir(parents=True, exist_ok=True)
    sets = sample(1).sets
    archive = HOME / f"pages-{options.pages}.warc.gz"
    if not archive.is_file():
        folders = [Path(os.environ["TAMIS_SETS"]) / name for name in sets]
        subprocess.run([RELEASE / "examples/archive", archive, str(options.pages), *folders], check=True)
    first, other = HOME / "first.jsonl", HOME / "other.jsonl"
    one_core: list[Taken] = []
    two_cores: list[Taken] = []
    text_alone: list[Taken] = []
    for number in range(options.rounds):
        out = first if number == 0 else other
        one_core.append(timed(batch(archive, out, "0", "--force")))
        if number:
            same(first, other, "another run on one core")
        two_cores.append(timed(batch(archive, other, "0,1", "--force")))
        same(first, other, "a run on two cores")
        text_alone.append(timed(batch(archive, other, "0,1", "--force", "--fields", TEXT)))
        text_bytes = other.stat().st_size
        print(f"round {number + 1} of {options.rounds}: {one_core[-1].wall:.1f} s, {two_cores[-1].wall:.1f} s")
    kills = killed(archive, other, min(run.wall for run in two_cores))
    same(first, other, "a run that was killed")
    with open(first, "rb") as rows:
        pages = sum(1 for _ in rows)
    sizes = [first.stat().st_size / pages, text_bytes / pages]
    first.unlink()
    other.unlink()
    rate = lambda runs: pages / median(run.wall for run in runs)
    row = lambda what, runs, times, size: (
        f"| {what} | {rate(runs):.0f} | {times:.2f} | {median(run.cpu for run in runs) / pages * 1e3:.2f} "
        f"| {max(run.memory for run in runs) / 1e6:.0f} | {size:.0f} |"
    )
    ratio = median(one.wall / two.wall for one, two in zip(one_core, two_cores))
    command = " ".join(["cargo xtask bench-scale", *sys.argv[1:]])
    parts = [
        f"Measured by `{command}` on {today()}, on an {platform.machine()} machine: {pages} pages of the evaluation sets in "
        f"one archive of {archive.stat().st_size / 1e6:.0f} MB, {options.rounds} rounds, one core and two in turns, medians.",
        "\n".join(
            [
                "| `tamis batch` | pages/s | times one core | CPU seconds for 1,000 pages | memory at most, MB | bytes a row |",
                "|---|---|---|---|---|---|",
                row("one core, all columns", one_core, 1, sizes[0]),
                row("two cores, all columns", two_cores, ratio, sizes[0]),
                row("two cores, metadata and text alone", text_alone, rate(text_alone) / rate(one_core), sizes[1]),
            ]
        ),
        f"The rows were the same, byte for byte, on one core and on two, and after a run that was killed {kills} times.",
    ]
    if options.python_pages:
        parts.append(python_table(options.python_pages, options.rounds))
    parts.append(plan([rate(two_cores) / 2, rate(text_alone) / 2], sizes))
    figures = "\n\n".join(parts)
    print(f"\n{figures}")
    if options.write:
        file = ROOT / "docs/scale.md"
        before, rest = file.read_text().split(BEGIN)
        behind = rest.split(END)[1]
        file.write_text(f"{before}{BEGIN}\n\n{figures}\n\n{END}{behind}")


if __name__ == "__main__":
    main()
