"""Files of networks: a header, the arrays in order, and a SHA-256 of it all at the end.

``docs/reference/files.md`` describes the format. All numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import numpy as np

from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.network.net import MOST_KING_BUCKETS, STACKS, WIDTHS, FogNet, shapes
from fogtree.system.file_reader import read_bytes
from fogtree.system.files import whole_file

MAGIC = b"FOGNET\r\n"
VERSION = 1
_FIELDS = struct.Struct("<8sIIIIIIf64s")  # magic … unit, the buckets of the king's squares
_DIGEST = 32
MOST_DESCRIPTION = 4096
MOST_BYTES = 128 << 20
_MIRRORED = 1


def find_net() -> Path:
    """The network that comes with the package; an error that says what to do if there is none."""
    path = Path(__file__).with_name("default.fognet")
    if not path.is_file():
        raise FileFormatError(
            "the network of this package, default.fognet, is missing: name a file as net:FILE, "
            "or use the evaluator 'simple'"
        )
    return path


def write_net(net: FogNet, path: Path) -> None:
    """Write a network's file, replacing an existing one."""
    with whole_file(path) as out:
        out.write(net_bytes(net))


def net_bytes(net: FogNet) -> bytes:
    """The bytes of a network's file."""
    text = net.description.encode()
    if len(text) > MOST_DESCRIPTION:
        raise OptionError(f"a network's description has at most {MOST_DESCRIPTION} bytes")
    head = _FIELDS.pack(
        MAGIC,
        VERSION,
        len(text),
        net.width,
        net.king_buckets,
        net.stacks,
        _MIRRORED if net.mirrored else 0,
        net.unit,
        net.king_bucket.astype(np.uint8).tobytes(),
    )
    parts = [array.astype(array.dtype.newbyteorder("<")).tobytes() for array in net.arrays.values()]
    content = head + text + b"".join(parts)
    return content + hashlib.sha256(content).digest()


def net_sha256(net: FogNet) -> str:
    """The checksum at the end of a network's file, in hexadecimal digits."""
    return net_bytes(net)[-_DIGEST:].hex()


def read_net(path: Path) -> FogNet:
    """Read a network's file; an error in one line if it is none, is damaged, or is too new."""
    content = read_bytes(path, MOST_BYTES)
    try:
        return net_from_bytes(content)
    except (FileFormatError, OptionError) as error:
        raise FileFormatError(f"'{path}': {error}") from None


def net_from_bytes(content: bytes) -> FogNet:
    """The network that a file's bytes hold."""
    if content[: len(MAGIC)] != MAGIC:
        raise FileFormatError("this is not a network of fogtree")
    if len(content) < _FIELDS.size + _DIGEST:
        raise FileFormatError("the network is cut off")
    _, version, length, width, buckets, stacks, flags, unit, squares = _FIELDS.unpack_from(content)
    if version != VERSION:
        raise FileFormatError(f"the network has format {version}; this version reads {VERSION}")
    body, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise FileFormatError("the network is damaged: its checksum is wrong")
    known = width in WIDTHS and stacks in STACKS and 1 <= buckets <= MOST_KING_BUCKETS
    if not known or flags not in (0, _MIRRORED) or length > MOST_DESCRIPTION:
        raise FileFormatError("the network's header makes no sense")
    king_bucket = np.frombuffer(squares, np.uint8)
    if int(king_bucket.max()) + 1 != buckets:
        raise FileFormatError("the network's king buckets do not fit their number")
    wanted = shapes(width, buckets, stacks)
    at = _FIELDS.size + length
    size = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for kind, shape in wanted.values())
    if len(body) != at + size:
        raise FileFormatError(f"the network has {len(body) - at} bytes of numbers, not {size}")
    arrays = {}
    for name, (kind, shape) in wanted.items():
        count = int(np.prod(shape))
        stored = np.frombuffer(body, np.dtype(kind).newbyteorder("<"), count, at)
        arrays[name] = stored.astype(kind).reshape(shape)
        at += stored.nbytes
    text = content[_FIELDS.size : _FIELDS.size + length].decode(errors="replace")
    return FogNet(text, unit, bool(flags & _MIRRORED), king_bucket, **arrays)
