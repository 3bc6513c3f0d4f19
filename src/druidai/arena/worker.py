"""A worker process of one machine: it gets batches of games and sends back what they came to."""

from __future__ import annotations

from time import perf_counter

import msgspec

from druidai.arena.config import Config
from druidai.arena.desk import Desk
from druidai.arena.process import connect
from druidai.arena.schedule import Key
from druidai.arena.store import Finished

# Finished games wait no longer than this before they are sent, so that a crash costs little; they
# are not sent one by one because a message costs as much as a short game.
FLUSH = 0.02


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Games to play, in this order."""

    keys: list[Key]
    isolate: bool = False


encode = msgspec.msgpack.Encoder().encode
decode_batch = msgspec.msgpack.Decoder(Batch).decode
decode_games = msgspec.msgpack.Decoder(list[Finished]).decode


def main() -> None:
    """Serve one parent until it closes the connection."""
    connection = connect()
    desk = Desk(Config.from_json(connection.recv_bytes(), check=False))
    try:
        while True:
            batch = decode_batch(connection.recv_bytes())
            done: list[Finished] = []
            sent = perf_counter()
            for key in batch.keys:
                done.append(desk.play(key, isolate=batch.isolate))
                now = perf_counter()
                if now - sent > FLUSH:
                    connection.send_bytes(encode(done))
                    done, sent = [], now
            if done:
                connection.send_bytes(encode(done))
    except (EOFError, OSError):
        pass
    finally:
        desk.close()


if __name__ == "__main__":
    main()
