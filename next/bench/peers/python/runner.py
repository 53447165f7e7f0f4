"""Runs one Python extractor on pages, as ../README.md asks of a runner: runner.py TOOL LIST."""

import json
import sys
import time
from importlib.metadata import version


def trafilatura():
    from trafilatura import bare_extraction, extract

    def text(page):
        return extract(page, include_comments=False)

    # The text is what is timed; title and date are looked for beside it.
    def facts(page):
        found = bare_extraction(page, include_comments=False, with_metadata=True)
        return (text(page), found.title, found.date) if found else (text(page), None, None)

    return "trafilatura", text, facts


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    def decoded(page):
        return bytes_to_str(page, detect_encoding(page))

    def text(page):
        return extract_plain_text(decoded(page), preserve_formatting=False, main_content=True)

    return "Resiliparse", text, lambda page: (text(page), HTMLTree.parse(decoded(page)).title, None)


def readability_lxml():
    from readability import Document
    from resiliparse.extract.html2text import extract_plain_text

    # It gives HTML; the way from there to text is Resiliparse's, which costs next to nothing.
    def text(document):
        return extract_plain_text(document.summary(), main_content=False)

    def facts(page):
        document = Document(page)
        return text(document), document.short_title(), None

    return "readability-lxml", lambda page: text(Document(page)), facts


def justext():
    from justext import justext as paragraphs

    # Its language-independent mode, as the pages are in many languages and it does not find out which.
    def text(page):
        found = paragraphs(page, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)

    return "jusText", text, lambda page: (text(page), None, None)


def or_nothing(work, page):
    """What `work` makes of a page, and what went wrong."""
    try:
        return work(page), None
    except Exception as error:  # whatever a page does to a peer, the others go on
        return None, f"{type(error).__name__}: {error}"


def main():
    tool, listing = sys.argv[1:]
    # What a package prints must not get between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    package, text, facts = globals()[tool.replace("-", "_")]()
    pages = []
    with open(listing, encoding="utf-8") as paths:
        for path in paths:
            with open(path.rstrip("\n"), "rb") as page:
                pages.append(page.read())
    dropped = set()

    def answer(line):
        print(line, file=answers, flush=True)

    answer(f"ready {version(package)}")
    for command, number in (line.split() for line in sys.stdin):
        number = int(number)
        if command == "page":
            found, error = or_nothing(facts, pages[number])
            words, title, date = found or (None, None, None)
            row = {"text": words or "", "title": title, "date": date, "error": error}
            answer(f"page {len(row['text'].strip())} {json.dumps(row)}")
        elif command == "drop":
            dropped.add(number)
            answer("ok")
        elif command == "round":
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(number):
                for place, page in enumerate(pages):
                    if place not in dropped:
                        or_nothing(text, page)
            answer(f"round {time.process_time() - cpu} {time.perf_counter() - wall}")


if __name__ == "__main__":
    main()
