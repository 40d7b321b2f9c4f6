"""A TCP flow that always has something to send.

`python -m bench.traffic receive ADDRESS PORT` at one host, `send ADDRESS PORT CONGESTION_CONTROL`
at another. The receiver prints a line for each tenth of a second: the time by the monotonic clock,
which all processes of a machine share, and the bytes that have come until then.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time

PIECE_BYTES = 1 << 16
REPORT_S = 0.1
WAIT_LIMIT_S = 10.0


def receive(address: str, port: int) -> None:
    """Take what one sender sends until it ends."""
    with socket.create_server((address, port)) as listener:
        connection, _ = listener.accept()
    total, told = 0, time.monotonic()
    print(f"{told:.6f} 0", flush=True)
    with connection:
        while piece := connection.recv(PIECE_BYTES):
            total += len(piece)
            if (now := time.monotonic()) - told >= REPORT_S:
                told = now
                print(f"{now:.6f} {total}", flush=True)


def send(address: str, port: int, congestion_control: str) -> None:
    """Send until the receiver ends, or this process does."""
    deadline = time.monotonic() + WAIT_LIMIT_S
    while True:
        connection = socket.socket()
        connection.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion_control.encode()
        )
        try:
            connection.connect((address, port))
            break
        except ConnectionRefusedError:
            # The receiver does not listen yet.
            connection.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(REPORT_S)
    piece = bytes(PIECE_BYTES)
    with connection, contextlib.suppress(ConnectionError):
        while True:
            connection.sendall(piece)


def main() -> None:
    """Command line."""
    what, address, port, *rest = sys.argv[1:]
    if what == "receive":
        receive(address, int(port))
    else:
        send(address, int(port), *rest)


if __name__ == "__main__":
    main()
