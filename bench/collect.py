"""Stories per second of `tamis collect run` with SQLite against a web on loopback, and its memory with many URLs.

`cargo xtask bench-collect` starts it. The web is a process of its own, whose CPU time is shown beside the collector's.
"""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

from common import RELEASE, TARGET, look, timed

HOME = TARGET / "collect"
# Pages that are visited of the many URLs.
PAGES = 3000


def collect(stories: int, corpus: Path, fill: bool):
    serve = [RELEASE / "examples/serve", "--benchmark", str(stories), HOME / "truth"]
    web = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        seeds = HOME / "seeds"
        # Up to an empty line.
        seeds.write_text("\n".join(iter(lambda: web.stdout.readline().strip(), "")))
        if fill:
            subprocess.run([RELEASE / "examples/fill_frontier", corpus, HOME / "truth"], check=True)
        tamis = [RELEASE / "tamis", "collect"]
        subprocess.run([*tamis, "add", "--file", seeds, "--db", corpus], check=True)
        limit = ["--max-pages", str(PAGES)] if fill else []
        flags = ["-q", "--allow-private", "--delay", "0", "--per-host", "2", "--db", corpus, *limit]
        before = look(web.pid)
        with open(HOME / "log", "w+") as log:
            taken = timed([*tamis, "run", *flags], stderr=log)
            log.seek(0)
            summary = log.read().strip()
        after = look(web.pid)
    finally:
        web.kill()
        web.wait()
    stored = int(re.search(r"(\d+) stories stored", summary)[1])
    print(summary)
    print(
        f"{stored / taken.wall:.0f} stories/s in {taken.wall:.1f} s; CPU time: collector {taken.cpu:.1f} s, "
        f"web {after[0] - before[0]:.1f} s; memory of the collector: at most {taken.memory / 1e6:.0f} MB"
    )


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask bench-collect", description=__doc__.splitlines()[0])
    parser.add_argument("--stories", type=int, default=20_000, help="stories that are collected; 0: none (default: 20000)")
    parser.add_argument("--urls", type=int, default=1_000_000, help="URLs in the frontier; 0: none (default: 1000000)")
    options = parser.parse_args()
    # What an earlier run left would count as visited.
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    if options.stories:
        collect(options.stories, HOME / "stories.db", fill=False)
    if options.urls:
        collect(options.urls, HOME / "urls.db", fill=True)
    shutil.rmtree(HOME)


if __name__ == "__main__":
    main()
