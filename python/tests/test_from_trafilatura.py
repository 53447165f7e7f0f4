"""``docs/from-trafilatura.md``: all names in both columns exist, and no name of trafilatura is missing."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
from pathlib import Path

import pytest

import tamis

PAGE = Path(__file__).parents[2] / "docs" / "from-trafilatura.md"


def sections() -> dict[str, list[tuple[list[str], str]]]:
    """Rows of the table below each heading: the names of trafilatura, and the text of our column."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for part in PAGE.read_text().split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        rows = re.findall(r"^\| (`.*?`) \| (.*) \|$", body, re.MULTILINE)
        found[heading] = [(re.findall(r"`([^`]+)`", left), right) for left, right in rows]
    return found


def names(heading: str) -> list[str]:
    return sorted(name for left, _ in sections()[heading] for name in left)


def theirs(function: object) -> set[str]:
    return set(inspect.signature(function).parameters)


def test_every_parameter_of_theirs_is_on_the_page() -> None:
    trafilatura = pytest.importorskip("trafilatura")
    for function in ("extract", "bare_extraction", "extract_metadata", "fetch_url"):
        assert names(f"`{function}`") == sorted(theirs(getattr(trafilatura, function))), function
    both = theirs(trafilatura.baseline) | theirs(trafilatura.html2txt)
    assert names("`baseline` and `html2txt`") == sorted(both)


def test_every_field_and_flag_of_theirs_is_on_the_page(monkeypatch) -> None:
    pytest.importorskip("trafilatura")
    import argparse

    from trafilatura import cli
    from trafilatura.settings import Document

    assert names("Metadata") == sorted(Document.__slots__)
    flags: list[str] = []
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", lambda self, *_: flags.extend(self._option_string_actions))
    try:
        cli.parse_args([])
    except (AttributeError, TypeError):
        # It goes on with what was parsed, which is nothing.
        pass
    assert names("Command line") == sorted(flags)


def ours() -> list[str]:
    """Everything in backticks in our column."""
    text = PAGE.read_text()
    kept = [right for rows in sections().values() for _, right in rows]
    kept += [line for line in text.splitlines() if not line.startswith("|")]
    return [name for part in kept for name in re.findall(r"`([^`]+)`", part)]


def test_every_name_of_ours_exists() -> None:
    document = tamis.extract("<p>Rain.")
    stub = (Path(tamis.__file__).parent / "_tamis.pyi").read_text()
    checked = 0
    for name in ours():
        if option := re.fullmatch(r"(\w+)=(\".*\")?", name):
            assert re.search(rf"^    {option[1]}: |\b{option[1]}: str", stub, re.MULTILINE), name
        elif match := re.match(r"tamis\.(\w+)(?:\.(\w+))?", name):
            held = getattr(tamis, match[1])
            assert match[2] is None or hasattr(held, match[2]), name
        elif match := re.fullmatch(r"\.(\w+)", name):
            assert hasattr(document, match[1]), name
        else:
            continue
        checked += 1
    assert checked > 60


def test_every_flag_of_ours_exists() -> None:
    command = os.environ.get("TAMIS_COMMAND")
    if command is None:
        pytest.skip("TAMIS_COMMAND names no tamis to ask")
    checked = 0
    for name in ours():
        if not re.match(r"tamis [a-z-]", name):
            continue
        words = name.split()[1:]
        path = [word for word in words if re.fullmatch(r"[a-z]+", word)]
        said = subprocess.run([command, *path, "--help"], capture_output=True, text=True, check=False)
        assert said.returncode == 0, (name, said.stderr)
        for flag in (word for word in words if word.startswith("--")):
            assert re.search(rf"{flag}\b", said.stdout), name
            checked += 1
    assert checked > 15
