"""Talks to mnemic as an agent's host would: client.py PROGRAM|URL REVISION."""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters

TOOLS = {
    "search", "timeline", "get", "context", "remember", "save_learning", "feedback", "contradictions",
    "resolve", "forget", "blocks", "edit_block", "archival_insert", "archival_search",
    "conversation_search", "consolidate", "redact", "memory",
}


async def main(server, revision):
    if not server.startswith("http"):
        server = StdioServerParameters(command=server, args=["mcp"], env=dict(os.environ))
    async with Client(server, mode=revision) as client:
        await check(client, revision)
    print(f"python, {revision}: ok")


async def check(client, revision):
    wanted = "2025-11-25" if revision == "legacy" else revision
    assert client.protocol_version == wanted, client.protocol_version
    listed = (await client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS, [tool.name for tool in listed]
    assert all(tool.output_schema and tool.annotations for tool in listed)

    steps = []

    async def noted(progress, total, message):
        steps.append(progress)

    # The client holds every answer to the tool's output schema and raises if it does not fit.
    async def call(tool, **arguments):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result
        return result.structured_content

    key = f"port.{revision}"
    made = await call("remember", kind="fact", key=key, value="5432", tags=["net"])
    found = await call("search", query=f"which {key}")
    assert made["id"] in [one["id"] for one in found["found"]], found
    whole = await call("get", ids=[made["id"]])
    assert whole["memories"][0]["trust"] == "unreviewed", whole
    assert whole["memories"][0]["writer"].startswith("agent:"), whole
    await call("timeline", around=made["id"])
    await call("context", task=f"change the {key}", session=f"py-{revision}")
    await call("save_learning", lesson=f"Ports of {revision} are high.", works="Ask above 1024.")
    await call("feedback", used=[made["id"]], succeeded=True)
    await call("contradictions")
    label = f"persona-{revision}"
    await call("edit_block", action="create", label=label, text="Be brief.")
    await call("edit_block", action="replace", label=label, old_text="brief", text="kind")
    assert (await call("blocks", label=label))["blocks"][0]["text"] == "Be kind."
    await call("archival_insert", text=f"Notes of {revision}.\nIt rained all day.")
    await call("archival_search", query="rained")
    await call("conversation_search", query="anything", since="2020-01-01")
    assert (await call("redact"))["found"] == []
    path = f"/memories/{revision}.md"
    said = await call("memory", command="create", path=path, file_text="one\n")
    assert said["text"] == f"File created successfully at: {path}", said
    await client.call_tool("consolidate", {}, progress_callback=noted)
    assert steps and steps == sorted(steps), steps
    await call("forget", ids=[made["id"]], reason="the test asked for it")

    refused = await client.call_tool("get", {"ids": ["fact-nowhere"]})
    assert refused.is_error and "search" in refused.content[0].text, refused

    uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert uris == ["mnemic://index", "mnemic://timeline", "mnemic://continuity"], uris
    for uri in uris:
        assert (await client.read_resource(uri)).contents[0].text is not None
    names = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert names == ["recall_before_task", "hand_over"], names
    prompt = await client.get_prompt("recall_before_task", {"task": "change the port"})
    assert "change the port" in prompt.messages[0].content.text


asyncio.run(main(*sys.argv[1:]))
