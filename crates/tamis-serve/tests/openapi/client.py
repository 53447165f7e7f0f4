"""Calls a server through a client that was generated from its document, and its tools through the client of MCP.

Usage: client.py URL FOLDER_OF_THE_GENERATED_CLIENT TAMIS
"""

import asyncio
import importlib
import sys

url, folder, tamis = sys.argv[1:]
sys.path.insert(0, folder)

PAGE = """<title>Rain - The Paper</title><nav><a href=/>Home</a></nav><article><h1>Rain at last</h1>
<p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p>
<p>On Wednesday the council met, and its members spoke about the old bridge, which had been closed.</p></article>"""


def generated():
    from tamis_client import Client
    from tamis_client.models import PageRequest

    extract = importlib.import_module("tamis_client.api.pages.extract")
    with Client(base_url=url) as client:
        answer = extract.sync_detailed(client=client, body=PageRequest(html=PAGE))
    record = answer.parsed
    assert answer.status_code == 200, answer
    assert record.title == "Rain at last", record
    assert "It rained in the harbour" in record.text, record


async def tools(streams):
    from mcp import ClientSession

    async with streams as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        assert {"extract_html", "explain"} <= names and "read_url" not in names, names
        answer = await session.call_tool("extract_html", {"html": PAGE})
        assert "It rained in the harbour" in answer.content[0].text, answer


def main():
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    generated()
    print("the generated client works")
    asyncio.run(tools(stdio_client(StdioServerParameters(command=tamis, args=["mcp"]))))
    print("the tools work over standard input and output")
    try:
        from mcp.client.streamable_http import streamable_http_client
    except ImportError:
        from mcp.client.streamable_http import streamablehttp_client as streamable_http_client
    asyncio.run(tools(streamable_http_client(f"{url}/mcp")))
    print("the tools work over HTTP")


main()
