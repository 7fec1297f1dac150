"""JSON from files as typed records; content that does not fit is an error in one line."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from fogtree.errors import FileFormatError, FogtreeError
from fogtree.text.validation import checked

Record = TypeVar("Record")


def parse_json(text: str | bytes, where: str) -> Any:
    """The parsed content of a JSON text; ``where`` names the text's file in an error."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{where} is damaged") from error


def read_record(content: Any, kind: type[Record], where: str) -> Record:
    """Parsed JSON as a record of type ``kind``; an error names the file and the field. Fields that
    ``kind`` does not have are ignored: a later version may have written them."""
    try:
        return checked(content, kind, unknown=None)
    except FogtreeError as error:
        raise FileFormatError(f"{where} is damaged: {error}") from error
