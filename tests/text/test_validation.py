"""Values are converted and checked by the types of fields; what is refused is told in one line."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from fogtree.errors import FogtreeError, OptionError, UnknownNameError
from fogtree.text.validation import check_fields, checked, names_of


def read_dozens(text: str) -> int:
    return 12 * int(text.removesuffix("dz"))


@dataclass(frozen=True, slots=True)
class Inner:
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5


@dataclass(frozen=True, slots=True)
class Options:
    steps: Annotated[int, Meta(ge=1, le=100)] = 10
    rate: float = 1.0
    on: bool = False
    kind: Literal["external", "outcome"] = "external"
    widths: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(min_length=1)] = (4,)
    names: tuple[str, ...] = ()
    most: int | None = None
    label: str = ""
    eggs: Annotated[int, Meta(ge=0, extra={"read": read_dozens})] = 0
    inner: Inner = Inner()
    weights: dict[str, Annotated[float, Meta(ge=0)]] | None = None

    def __post_init__(self) -> None:
        check_fields(self, "option ")


class Manifest(msgspec.Struct):
    version: int
    options: Options = Options()


def test_plain_data_becomes_options() -> None:
    data = {"steps": 3, "rate": 2, "widths": [1, 2], "inner": {"share": 0.25}, "weights": {"a": 1}}
    found = checked(data, Options)
    assert found == Options(steps=3, rate=2.0, widths=(1, 2), inner=Inner(0.25), weights={"a": 1.0})
    assert isinstance(found.rate, float)
    assert checked({"version": 1, "options": data}, Manifest).options == found


def test_fields_that_are_not_named_are_as_in_the_base() -> None:
    base = Options(steps=7, label="x")
    assert checked({"rate": 3}, Options, base=base) == Options(steps=7, rate=3.0, label="x")


def test_texts_of_a_command_line() -> None:
    data = {"steps": "+3", "rate": ".5", "on": "Yes", "kind": "outcome", "label": "7", "most": "4"}
    found = checked(data, Options, texts=True)
    assert found == Options(steps=3, rate=0.5, on=True, kind="outcome", label="7", most=4)


def test_a_form_of_its_own() -> None:
    assert checked({"eggs": "2dz"}, Options).eggs == 24
    assert checked({"eggs": 5}, Options).eggs == 5


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"steps": 0}, "option steps must be at least 1, not 0"),
        ({"steps": 101}, "option steps must be at most 100, not 101"),
        ({"steps": True}, "option steps must be a whole number, not True"),
        ({"steps": 2.5}, "option steps must be a whole number, not 2.5"),
        ({"steps": 10**5000}, "option steps must fit in 64 bits, not 16,610"),
        ({"most": 2**70}, "option most must fit in 64 bits, not 71"),
        ({"most": "x"}, "option most must be a whole number, not 'x'"),
        ({"rate": float("nan")}, "option rate must be finite, not nan"),
        ({"rate": float("inf")}, "option rate must be finite, not inf"),
        ({"rate": "1"}, "option rate must be a number, not '1'"),
        ({"on": 1}, "option on must be true or false, not 1"),
        ({"label": 1}, "option label must be a text in quotes, not 1"),
        ({"widths": 3}, "option widths must be a list of whole numbers, not 3"),
        ({"widths": []}, "option widths must be a list of whole numbers, not []"),
        ({"widths": [3, "x"]}, "option widths must be a whole number, not 'x'"),
        ({"widths": [3, 0]}, "option widths must be at least 1, not 0"),
        ({"names": ["x", 1]}, "option names must be a text in quotes, not 1"),
        ({"inner": {"share": 1}}, "option inner.share must be below 1, not 1"),
        ({"inner": {"share": -1.5}}, "option inner.share must be above 0, not -1.5"),
        ({"inner": 3}, "option inner must be a group of names with values, not 3"),
        ({"kind": "new"}, 'option kind must be one of "external", "outcome", not \'new\''),
        ({"kind": 3}, 'option kind must be one of "external", "outcome", not 3'),
        ({"label": ["y" * 100]}, f"option label must be a text in quotes, not ['{'y' * 58}…"),
        ([], "option must be a group of names with values, not []"),
    ],
)
def test_what_is_refused(data: Any, message: str) -> None:
    for base in (None, Options()):
        with pytest.raises(OptionError) as caught:
            checked(data, Options, "option ", base=base)
        assert str(caught.value) == message


def test_names_that_nobody_knows() -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown key 'stepps'; did you mean 'steps'\?$"):
        checked({"stepps": 3}, Options, unknown="key")
    with pytest.raises(UnknownNameError, match=r"'inner\.shore'; did you mean 'share'\?$"):
        checked({"inner": {"shore": 3}}, Options, unknown="key")
    assert checked({"stepps": 3}, Options, unknown=None) == Options()
    with pytest.raises(OptionError, match=r"did you mean 'outcome'\?$"):
        checked({"kind": "outcom"}, Options)
    assert names_of(Inner) == ("share",)


def test_a_value_that_must_be_there() -> None:
    with pytest.raises(OptionError, match=r"^'file': version is missing$"):
        checked({}, Manifest, "'file': ")


@pytest.mark.parametrize("values", [{"steps": 0}, {"widths": ()}, {"rate": float("inf")}])
def test_options_made_in_python_are_checked(values: dict[str, Any]) -> None:
    with pytest.raises(FogtreeError, match=r"^option "):
        Options(**values)


TWO_THREADS = """
import sys
import threading
from dataclasses import make_dataclass
from typing import Literal

from fogtree.text.validation import check_fields, checked

sys.setswitchinterval(1e-6)
for _ in range(100):
    inner = make_dataclass("Inner", [(f"x{i}", Literal["a", "b"]) for i in range(20)])
    outer = make_dataclass("Outer", [(f"y{i}", inner) for i in range(5)])
    given = {f"y{i}": {f"x{k}": "a" for k in range(20)} for i in range(5)}
    both = threading.Barrier(2)

    def read():
        both.wait()
        check_fields(checked(given, outer))

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("done")
"""


def test_two_threads_meet_a_type_for_the_first_time() -> None:
    command = [sys.executable, "-X", "faulthandler", "-c", TWO_THREADS]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
