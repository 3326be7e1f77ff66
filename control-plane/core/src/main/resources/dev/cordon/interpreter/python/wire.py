"""The interpreter's driver for Python. Two processes, one program:

  keeper  talks to Cordon over its standard input and output, starts the worker, passes on its output, survives it
  worker  a fork of the keeper: runs the code; its standard streams are pipes that the keeper reads

A frame is a length (of what follows), a kind, the number of a run, and fields, each with its length; numbers are big-endian. The same
frames travel between Cordon and the keeper and between the keeper and the worker. Nobody trusts what comes from the worker's side.
Only modules of a minimal Python are used.
"""

import os
import struct

DRIVER = "<cordon>"
MOST = 16 << 20

RUN, INTERRUPT, KILL = b"R", b"I", b"K"
READY, STDOUT, STDERR, DISPLAY, VALUE, RAISED, DONE, DIED = b"Y", b"O", b"E", b"D", b"V", b"X", b"F", b"Z"
BEGUN = b"B"  # between worker and keeper: from here on an interrupt is heard


class Broken(Exception):
    """What came is not a frame."""


def frame(kind, run, fields):
    body = bytearray(kind + struct.pack(">I", run))
    for field in fields:
        body += struct.pack(">I", len(field)) + field
    return struct.pack(">I", len(body)) + bytes(body)


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def parse(body):
    if len(body) < 5:
        raise Broken("a frame is too short")
    fields, at = [], 5
    while at < len(body):
        if len(body) - at < 4:
            raise Broken("a field is cut off")
        (length,) = struct.unpack_from(">I", body, at)
        at += 4
        if length > len(body) - at:
            raise Broken("a field is longer than its frame")
        fields.append(bytes(body[at:at + length]))
        at += length
    return bytes(body[:1]), struct.unpack_from(">I", body, 1)[0], fields


class Frames:
    """Frames out of a stream of bytes that comes in pieces."""

    def __init__(self):
        self.buffer = bytearray()

    def feed(self, data):
        self.buffer += data
        while len(self.buffer) >= 4:
            (length,) = struct.unpack_from(">I", self.buffer)
            if length > MOST:
                raise Broken("a frame of %d bytes is too long" % length)
            if len(self.buffer) < 4 + length:
                return
            body = self.buffer[4:4 + length]
            del self.buffer[:4 + length]
            yield parse(body)
