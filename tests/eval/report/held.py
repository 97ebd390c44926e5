"""What a report holds, as its script unpacks it."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any


def data_of(page: Path) -> dict[str, Any]:
    packed = page.read_text("utf-8").partition('<script type="text/plain" id="data">')[2].partition("</script>")[0]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


CHOOSE = """
const [label, value] = arguments;
const field = [...document.querySelectorAll('#view label')].find((one) => one.firstChild.textContent === label);
const input = field.querySelector('select, input');
input.value = value;
input.dispatchEvent(new Event(input.tagName === 'SELECT' ? 'change' : 'input', {bubbles: true}));
"""
"""Script of a browser: set the filter with a label (first argument) to a value (second)."""
