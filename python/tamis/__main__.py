"""``python -m tamis`` and the command ``tamis`` of the package: extracts files and standard input.

A small part of the command that ``cargo install`` builds, with the same names.
"""

from __future__ import annotations

import argparse
import sys

import tamis

FORMATS = ["text", "markdown", "html", "json", "xml", "tei"]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(prog="tamis", description="Extract the main text and metadata of web pages.")
    command.add_argument("--version", action="version", version=f"tamis {tamis.__version__}")
    commands = command.add_subparsers(dest="command", required=True)
    extract = commands.add_parser("extract", help="extract files or standard input")
    extract.add_argument("pages", nargs="*", default=["-"], metavar="FILE", help="pages; - is standard input (default)")
    extract.add_argument("-f", "--format", choices=FORMATS, default="text", help="output format (default: text)")
    extract.add_argument("--fields", help="fields of JSON, separated by commas")
    extract.add_argument("--url", help="URL of the page: resolves relative links")
    extract.add_argument("--encoding", help="force an encoding (WHATWG label)")
    extract.add_argument("--fetched", help="fetch time: resolves relative dates, rejects later ones")
    extract.add_argument("--method", choices=tamis.METHODS, help="extraction method")
    balance = extract.add_mutually_exclusive_group()
    balance.add_argument("--precision", dest="balance", action="store_const", const="precision", help="drop uncertain blocks")
    balance.add_argument("--recall", dest="balance", action="store_const", const="recall", help="keep uncertain blocks")
    for name, what in [("links", "URLs of links"), ("images", "images"), ("comments", "reader comments")]:
        extract.add_argument(f"--{name}", action="store_true", help=f"show {what} in Markdown and HTML")
    extract.add_argument("--metadata", action="store_true", help="metadata as front matter of Markdown")
    return command


def rendered(page: bytes, given: argparse.Namespace) -> str:
    """A page in the chosen format."""
    names = ("url", "encoding", "fetched", "method", "balance", "fields")
    options = {name: getattr(given, name) for name in names}
    if given.format == "text":
        return tamis.extract_text(page, **options)
    document = tamis.extract(page, **options)
    shown = {name: True for name in ("links", "images", "comments", "metadata") if getattr(given, name)}
    match given.format:
        case "markdown":
            return document.to_markdown(**shown)
        case "html":
            return document.to_html(**shown)
    return getattr(document, f"to_{given.format}")()


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 if some page has text, 1 if none has, 2 if a page could not be read."""
    given = parser().parse_args(arguments)
    code = 1
    for name in given.pages:
        try:
            if name == "-":
                page = sys.stdin.buffer.read()
            else:
                with open(name, "rb") as file:
                    page = file.read()
            text = rendered(page, given)
        except (OSError, ValueError, tamis.TamisError) as error:
            print(f"tamis: {name}: {error}", file=sys.stderr)
            code = 2
            continue
        if text:
            code = min(code, 0) if code < 2 else 2
            sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
