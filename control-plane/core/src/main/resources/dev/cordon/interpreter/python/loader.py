import os


def read(count):
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            os._exit(1)
        data += piece
    return data


exec(compile(read(int.from_bytes(read(4), "big")), "<cordon>", "exec"), {"__name__": "cordon"})
