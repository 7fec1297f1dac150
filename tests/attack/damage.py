"""Ways to damage a file: noise in its bytes, or changes to what it is made of."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from dataclasses import dataclass
from typing import Any

import numpy as np

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 10**6, 2**31, 2**63, 10**30, -(10**30), 0.5, 1.5, -0.0, 1e300,
    float("nan"), float("inf"), "", "x", "0", "nan", "../victim", "/etc/passwd", "a" * 10_000,
    "\ud800", "\x00", [], {}, [[]], [0], {"x": 1}, [None], {"": {}}, [1, "x", None],
)  # fmt: skip


@dataclass(frozen=True)
class Damaged:
    """A damaged file: its bytes, what was done to it, and whether only noise was added."""

    content: bytes
    what: str
    noise: bool


def damage(luck: random.Random, name: str, content: bytes, others: list[bytes]) -> Damaged:
    """Damage a file in a way that suits its kind; ``others`` are sound files of other kinds."""
    ways = [_noise]
    if content[:2] == b"PK":
        ways += [_archive, _archive]
    elif name.endswith((".json", ".jsonl")):
        ways += [_json, _json]
    elif name.endswith((".pgn", ".toml", ".py")):
        ways += [_text, _text]
    way = luck.choice(ways)
    if luck.random() < 0.03:
        return Damaged(luck.choice(others), "another file in its place", noise=False)
    try:
        return way(luck, content)
    except (ValueError, KeyError, IndexError, TypeError, zipfile.BadZipFile, OverflowError):
        return _noise(luck, content)


def _noise(luck: random.Random, content: bytes) -> Damaged:
    """Flipped bits, or a part that is missing, zeroed, repeated, strange or cut off."""
    data = bytearray(content)
    at = luck.randrange(len(data) + 1)
    size = min(len(data) - at, luck.choice([1, 2, 4, 16, 100, 1000]))
    kind = luck.choice(
        ["flip", "flip", "flips", "cut", "zero", "repeat", "insert", "remove", "append", "random"]
    )
    if kind == "flip" and data:
        data[at % len(data)] ^= 1 << luck.randrange(8)
    elif kind == "flips" and data:
        for _ in range(luck.randrange(2, 40)):
            data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
    elif kind == "cut":
        del data[at:]
    elif kind == "zero":
        data[at : at + size] = bytes(size)
    elif kind == "repeat":
        data[at:at] = data[at : at + size]
    elif kind == "insert":
        data[at:at] = luck.randbytes(luck.choice([1, 2, 8, 100]))
    elif kind == "remove":
        del data[at : at + size]
    elif kind == "append":
        data += luck.randbytes(luck.choice([1, 10, 1000])) if luck.random() < 0.5 else bytes(data)
    else:
        data = bytearray(luck.randbytes(luck.choice([0, 1, 100, 5000])))
    return Damaged(bytes(data), f"{kind} at {at} ({size})", noise=True)


def change_json(luck: random.Random, value: Any) -> tuple[Any, str]:
    """A JSON document with one place changed, and which."""
    if luck.random() < 0.02:
        return luck.choice(JUNK), "all of it"
    place: Any = value
    path: list[Any] = []
    parents: list[tuple[Any, Any]] = []
    while isinstance(place, dict | list) and place and (not path or luck.random() < 0.8):
        key = luck.choice(list(place)) if isinstance(place, dict) else luck.randrange(len(place))
        parents.append((place, key))
        path.append(key)
        place = place[key]
    if not parents:
        return luck.choice(JUNK), "all of it"
    (parent, key), kind = parents[-1], luck.randrange(6)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        parent[luck.choice(["x", "", "version", "game", "seed"])] = luck.choice(JUNK)
    elif kind == 2 and isinstance(place, int | float):
        parent[key] = place + luck.choice([1, -1, 0.5, 10**9, -place * 2])
    elif kind == 3 and isinstance(parent, list):
        parent.insert(key, parent[key])
    elif kind == 4 and isinstance(place, str):
        parent[key] = luck.choice([place + "x", place[:-1], place.upper(), f"../{place}", ""])
    else:
        parent[key] = luck.choice(JUNK)
    return value, f"{path}, way {kind}"


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _json(luck: random.Random, content: bytes) -> Damaged:
    """A changed document or line, lines in another order, or one nested very deeply."""
    lines = content.splitlines()
    one = len(lines) == 1 or content[:2] == b"{\n" or content[:1] == b"["
    deep = b'{"a":' * 50_000 if luck.random() < 0.5 else b"[" * 100_000
    kind = luck.choice(["change", "change", "change", "change", "deep", "twice", "order"])
    if kind == "deep":
        text = content.decode()
        at = text.find(":", luck.randrange(len(text))) + 1
        return Damaged(content[:at] + deep, "nested deeply", noise=False)
    if one:
        changed, what = change_json(luck, json.loads(content))
        return Damaged(_dumped(changed), f"changed {what}", noise=False)
    number = luck.randrange(len(lines))
    if kind == "twice":
        lines.insert(number, lines[number])
        what = f"line {number} twice"
    elif kind == "order":
        luck.shuffle(lines)
        what = "lines in another order"
    else:
        changed, where = change_json(luck, json.loads(lines[number]))
        lines[number] = _dumped(changed)
        what = f"line {number} changed {where}"
    return Damaged(b"\n".join(lines) + b"\n", what, noise=False)


def _text(luck: random.Random, content: bytes) -> Damaged:
    """Lines that are missing, repeated, long or of another encoding; other numbers and words."""
    lines = content.split(b"\n")
    at = luck.randrange(len(lines))
    kind = luck.choice(
        ["gone", "twice", "order", "long", "number", "word", "bytes", "dos", "mark", "deep"]
    )
    if kind == "gone":
        del lines[at]
    elif kind == "twice":
        lines.insert(at, lines[luck.randrange(len(lines))])
    elif kind == "order":
        other = luck.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "long":
        lines.insert(at, luck.choice([b"x", b"[", b"(", b"{", b"1", b" "]) * 200_000)
    elif kind == "number":
        new = luck.choice([b"0", b"-1", b"9" * 30, b"1e999", b"nan", b"0.5", b"1", b"9" * 6000])
        lines[at] = re.sub(rb"-?\d+(\.\d+)?", lambda _: new, lines[at], count=1)
    elif kind == "word":
        new = luck.choice([b"", b"x", b"true", b'""', b"[]", b"\xff", b"\x00", b"O-O-O", b"e4"])
        lines[at] = re.sub(rb"[a-zA-Z_]+", lambda _: new, lines[at], count=1)
    elif kind == "bytes":
        lines.insert(at, luck.randbytes(20))
    elif kind == "dos":
        lines = [line + b"\r" for line in lines]
    elif kind == "mark":
        lines[0] = b"\xef\xbb\xbf" + lines[0]
    else:
        lines.insert(at, b"x = " + b"[" * 50_000)
    return Damaged(b"\n".join(lines), f"{kind} at line {at}", noise=False)


def _archive(luck: random.Random, content: bytes) -> Damaged:
    """Members of an archive that are gone, exchanged, renamed, of another type, shape or value."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = luck.choice(list(members))
    kind = luck.choice(
        ["gone", "exchange", "rename", "twice", "text", "pickle", "claim", "header", "header"]
        + ["type", "shape", "value", "value"] * 2
    )
    what = f"{kind} of {name}"
    if kind == "gone":
        del members[name]
    elif kind == "exchange":
        other = luck.choice(list(members))
        members[name], members[other] = members[other], members[name]
        what = f"{name} and {other} exchanged"
    elif kind == "rename":
        members[luck.choice([name + "x", name[:-1], "../" + name, "x.npy", ""])] = members.pop(name)
    elif kind == "twice":
        return Damaged(_zipped(members, (name, members[name][:-1])), what, noise=False)
    elif kind == "text":
        members[name] = luck.choice([b"", b"hello", b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{}"])
    elif kind == "pickle":
        members[name] = _saved(np.array([{"x": 1}, None], dtype=object))
    elif kind == "claim":
        members[name] = _claim(luck, members[name])
    elif kind == "header" and "header.npy" in members:
        header = np.load(io.BytesIO(members["header.npy"]), allow_pickle=False)
        changed, where = change_json(luck, json.loads(header.tobytes()))
        deep = luck.random() < 0.05
        text = b'{"fogtree":' + b"[" * 100_000 if deep else _dumped(changed)
        members["header.npy"] = _saved(np.frombuffer(text, np.uint8))
        what = f"header changed {where}"
    else:
        array = np.load(io.BytesIO(members[name]), allow_pickle=False)
        members[name] = _saved(_changed_array(luck, array, kind))
    return Damaged(_zipped(members), what, noise=False)


def _changed_array(luck: random.Random, array: Any, kind: str) -> Any:
    if kind == "type":
        wanted = luck.choice(
            ["f2", "f4", "f8", "i1", "i4", "i8", "u1", "u8", "?", "U3", "S2", "c8"]
        )
        return array.astype(wanted)
    if kind == "shape":
        way = luck.randrange(7)
        if way == 0:
            return array[..., :-1]
        if way == 1:
            return array[None]
        if way == 2:
            return array.ravel()[:0]
        if way == 3:
            return np.array(array.ravel()[0])
        if way == 4:
            return np.concatenate([array, array])
        return array.T if way == 5 else array.ravel()[::-1]
    flat = array.copy().ravel()
    value = luck.choice([np.nan, np.inf, -np.inf, -1, 0, 2, 1e300, 1e-300, -0.0, 127, 2**31, 2**62])
    place = luck.choice([slice(None), luck.randrange(max(1, flat.size))])
    with np.errstate(all="ignore"):
        flat[place] = np.array(value).astype(flat.dtype)
    return flat.reshape(array.shape)


def _claim(luck: random.Random, member: bytes) -> bytes:
    """A member whose head claims another shape or type than its content has."""
    new = luck.choice(
        [b"(1000000000000,)", b"(-1,)", b"(0,)", b"(99999999999999999999999,)", b"(3, 1, 2)", b"x"]
    )
    changed = re.sub(rb"\([^)]*\)", lambda found: new.ljust(len(found[0])), member, count=1)
    return changed[: len(member)] if luck.random() < 0.5 else changed


def _saved(array: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def _zipped(members: dict[str, bytes], *more: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (*members.items(), *more):
            archive.writestr(name, content)
    return out.getvalue()


def bomb(content: bytes, megabytes: int = 1500) -> bytes:
    """The archive with its largest array blown up to zeros that take much more memory."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    victim = max((n for n in members if n != "header.npy"), key=lambda n: len(members[n]))
    kind = np.load(io.BytesIO(members[victim]), allow_pickle=False).dtype
    count = (megabytes << 20) // kind.itemsize
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False,
               "shape": (count,)}
    )  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, member in members.items():
            if name != victim:
                archive.writestr(name, member)
        with archive.open(victim, "w", force_zip64=True) as file:
            file.write(head.getvalue())
            for _ in range(megabytes):
                file.write(bytes(1 << 20))
    return out.getvalue()
