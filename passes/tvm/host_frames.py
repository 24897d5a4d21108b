"""Frames of PROTOCOL.md, as the host sends them; the adapter receives them."""

import json
import struct


def encode(header, bodies=()):
    parts = [json.dumps(header, separators=(",", ":")).encode("utf-8", "replace"), *bodies]
    pieces = [struct.pack("<I", len(parts))]
    for part in parts:
        pieces += (struct.pack("<I", len(part)), part)
    return b"".join(pieces)
