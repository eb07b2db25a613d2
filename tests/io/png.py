"""The pixels of a PNG file, without a library."""
import struct
import zlib


def pixels(path):
    """Width, height and rows of an 8-bit RGB or RGBA PNG file."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    raw, rows, last = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        last = unfilter(raw[begin], raw[begin + 1:begin + 1 + width * step],
                        last, step)
        rows.append([tuple(last[i:i + 3]) for i in range(0, len(last), step)])
    return width, height, rows


def unfilter(kind, line, above, step):
    out = bytearray(line)
    for i, x in enumerate(line):
        a = out[i - step] if i >= step else 0
        b, c = above[i], above[i - step] if i >= step else 0
        if kind == 1:
            x += a
        elif kind == 2:
            x += b
        elif kind == 3:
            x += (a + b) // 2
        elif kind == 4:
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
            x += near[2]
        out[i] = x & 255
    return out


def coloured(rows):
    """Pixels that are neither grey nor white: bodies, coloured by speed."""
    return sum(max(p) - min(p) > 40 for row in rows for p in row)
