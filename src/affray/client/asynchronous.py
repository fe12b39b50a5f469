"""The client for asynchronous programs."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

import httpx

from affray.tools.api.schemas.fights import Moment

from . import calls
from .feed import Update, follow, next_update
from .http import ClientBase, copy_description, describe_request, head_of, outcome_of
from .links import TableLink
from .steps import Flow, Outcome, Pause, Request, Step

P = ParamSpec("P")
T = TypeVar("T")


def _method(
    call: Callable[Concatenate[TableLink, P], Flow[T]],
) -> Callable[Concatenate["AsyncClient", P], Awaitable[T]]:
    """Return a call as a method."""

    async def run(client: "AsyncClient", /, *args: P.args, **named: P.kwargs) -> T:
        async with aclosing(_Exchange(client)) as exchange:
            return await exchange.run(call(client.link, *args, **named))

    copy_description(call, run)
    return run


class AsyncClient(ClientBase[httpx.AsyncClient]):
    """A client at one table, for asynchronous programs.

    Args:
        link: A link as the server prints it.
        fight: The fight, for the host's link, which names none.
        http: The httpx client to use, such as one with a proxy or certificates; it is not closed.
        wait: The function that waits before something is tried again, such as ``trio.sleep``.

    Raises:
        BadLink: the link does not name a server and a token.
    """

    def __init__(
        self,
        link: str,
        fight: str = "",
        *,
        http: httpx.AsyncClient | None = None,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(link, fight, http, httpx.AsyncClient)
        self.wait = wait

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the client."""
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        if self.is_own:
            await self.http.aclose()

    async def follow(self, since: Moment | None = None, *, headline: bool = False) -> AsyncGenerator[Update, None]:
        """Follow the fight without a gap or a duplicate, over any number of lost connections.

        It ends only if the caller leaves it, or by an error.

        Args:
            since: The moment to go on from, such as the last update's, or ``START``; the present one if not given.
            headline: Whether ``HeadlineChanged`` says whose turn it is.

        Raises:
            RequestRefused: the server refuses, and will again.
            UnreadableAnswer: what came is no feed of an Affray server.
            RecordAltered: a line was altered, or is missing.
        """
        feed = follow(self.link, since, headline=headline)
        async with aclosing(_Exchange(self)) as exchange:
            while True:
                yield await exchange.run(next_update(feed))

    get_fight = _method(calls.get_fight)
    get_state = _method(calls.get_state)
    get_log = _method(calls.get_log)
    get_story = _method(calls.get_story)
    explain = _method(calls.explain)
    list_actors = _method(calls.list_actors)
    list_actions = _method(calls.list_actions)
    list_choices = _method(calls.list_choices)
    list_actions_against = _method(calls.list_actions_against)
    list_destinations = _method(calls.list_destinations)
    suggest_action = _method(calls.suggest_action)
    list_rulings = _method(calls.list_rulings)
    send = _method(calls.send)
    say = _method(calls.say)


class _Exchange:
    """One request and its answer at a time, for one flow."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self.response: httpx.Response | None = None
        self.parts: AsyncIterator[bytes] | None = None

    async def run(self, flow: Flow[T]) -> T:
        """Carry out the steps of a flow; return what it returns."""
        outcome: Outcome = None
        while True:
            try:
                step = flow.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = await self.carry_out(step)

    async def carry_out(self, step: Step) -> Outcome:
        """Carry out a step; return its outcome."""
        if isinstance(step, Pause):
            await self.client.wait(step.seconds)
            return None
        try:
            if isinstance(step, Request):
                return await self._begin(step)
            assert self.parts is not None, "a request comes first"
            return await anext(self.parts, b"")
        except httpx.RequestError as error:
            return outcome_of(error)

    async def aclose(self) -> None:
        """Leave the answer, whether it was read or not."""
        response, self.response = self.response, None
        if response is not None:
            await response.aclose()

    async def _begin(self, request: Request) -> Outcome:
        await self.aclose()
        http = self.client.http
        sent = http.build_request(**describe_request(request))
        self.response = await http.send(sent, stream=True, follow_redirects=False)
        self.parts = self.response.aiter_bytes()
        return head_of(self.response)
