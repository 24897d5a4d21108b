"""Frames of PROTOCOL.md."""

import json
import socket
import struct

MAX_FRAME_BYTES = 1 << 30
MAX_PARTS = 4096


def encode(header, bodies=()):
    parts = [json.dumps(header, separators=(",", ":")).encode("utf-8", "replace"), *bodies]
    pieces = [struct.pack("<I", len(parts))]
    for part in parts:
        pieces += (struct.pack("<I", len(part)), part)
    return b"".join(pieces)


def _receive(connection, size):
    """Exactly `size` bytes, or None at the end of the stream."""
    data = connection.recv(size, socket.MSG_WAITALL)
    if len(data) == size:
        return data
    pieces = [data]
    missing = size - len(data)
    while missing > 0:
        piece = connection.recv(missing, socket.MSG_WAITALL)
        if not piece:
            return None
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def _receive_u32(connection):
    data = _receive(connection, 4)
    return None if data is None else int.from_bytes(data, "little")


def receive(connection):
    """The header and all parts of the next frame; None once the client is gone. Raises ValueError for no frame."""
    count = _receive_u32(connection)
    if count is None:
        return None
    if not 0 < count <= MAX_PARTS:
        raise ValueError(f"a frame of {count} parts")
    parts = []
    for _ in range(count):
        size = _receive_u32(connection)
        if size is None or size > MAX_FRAME_BYTES:
            raise ValueError("a part that is cut off or too large")
        part = _receive(connection, size) if size else b""
        if part is None:
            raise ValueError("a part that is cut off")
        parts.append(part)
    return json.loads(parts[0]), parts
