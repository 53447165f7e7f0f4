"""Tamis and other extractors on the same pages, one after the other in every round, each on one thread.

`cargo xtask bench-peers` starts it. README.md has the tools, the measurement and the protocol of the runners.
"""

import argparse
import json
import math
import platform
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import ROOT, TARGET, Page, look, median, sample, today

HERE, HOME = Path(__file__).resolve().parent, TARGET / "peers"
BASE = "resiliparse"
# In the order of a round; those that are compared most closely stand together.
TOOLS = {
    BASE: "python",
    "tamis-text": "rust",
    "tamis": "rust",
    "dom_smoothie": "rust",
    "rs-trafilatura": "rust",
    "justext": "python",
    "trafilatura": "python",
    "readability-lxml": "python",
    "readability-linkedom": "js",
    "readability-jsdom": "js",
}
START_SECONDS = 300
# A tool that fails on so many pages in a row is broken, whatever the pages.
MAX_FAILURES_IN_A_ROW = 5
# Quick tools run over the pages several times a round, so that a round is long enough to be timed well.
SHORTEST_ROUND = 1.0


class Failure(Exception):
    """A tool hung, died or talked nonsense."""


class Runner:
    """A process that holds the pages in memory and answers a line for every line."""

    def __init__(self, tool: str, pages: Path):
        command = {
            "rust": [HOME / "rust/release/peer-runner"],
            "python": [HOME / "python/bin/python", HERE / "python/runner.py"],
            "js": ["node", HOME / "js/runner.mjs"],
        }[TOOLS[tool]]
        with open(HOME / f"{tool}.log", "w") as log:
            self.process = subprocess.Popen(
                [*command, tool, pages], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self.answers: queue.Queue[str | None] = queue.Queue()
        # Only a thread can wait for a line with a time limit.
        threading.Thread(target=self.read, daemon=True).start()
        self.version = self.answer("ready", START_SECONDS)
        self.memory_before = self.memory()

    def read(self):
        for line in self.process.stdout:
            self.answers.put(line.rstrip("\n"))
        self.answers.put(None)

    def ask(self, question: str, expected: str, seconds: float) -> str:
        try:
            print(question, file=self.process.stdin, flush=True)
        except OSError:
            pass  # waiting for the answer says better why
        return self.answer(expected, seconds)

    def answer(self, expected: str, seconds: float) -> str:
        try:
            line = self.answers.get(timeout=seconds)
        except queue.Empty:
            raise Failure(f"gave no answer for {seconds:g} s") from None
        if line is None:
            raise Failure(f"died ({self.process.wait()})")
        word, _, rest = line.partition(" ")
        if word != expected:
            raise Failure(f"answered `{line[:60]}` instead of `{expected}`")
        return rest

    def round(self, passes: int, seconds: float) -> tuple[float, float]:
        """CPU time and wall time of one pass over the pages."""
        cpu, wall = map(float, self.ask(f"round {passes}", "round", seconds).split())
        return cpu / passes, wall / passes

    def memory(self) -> float | None:
        return (look(self.process.pid) or (0, None))[1]

    def stop(self):
        self.process.kill()
        self.process.wait()


def each_page(tool: str, listing: Path, count: int, seconds: float, take) -> Runner:
    """Asks for every page by itself, so that a page that a tool cannot stand costs that page alone."""
    runner, in_a_row = Runner(tool, listing), 0
    for place in range(count):
        try:
            length, _, found = runner.ask(f"page {place}", "page", seconds).partition(" ")
            take(place, json.loads(found), length == "0")
            in_a_row = 0
        except Failure as failure:
            runner.stop()
            take(place, {"text": "", "title": None, "date": None, "error": str(failure)}, None)
            in_a_row += 1
            if in_a_row == MAX_FAILURES_IN_A_ROW:
                raise Failure(f"failed on {in_a_row} pages in a row, on the last it {failure}") from None
            runner = Runner(tool, listing)
    return runner


def install(languages: set[str]):
    HOME.mkdir(parents=True, exist_ok=True)
    if "python" in languages:
        once(HOME / "python", HERE / "python/requirements.txt", install_python)
    if "js" in languages:
        (HOME / "js").mkdir(exist_ok=True)
        for name in ["package.json", "package-lock.json", "runner.mjs"]:
            shutil.copy(HERE / "js" / name, HOME / "js" / name)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", HOME / "js"]
        once(HOME / "js", HERE / "js/package-lock.json", lambda _: subprocess.run(command, check=True))
    if "rust" in languages:
        manifest = HERE / "rust/Cargo.toml"
        build = ["cargo", "build", "--release", "--locked", "--manifest-path", manifest, "--target-dir", HOME / "rust"]
        subprocess.run(build, check=True)


def install_python(pins: Path):
    subprocess.run([sys.executable, "-m", "venv", "--clear", HOME / "python"], check=True)
    # All packages are pinned, so there is nothing to resolve.
    subprocess.run([HOME / "python/bin/pip", "install", "-q", "--no-deps", "-r", pins], check=True)


def once(folder: Path, pins: Path, install):
    """Installs unless it was done with the same pins before."""
    done = folder / "installed-pins"
    if not done.is_file() or done.read_text() != pins.read_text():
        install(pins)
        done.write_text(pins.read_text())


def write_outputs(tools: list[str], listing: Path, pages: list[Page], options) -> int:
    """Writes OUTPUTS/SET/TOOL.jsonl. A file has its name only when it is whole: missing pages would count as empty."""
    failed = 0
    for tool in tools:
        rows: dict[str, list[str]] = {}

        def take(place, found, empty):
            page = pages[place]
            if empty is None:
                print(f"{tool} {found['error']} on {page.path}")
            rows.setdefault(page.set, []).append(json.dumps({"id": page.id, **found}, ensure_ascii=False))

        begin = time.perf_counter()
        try:
            each_page(tool, listing, len(pages), options.page_seconds, take).stop()
        except Failure as failure:
            failed += 1
            print(f"{tool} {failure}")
            continue
        for name, lines in rows.items():
            folder = options.outputs / name
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{tool}.part"
            part.write_text("\n".join(lines) + "\n", encoding="utf-8")
            part.rename(folder / f"{tool}.jsonl")
        print(f"{tool}: {len(pages)} pages in {time.perf_counter() - begin:.0f} s")
    return failed


def measure(tools: list[str], listing: Path, pages: list[Page], options) -> tuple[list[dict], dict[int, str]]:
    """Every page once, which shows what each tool cannot stand; then the rounds, all tools in turn."""
    running, left_out = [], {}
    for tool in tools:
        empties = []

        def take(place, found, empty):
            empties.append(bool(empty))
            if empty is None:
                left_out.setdefault(place, f"{tool} {found['error']}")

        try:
            runner = each_page(tool, listing, len(pages), options.page_seconds, take)
            running.append({"tool": tool, "runner": runner, "empty": sum(empties), "rounds": [], "failure": None})
            print(f"{tool} {runner.version}: first pass done")
        except Failure as failure:
            running.append({"tool": tool, "failure": str(failure)})

    def every(work):
        for one in running:
            if not one["failure"]:
                try:
                    work(one)
                except Failure as failure:
                    one["failure"] = str(failure)

    def prepare(one):
        for place in left_out:
            one["runner"].ask(f"drop {place}", "ok", options.round_seconds)
        cpu, _ = one["runner"].round(1, options.round_seconds)
        one["passes"] = min(200, max(1, math.ceil(SHORTEST_ROUND / cpu)))

    every(prepare)
    for number in range(options.rounds):
        every(lambda one: one["rounds"].append(one["runner"].round(one["passes"], options.round_seconds)))
        print(f"round {number + 1} of {options.rounds}")
    for one in running:
        if "runner" in one:
            one["memory"] = (one["runner"].memory_before, one["runner"].memory())
            one["runner"].stop()
    return running, left_out


def table(results: list[dict], count: int, megabytes: float) -> str:
    done = [one for one in results if not one["failure"]]
    base = next((one for one in done if one["tool"] == BASE), None)
    lines = [
        f"| tool | version | pages/s | MB/s | times {BASE} | pages/s, wall time | memory, MB | pages without text |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in sorted(done, key=lambda one: median(cpu for cpu, _ in one["rounds"])):
        cpu = median(cpu for cpu, _ in one["rounds"])
        wall = median(wall for _, wall in one["rounds"])
        ratio = "–"
        if base:
            # Both times of a quotient are of the same minute.
            ratios = [other[0] / own[0] for other, own in zip(base["rounds"], one["rounds"])]
            ratio = f"{median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})" if one is not base else "1"
        before, peak = one["memory"]
        memory = f"{peak / 1e6:.0f} ({before / 1e6:.0f})" if before and peak else "–"
        version = one["runner"].version
        lines.append(
            f"| {one['tool']} | {version} | {count / cpu:,.0f} | {megabytes / cpu:.3g} | {ratio} | {count / wall:,.0f} "
            f"| {memory} | {one['empty']} |"
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="cargo xtask bench-peers", description=__doc__.splitlines()[0])
    names = lambda text: [name for name in text.split(",") if name]
    some = lambda text: int(text) if int(text) > 0 else parser.error(f"{text} is not a number of at least 1")
    parser.add_argument("--tools", type=names, help=f"only these of {', '.join(TOOLS)}")
    parser.add_argument("--sets", type=names, help="only pages of these evaluation sets")
    parser.add_argument("--pages", type=int, help="how many, spread over the sets; 0 is all (default: 80, for outputs all)")
    parser.add_argument("--rounds", type=some, default=5, help="how often each tool is timed (default: 5)")
    parser.add_argument("--max-bytes", type=float, help="leave larger pages out (default: 3000000, for outputs none)")
    parser.add_argument("--page-seconds", type=some, default=60, help="limit for a page (default: 60)")
    parser.add_argument("--round-seconds", type=some, default=600, help="limit for a round (default: 600)")
    parser.add_argument("--table", type=Path, help="file for the table (default: docs/peers-speed.md, with --tools none)")
    parser.add_argument("--outputs", type=Path, help="time nothing; write what each tool finds to OUTPUTS/SET/TOOL.jsonl")
    options = parser.parse_args()
    if unknown := set(options.tools or []) - set(TOOLS):
        parser.error(f"there is no tool {', '.join(unknown)}; there are: {', '.join(TOOLS)}")
    tools = [tool for tool in TOOLS if not options.tools or tool in options.tools]
    outputs = options.outputs is not None
    wanted = options.pages if options.pages is not None else (0 if outputs else 80)
    max_bytes = options.max_bytes or (float("inf") if outputs else 3e6)
    chosen = sample(wanted, max_bytes, options.sets)
    install({TOOLS[tool] for tool in tools})
    listing = HOME / "pages.list"
    listing.write_text("".join(f"{page.path}\n" for page in chosen.pages))
    print(chosen)
    if outputs:
        return write_outputs(tools, listing, chosen.pages, options)
    results, left_out = measure(tools, listing, chosen.pages, options)
    count = len(chosen.pages) - len(left_out)
    megabytes = chosen.megabytes() - sum(chosen.pages[place].bytes for place in left_out) / 1e6
    command = " ".join(["cargo xtask bench-peers", *sys.argv[1:]])
    text = (
        f"# Speed and memory beside other extractors\n\n"
        f"Written by `{command}` on {today()}, on an {platform.machine()} machine with "
        f"Python {platform.python_version()}.\n\n{chosen}. Each tool on one thread, in turns, {options.rounds} rounds; "
        f"`pages/s` and `MB/s` by CPU time, the median of the rounds; `times {BASE}` with its least and most over the "
        "rounds; peak memory and, in brackets, before the first page. `bench/peers/README.md` says how each tool is "
        f"called.\n\n{table(results, count, megabytes)}"
    )
    for one in results:
        text += f"\n`{one['tool']}` is missing: it {one['failure']}.\n" if one["failure"] else ""
    for place, why in sorted(left_out.items()):
        text += f"\nLeft out for all: {chosen.pages[place].set}/{chosen.pages[place].id} ({why}).\n"
    print(f"\n{text}")
    file = options.table or (None if options.tools else ROOT / "docs/peers-speed.md")
    if file:
        file.write_text(text)
        print(f"written to {file}")
    return int(all(one["failure"] for one in results))


if __name__ == "__main__":
    sys.exit(main())
