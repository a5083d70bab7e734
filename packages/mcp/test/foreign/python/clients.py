"""Clients of Python, unmodified, each driven by the lines of a test.

usage: clients.py CLIENT URL HEADERS, with the headers as JSON

The first line of the output has the names of the tools. Each line of the input is then a call, and is answered by one line: what
the client hands on, or the error with which it fails.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager


def wire(result):
    """Returns a result in the words of the protocol, whatever the generation of the SDK calls its members."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def first_sdk(url, headers):
    """The session of the first generation of the SDK."""
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx.AsyncClient(headers=headers) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]

        async def call(name, given):
            return wire(await session.call_tool(name, given))

        yield names, call


def second_sdk(mode):
    """The client of the second generation of the SDK, which finds the newest revision by itself unless its mode is legacy."""

    @asynccontextmanager
    async def connect(url, headers):
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            assert (client.protocol_version == "2026-07-28") == (mode == "auto"), client.protocol_version
            names = [tool.name for tool in (await client.list_tools()).tools]

            async def call(name, given):
                return wire(await client.call_tool(name, given))

            yield names, call

    return connect


@asynccontextmanager
async def pydantic_ai(url, headers):
    """An agent of Pydantic AI. Its model calls the tool that the test names, and ends with what it reads back."""
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    names = []
    asked = {}
    read = {}

    def play(messages, info):
        names[:] = [tool.name for tool in info.function_tools]
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            text = last.model_response_str(wrap_if_error=False)
            read.update(isError=last.outcome != "success", content=[{"type": "text", "text": text}])
            return ModelResponse([TextPart("done")])
        return ModelResponse([ToolCallPart(asked["name"], asked["given"]) if asked else TextPart("done")])

    async with Agent(FunctionModel(play), toolsets=[MCPToolset(url, headers=headers)]) as agent:
        await agent.run("which tools are there?")

        async def call(name, given):
            asked.update(name=name, given=given)
            read.clear()
            await agent.run("call it")
            return dict(read)

        yield names, call


CLIENTS = {
    "first-sdk": first_sdk,
    "second-sdk": second_sdk("auto"),
    "second-sdk-earlier": second_sdk("legacy"),
    "pydantic-ai": pydantic_ai,
}


def say(line):
    print(json.dumps(line), flush=True)


async def main(client, url, headers):
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with CLIENTS[client](url, json.loads(headers)) as (names, call):
        say({"names": names})
        while line := await lines.readline():
            asked = json.loads(line)
            try:
                say({"result": await call(asked["name"], asked["given"])})
            except Exception as error:
                say({"error": repr(error)})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
