"""One grammar for names with settings: what is read, what is refused, and what is written back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogtree.errors import OptionError
from fogtree.text.specs import Spec, literal, parse_spec, read_value, split_specs


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("kuhn_poker", Spec("kuhn_poker")),
        (" kuhn_poker () ", Spec("kuhn_poker")),
        (
            "leduc_poker(ranks=10, raises=1,)",
            Spec("leduc_poker", settings={"ranks": 10, "raises": 1}),
        ),
        ("belief-vote:simple", Spec("belief-vote", "simple")),
        ("tabular:/a,b/(c)/d", Spec("tabular", "/a,b/(c)/d")),
        ("tabular:'/a,b'", Spec("tabular", "/a,b")),
        ("openspiel:goofspiel(players=2)", Spec("openspiel", "goofspiel(players=2)")),
        (
            "search(time=0.5, evaluator=net:/a,b/file, ponder=on)",
            Spec("search", settings={"time": 0.5, "evaluator": "net:/a,b/file", "ponder": True}),
        ),
        (
            "search(evaluator='net:/a, time=3', memory=1.5G)",
            Spec("search", settings={"evaluator": "net:/a, time=3", "memory": "1.5G"}),
        ),
        (
            "search(evaluator=/it's, time=3)",
            Spec("search", settings={"evaluator": "/it's", "time": 3}),
        ),
        ("search(evaluator=/run (2)/net)", Spec("search", settings={"evaluator": "/run (2)/net"})),
        ("battleship(ships=[1, 2])", Spec("battleship", settings={"ships": (1, 2)})),
        ("Own(weights={'a': (1, 2)})", Spec("Own", settings={"weights": {"a": (1, 2)}})),
    ],
)
def test_what_is_read(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("+3", 3),
        ("007", 7),
        ("1_000", 1000),
        ("0x10", 16),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1e999", float("inf")),
        ("inf", "inf"),
        ("True", True),
        ("off", False),
        ("Yes", True),
        ("None", None),
        ("none", "none"),
        ("'on'", "on"),
        ('"a\\"b"', 'a"b'),
        ("(1,)", (1,)),
        ("[a, b]", "[a, b]"),
        ("60+0.5", "60+0.5"),
        ("4G", "4G"),
    ],
)
def test_values_have_types(text: str, value: object) -> None:
    found = read_value(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it does not begin with a name"),
        ("3", "it does not begin with a name"),
        ("a.b(c=3)", "'.b(c=3)' cannot follow the name"),
        ("a(", "'(' is not closed"),
        ("a(b=3", "'(' is not closed"),
        ("a(b=[3)", "'[' is not closed"),
        ("a(b=3)]", "']' closes no bracket"),
        ("a(b=3); 1", "something follows the last bracket"),
        ("a(3)", "'3' has no key"),
        ("a('b', c=1)", "''b'' has no key"),
        ("a(b='x', 3)", "'3' has no key"),
        ("a(b=)", "'b' has no value"),
        ("a(b=3, b=4)", "'b' is there twice"),
        ("a(b='x)", "a text in quotes does not end"),
        ("a(b='x'y)", "is not a text in quotes"),
        ("a(b='\ud800')", "is not a text in quotes"),
        ("a\0", "it has a character with code 0"),
        ("a" + "(" * 10_000, "'(' is not closed"),
    ],
)
def test_what_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_spec(text, "agent")
    message = str(caught.value)
    assert message.startswith("cannot read agent ")
    assert why in message
    assert message.endswith("; write it like  name(key=value)")
    assert len(message) < 250
    assert "\n" not in message


def test_lists() -> None:
    assert split_specs("search(time=0.5, threads=2),greedy, search:simple") == [
        "search(time=0.5, threads=2)",
        "greedy",
        "search:simple",
    ]
    assert split_specs("tabular:'/a,b',random") == ["tabular:'/a,b'", "random"]
    with pytest.raises(OptionError, match="is not closed"):
        split_specs("search(time=1,random")


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.one_of(
    st.text(), st.sampled_from(["on", "None", "3", "a,b=c", "(", "'", '"', " x", "\\"])
)
SCALARS = st.one_of(st.integers(), st.floats(allow_nan=False), st.booleans(), st.none(), TEXTS)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)
SPECS = st.one_of(
    st.builds(Spec, NAMES),
    st.builds(Spec, NAMES, argument=TEXTS.filter(bool)),
    st.builds(Spec, NAMES, settings=st.dictionaries(NAMES, VALUES, max_size=4)),
)


@given(SPECS)
def test_a_spec_written_and_read_is_the_same(spec: Spec) -> None:
    assert repr(parse_spec(str(spec))) == repr(spec)


@given(st.lists(SPECS, min_size=1, max_size=4))
def test_so_is_a_list_of_them(specs: list[Spec]) -> None:
    parts = split_specs(", ".join(str(spec) for spec in specs))
    assert [repr(parse_spec(part)) for part in parts] == [repr(spec) for spec in specs]


@given(VALUES)
def test_literals_are_read_back(value: object) -> None:
    assert repr(read_value(literal(value))) == repr(value)


@given(st.text())
def test_any_text_is_a_spec_or_one_clear_error(text: str) -> None:
    try:
        found = parse_spec(text)
    except OptionError as error:
        assert str(error).startswith("cannot read game ")
    else:
        assert repr(parse_spec(str(found))) == repr(found)
