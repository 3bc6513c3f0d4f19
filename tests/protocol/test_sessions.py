"""Several connections share one service in one process, over a transport that is no pipe."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

import druidai
from druidai.protocol import AsyncClient, ProtocolError, Service, Session
from druidai.protocol.transport import Receiver

from .inside import PATIENCE, view_after

VIEW = view_after("waltz", 2, 9)
Limit = druidai.Limit


class Local:
    """A transport to a session in the same process; the loop is never held up by it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._one_at_a_time = ThreadPoolExecutor(1)

    async def start(self, receiver: Receiver) -> None:
        self._receiver, loop = receiver, asyncio.get_running_loop()
        self.session = Session(
            self._service, lambda lines: loop.call_soon_threadsafe(self._hear, lines)
        )

    def write(self, line: bytes) -> None:
        self._one_at_a_time.submit(self._serve, line)

    async def drain(self) -> None:
        """There is always room."""

    async def close(self, seconds: float) -> None:
        await asyncio.to_thread(self._one_at_a_time.shutdown)
        await asyncio.to_thread(self.session.quit)
        await asyncio.sleep(0)  # for the last lines
        self._receiver.end("closed the connection")

    def hang_up(self) -> None:
        """Nothing more is sent anyway."""

    def _serve(self, line: bytes) -> None:
        self.session.receive(line)
        self.session.flush()

    def _hear(self, lines: bytes) -> None:
        for line in lines.splitlines():
            self._receiver.line(line)


async def own_games(ada: AsyncClient, bo: AsyncClient) -> None:
    # Each calls its own game as it likes, and has no business with that of the other.
    for client, seed in ((ada, 1), (bo, 2)):
        await client.new("waltz", seed=seed, game_id="mine")
    worlds = [(await client.view(game_id="mine", open=True)).seed for client in (ada, bo)]
    assert worlds == [1, 2]
    await ada.new("waltz", game_id="another")
    with pytest.raises(ProtocolError, match="there is no game 'another'"):
        await bo.legal(game_id="another")
    with pytest.raises(ProtocolError, match="3 games are open"):
        await bo.new("waltz")


def test_sessions_share_a_service_and_nothing_else() -> None:
    async def main() -> None:
        service = Service(threads=2, max_games=3)
        async with AsyncClient(transport=Local(service)) as ada:
            async with AsyncClient(transport=Local(service)) as bo:
                await own_games(ada, bo)
                reports = ada.analysis(VIEW, report_every=0.01)
                assert (await anext(reports)).partial
                found = await bo.analyse(VIEW, limit=Limit(iterations=50), seed=1)
                assert (
                    found.moves == druidai.analyse(VIEW, limit=Limit(iterations=50), seed=1).moves
                )
                assert await bo.stop() == ()  # stops what is its own
                assert (await anext(reports)).partial
            # Bo has quit: that ends nobody else's analysis, and there is room for a game again.
            with pytest.raises(ConnectionError, match="the engine closed the connection"):
                await bo.hello()
            assert (await anext(reports)).partial
            await ada.new("waltz")
            await reports.aclose()
        service.close()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_the_threads_of_a_service_are_shared() -> None:
    async def main() -> None:
        service = Service(threads=1)
        async with (
            AsyncClient(transport=Local(service)) as ada,
            AsyncClient(transport=Local(service)) as bo,
        ):
            reports = ada.analysis(VIEW, report_every=0.01)
            await anext(reports)
            waits = asyncio.ensure_future(bo.choose(VIEW, bot="random"))
            await bo.hello()
            assert not waits.done()  # the only thread is Ada's
            await ada.stop()
            assert (await waits).action in VIEW.actions()
            assert [report.ended async for report in reports][-1] == "stopped"
        service.close()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_client_that_leaves_takes_its_waiting_requests_with_it() -> None:
    async def main() -> None:
        service = Service(threads=1)
        async with AsyncClient(transport=Local(service)) as ada:
            reports = ada.analysis(VIEW, report_every=0.01)
            await anext(reports)
            async with AsyncClient(transport=Local(service)) as bo:
                waits = asyncio.ensure_future(bo.choose(VIEW))
                await bo.hello()
            with pytest.raises(ProtocolError, match="it was stopped before it began"):
                await waits
            assert (await anext(reports)).partial
            await reports.aclose()
        service.close()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))
