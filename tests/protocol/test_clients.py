"""The clients, sync and asyncio, against the real engine in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest

import druidai
from druidai.protocol import AsyncClient, Client, EngineGoneError, ProtocolError
from druidai.protocol.client import ENGINE
from tests.played import EVERY

from .inside import PATIENCE, view_after


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_whole_game(client: Client, name: str, players: int) -> None:
    begun = client.new(name, players=players, seed=2)
    player = begun.player
    while player is not None:
        legal = client.legal(game_id=begun.game_id)
        chosen = client.choose(game_id=begun.game_id, bot="random:seed=1")
        assert chosen.action in [choice.action for choice in legal.actions]
        state = client.play(begun.game_id, chosen.action, seat=player)
        player = state.player
    assert state.results is not None and sum(state.results) == pytest.approx(1)
    assert client.stop(game_id=begun.game_id) == (begun.game_id,)


def test_everything_can_be_asked(client: Client) -> None:
    view = view_after("waltz", 2, 9)
    assert client.hello().name == "druidai"
    assert [game.name for game in client.games()] == [info.name for info in druidai.games()]
    assert [choice.action for choice in client.legal(view).actions] == view.actions()
    assert client.legal(view.to_dict()).actions == client.legal(view).actions
    assert client.view(view, draw="text").drawing == str(view)
    answer = client.analyse(view, limit=druidai.Limit(iterations=100), seed=3)
    expected = druidai.analyse(view, limit=druidai.Limit(iterations=100), seed=3)
    assert answer.moves == expected.moves


def test_partial_answers_and_stop(client: Client) -> None:
    view = view_after("waltz", 2, 9)
    call = client.start_analysis(view, report_every=0.01)
    seen = []
    for answer in call:
        seen.append(answer)
        if len(seen) == 3:
            client.stop(call)
    assert seen[-1].final and seen[-1].ended == "stopped"
    assert all(answer.partial for answer in seen[:-1]) and call.done()
    reports: list[int] = []
    limit = druidai.Limit(seconds=1)
    last = client.analyse(
        view, limit=limit, progress=lambda a: reports.append(a.root.visits), report_every=0.01
    )
    assert reports and reports == sorted(reports) and last.root.visits >= reports[-1]


def test_an_error_is_raised_with_its_field(client: Client) -> None:
    with pytest.raises(ProtocolError, match="game: unknown game") as caught:
        client.new("chess")
    assert caught.value.field == "game"
    with pytest.raises(ProtocolError, match="either view or game_id"):
        client.legal()


def test_many_requests_at_once(client: Client) -> None:
    view = view_after("waltz", 2, 9)
    limit = druidai.Limit(iterations=50)
    calls = [client.start_analysis(view, limit=limit, seed=n) for n in range(200)]
    assert [call.result(PATIENCE).seed for call in calls] == list(range(200))


def test_an_engine_that_dies_ends_all_calls() -> None:
    client = Client()
    client.hello()
    call = client.start_analysis(view_after("waltz", 2, 9), report_every=0.01)
    next(iter(call))
    client.process.kill()
    with pytest.raises(EngineGoneError, match="killed by signal 9"):
        call.result(PATIENCE)
    with pytest.raises(EngineGoneError):
        client.hello()
    client.close()


def test_a_program_that_speaks_something_else_is_told() -> None:
    client = Client([sys.executable, "-c", "print('hello world')"])
    with pytest.raises(EngineGoneError, match="expected an answer, found 'hello world'"):
        client.hello()
    client.close()
    with pytest.raises(FileNotFoundError):
        Client("no-such-program-anywhere")


def test_closing_stops_what_thinks() -> None:
    with Client() as client:
        call = client.start_analysis(view_after("waltz", 2, 9), report_every=0.01)
        next(iter(call))
    assert call.result(0).ended == "stopped"
    assert "ended with code 0" in client.process.how_it_ended()


# ---- asyncio ----


def test_asyncio_plays_a_game_and_analyses_meanwhile() -> None:
    async def game(client: AsyncClient) -> float:
        begun = await client.new("waltz", seed=2)
        player = begun.player
        while player is not None:
            assert (await client.legal(game_id=begun.game_id)).player == player
            chosen = await client.choose(game_id=begun.game_id, bot="random:seed=1")
            state = await client.play(begun.game_id, chosen.action)
            player = state.player
        assert state.results is not None
        return sum(state.results)

    async def analyses(client: AsyncClient) -> list[bool]:
        view = view_after("waltz", 2, 9)
        limit = druidai.Limit(seconds=1)
        found = [a.partial async for a in client.analysis(view, limit=limit, report_every=0.01)]
        whole = await client.analyse(view, limit=druidai.Limit(iterations=50), seed=1)
        assert (
            whole.moves == druidai.analyse(view, limit=druidai.Limit(iterations=50), seed=1).moves
        )
        return found

    async def main() -> None:
        async with AsyncClient() as client:
            assert (await client.hello()).protocol == 1
            assert (await client.games())[0].name == "waltz"
            share, partial = await asyncio.gather(game(client), analyses(client))
            assert share == 1
            assert partial[-1] is False and all(partial[:-1]) and len(partial) > 1
            with pytest.raises(ProtocolError, match="game: unknown game"):
                await client.new("chess")
            assert (await client.view(view_after("waltz", 2, 3))).view is not None

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_asyncio_an_analysis_that_is_left_is_stopped() -> None:
    async def main() -> None:
        async with AsyncClient([*ENGINE, "--threads", "1"]) as client:
            analysis = client.analysis(view_after("waltz", 2, 9), report_every=0.01)
            async for answer in analysis:
                assert answer.partial
                break
            await analysis.aclose()
            # There is one thread: this is answered only when the other one has ended.
            await client.analyse(view_after("waltz", 2, 9), limit=druidai.Limit(iterations=5))

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_asyncio_an_engine_that_ends_ends_all_calls() -> None:
    async def main() -> None:
        async with AsyncClient([sys.executable, "-c", "input(); raise SystemExit(3)"]) as client:
            with pytest.raises(EngineGoneError, match="ended with code 3"):
                await client.hello()
            with pytest.raises(EngineGoneError):
                await client.hello()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))
