"""Runs the Python code of the front page and of the tutorials in the folder of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["README.md", "docs/tutorials/python.md", "docs/tutorials/spark.md"])
def test_tutorials_work_as_written(name: str) -> None:
    if name.endswith("spark.md"):
        pytest.importorskip("pyspark")
        if shutil.which("java") is None:
            pytest.skip("Spark needs Java, and there is none")
    page = (PROJECT / name).read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```", page, flags=re.S | re.M)
    assert code, f"{name} has no Python"
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    run = subprocess.run(
        [sys.executable, "-c", "\n".join(code)], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
