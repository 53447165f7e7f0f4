"""Instructions per stage of a text extraction and of the whole record, counted by callgrind.

`cargo xtask stages` starts it. Instruction counts do not depend on what else the machine does. The program runs the pages
once and twice; the difference is what a round takes with warm tables, without start-up.
"""

import collections
import subprocess

from common import RELEASE, TARGET, sample

SETS = (
    "cms-sites defuddle encodings-real encodings-synthetic forum-archives fundus-news gne magic-html-article "
    "magic-html-forum mozilla-readability other-forums postlight-fixtures rebuilt-cleaneval-zh-jp-thai recipe-sites "
    "trafilatura uyghur-archives uyghur-presentation-forms wcxb zh-saved-pages zh-sites"
).split()
STAGES = {
    "decode": ["tamis::extractor::decode"],
    "parse": ["tamis_html::parse::Parser::finish"],
    "segment, elements, blocks": ["tamis::page::segment::segment"],
    "class table": ["tamis::page::classes::Classes::score"],
    "labels, dates, records, head": ["tamis::annotate::Annotations::fill"],
    "features": ["tamis::classify::features::fill_rows", "tamis::classify::features::derived::Derived::fill"],
    "first pass": ["tamis::classify::classifier::first_pass"],
    "page type": ["tamis::classify::classifier::predict_page_type"],
    "second pass": ["tamis::classify::classifier::second_pass"],
    "post-processing": ["tamis::classify::postprocess::apply"],
    "text": ["tamis::document::plain_text::plain_text"],
}
RECORD_STAGES = {
    "metadata": ["tamis::metadata::extract"],
    "threads": ["tamis::regions::Regions::thread"],
    "structured content": ["tamis::document::compose::compose"],
}
TOTAL = ""


def inclusive(lines) -> collections.Counter:
    """Inclusive instructions by function: the callee, the number of calls, then a line that ends with their cost."""
    counts: collections.Counter = collections.Counter()
    callee = ""
    lines = iter(lines)
    for line in lines:
        if line.startswith("cfn="):
            # Recursion levels and hashes follow the name.
            callee = line[4:].split("'")[0].split("(")[0].strip()
        elif line.startswith("calls="):
            counts[callee] += int(next(lines).rsplit(" ", 1)[1])
        elif line.startswith(("totals:", "summary:")):
            counts[TOTAL] = int(line.split(":")[1])
    return counts


def main():
    chosen = sample(40, 3e6, SETS)
    home = TARGET / "stages"
    home.mkdir(parents=True, exist_ok=True)
    listing = home / "pages.txt"
    listing.write_text("".join(f"{page.path}\n" for page in chosen.pages))
    print(f"{len(chosen.pages)} pages, million instructions for a round")
    table("text", STAGES, listing, home)
    print()
    table("record", STAGES | RECORD_STAGES, listing, home)


def table(output: str, stages: dict, listing, home):
    runs = []
    for rounds in ["1", "2"]:
        out = home / f"{output}-{rounds}.callgrind"
        valgrind = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no"]
        program = [RELEASE / "examples/rounds", listing, rounds, output]
        subprocess.run([*valgrind, f"--callgrind-out-file={out}", *program], check=True, capture_output=True)
        with open(out, encoding="utf-8", errors="replace") as lines:
            runs.append(inclusive(lines))
    once, twice = runs
    million = lambda name: max(0, twice[name] - once[name]) / 1e6
    rows = {stage: sum(map(million, functions)) for stage, functions in stages.items()}
    rows["rest"] = million(TOTAL) - sum(rows.values())
    rows["sum"] = million(TOTAL)
    rows["start-up"] = once[TOTAL] / 1e6 - million(TOTAL)
    print(output)
    for stage, count in rows.items():
        print(f"{stage:<30} {count:>8.1f}")


if __name__ == "__main__":
    main()
