"""Watches two analyses at once, with asyncio: what each thinks so far, as it changes.

python examples/embed/python/watch.py waltz --seconds 1
"""

from __future__ import annotations

import argparse
import asyncio

import druidai
from druidai.protocol import AsyncClient


async def watch(client: AsyncClient, view: druidai.View, algorithm: str, seconds: float) -> None:
    limit = druidai.Limit(seconds=seconds)
    async for found in client.analysis(view, algorithm=algorithm, limit=limit, report_every=0.2):
        best, state = found.moves[0], "so far" if found.partial else "in the end"
        print(f"{algorithm} {state}: {best.text}, value {best.value:.3f} ({best.visits} visits)")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="waltz")
    parser.add_argument("--seconds", type=float, default=1)
    arguments = parser.parse_args()
    world = druidai.game(arguments.game).start(seed=7)
    assert world.player is not None
    view = world.view(world.player)
    async with AsyncClient() as client:
        await asyncio.gather(
            watch(client, view, "ismcts", arguments.seconds),
            watch(client, view, "pimc", arguments.seconds),
        )


if __name__ == "__main__":
    asyncio.run(main())
