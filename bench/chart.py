"""Writes the table of README.md and docs/quality-and-speed.svg from the measured tables of the documents.

Quality is the mean over all sets in docs/evaluation.md (`cargo xtask evaluation`); speed and memory are from
docs/peers-speed.md (`cargo xtask bench-peers`).
"""

import argparse
import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Name, column in docs/evaluation.md, row in docs/peers-speed.md, what else it gives.
TOOLS = [
    ("**Tamis**, text", "fused", "tamis-text", ""),
    ("**Tamis**, full record", "fused", "tamis",
     "dates, authors, language, page type, posts, comments, confidence, evidence; site memory; WARC; server; crawler"),
    ("trafilatura", "trafilatura", "trafilatura", "dates, authors, comments; feeds, sitemaps, crawling"),
    ("dom_smoothie", "dom_smoothie", "dom_smoothie", "declared metadata"),
    ("Resiliparse", "resiliparse", "resiliparse", "language; WARC"),
    ("readability-lxml", "readability-lxml", "readability-lxml", "title, author"),
]


def table_of(document, cell):
    """The head and the rows of the first table in a document with a cell that begins so."""
    tables = re.findall(r"(?:^\|.*\n)+", (ROOT / "docs" / document).read_text(encoding="utf-8"), flags=re.M)
    for table in tables:
        head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        if any(text.startswith(cell) for row in [head, *rows] for text in row):
            return head, rows
    sys.exit(f"docs/{document} has no table with a cell {cell!r}")


def qualities():
    """The mean of every tool, from a table with a column per tool or a row per tool."""
    head, rows = table_of("evaluation.md", "mean of ")
    if head[0] == "set":
        return dict(zip(head, next(row for row in rows if row[0].startswith("mean of "))))
    mean = next(place for place, name in enumerate(head) if name.startswith("mean of "))
    return {row[0]: row[mean] for row in rows}


def measured():
    quality = qualities()
    head, rows = table_of("peers-speed.md", "pages/s")
    speed = {row[0]: dict(zip(head, row)) for row in rows}
    for name, tool, timed, other in TOOLS:
        # Some collections of outputs mark crates by a prefix.
        f1 = float(re.match(r"[\d.]+", quality.get(tool) or quality[f"rs-{tool}"])[0])
        cells = speed[timed]
        memory = cells["memory, MB"].split(" ")[0]
        yield name, f1, float(cells["pages/s"].replace(",", "")), memory, other


def table(tools):
    lines = ["| tool | token F1, % | pages/s | memory, MB | what else |", "|---|---|---|---|---|"]
    lines += [f"| {name} | {f1:.1f} | {speed:,.0f} | {memory} | {other} |" for name, f1, speed, memory, other in tools]
    return "\n".join(lines)


def chart(tools):
    width, height, left, bottom = 720, 360, 60, 50
    fastest = math.log10(max(tool[2] for tool in tools)) + 0.35
    slowest = math.log10(min(tool[2] for tool in tools)) - 0.15
    lowest = math.floor(min(tool[1] for tool in tools) / 5) * 5

    def x(speed):
        return left + (math.log10(speed) - slowest) / (fastest - slowest) * (width - left - 20)

    def y(f1):
        return height - bottom - (f1 - lowest) / (100 - lowest) * (height - bottom - 20)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        "<title>Quality and speed of extractors</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for f1 in range(lowest, 101, 5):
        parts.append(f'<path d="M{left} {y(f1):.0f}H{width - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y(f1) + 4:.0f}" text-anchor="end" fill="#555">{f1}</text>')
    for power in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        if slowest < math.log10(power) < fastest:
            parts.append(f'<text x="{x(power):.0f}" y="{height - 28}" text-anchor="middle" fill="#555">{power}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle" fill="#555">pages per second, one core</text>')
    parts.append('<text x="16" y="14" fill="#555">token F1, %</text>')
    for name, f1, speed, _, _ in tools:
        label, own = name.replace("*", ""), name.startswith("**")
        colour = "#b3114b" if own else "#3b5b78"
        anchor, shift = ("end", -9) if own and "text" in label else ("start", 9)
        parts.append(f'<circle cx="{x(speed):.0f}" cy="{y(f1):.0f}" r="5" fill="{colour}"/>')
        above = 18 if own and "full" in label else 4
        parts.append(f'<text x="{x(speed) + shift:.0f}" y="{y(f1) + above:.0f}" text-anchor="{anchor}" fill="{colour}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something would change")
    options = parser.parse_args()
    tools = list(measured())
    readme, picture = ROOT / "README.md", ROOT / "docs/quality-and-speed.svg"
    old = readme.read_text(encoding="utf-8")
    new = re.sub(r"(<!-- table -->\n).*?(\n<!-- end of table -->)", lambda m: m[1] + table(tools) + m[2], old, flags=re.S)
    if options.check:
        if new != old or picture.read_text(encoding="utf-8") != chart(tools):
            sys.exit("README.md or the chart differs from the measured documents: run python3 bench/chart.py")
        return
    readme.write_text(new, encoding="utf-8")
    picture.write_text(chart(tools), encoding="utf-8")


if __name__ == "__main__":
    main()
