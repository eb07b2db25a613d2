"""The seal of io/file/seal.h, written a second time: for files that tests have changed."""
import struct

RESULT, CHECKPOINT = 1, 2


def seal(path, kind=RESULT, format_=1):
    """Seals a file that has no seal."""
    with open(path, "rb") as file:
        data = file.read()
    padded = data + bytes(-len(data) % 8)
    words = struct.unpack("<%dQ" % (len(padded) // 8), padded)
    head = struct.pack("<II", kind, format_)
    h, mask = 0x9E3779B97F4A7C15, 2**64 - 1
    for w in [int.from_bytes(head, "little"), *words, len(data)]:
        h = ((h ^ w) * 0xD6E8FEB86659FD93) & mask
        h ^= h >> 32
    with open(path, "wb") as file:
        file.write(data + b"SCREEend" + head + struct.pack("<QQ", len(data), h))
