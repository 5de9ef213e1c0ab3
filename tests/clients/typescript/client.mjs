// Talks to mnemic as an agent's host would: client.mjs PROGRAM|URL REVISION.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [server, revision] = process.argv.slice(2);
const mode = revision === 'legacy' ? 'legacy' : { pin: revision };
const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode } }
);
const transport = server.startsWith('http')
    ? new StreamableHTTPClientTransport(new URL(server))
    : new StdioClientTransport({ command: server, args: ['mcp'], env: process.env });
await client.connect(transport);

const { tools } = await client.listTools();
assert.equal(tools.length, 18);
assert.deepEqual(tools.slice(0, 3).map(tool => tool.name), ['search', 'timeline', 'get']);
for (const tool of tools) assert.ok(tool.outputSchema && tool.annotations, tool.name);

// The client holds every answer to the tool's output schema and throws if it does not fit.
async function call(name, args = {}) {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
}

const key = `ts.port.${revision}`;
const made = await call('remember', { kind: 'fact', key, value: '5432' });
const found = await call('search', { query: `which ${key}` });
assert.ok(found.found.some(one => one.id === made.id), JSON.stringify(found));
const whole = await call('get', { ids: [made.id] });
assert.match(whole.memories[0].writer, /^agent:/);
await call('timeline', { around: made.id });
await call('context', { task: `change the ${key}` });
await call('save_learning', { lesson: `Ports of ${revision} are high.`, fails: 'Ports below 1024.' });
await call('feedback', { used: [made.id] });
await call('contradictions');
const label = `ts-${revision}`;
await call('edit_block', { action: 'create', label, text: 'Be brief.' });
await call('edit_block', { action: 'insert', label, text: 'Be kind.' });
await call('edit_block', { action: 'rethink', label, text: 'Be both.' });
assert.equal((await call('blocks', { label })).blocks[0].text, 'Be both.');
await call('archival_insert', { text: `Minutes of ${revision}.\nNobody came.` });
await call('archival_search', { query: 'minutes' });
await call('conversation_search', { until: '2030-01-01' });
assert.deepEqual((await call('redact', {})).found, []);
const path = `/memories/ts-${revision}.md`;
await call('memory', { command: 'create', path, file_text: 'one\ntwo\n' });
const again = await client.callTool({
    name: 'memory',
    arguments: { command: 'create', path, file_text: 'x' }
});
assert.ok(again.isError);
assert.equal(again.content[0].text, `File ${path} already exists`);
const steps = [];
await client.callTool(
    { name: 'consolidate', arguments: {} },
    { onprogress: step => steps.push(step.progress) }
);
// Steps that come in one piece with the answer are dropped by this client.
assert.ok(steps.length > 0, `progress: ${steps}`);
await call('forget', { ids: [made.id], reason: 'the test asked for it' });

const { resources } = await client.listResources();
for (const { uri } of resources) {
    const read = await client.readResource({ uri });
    assert.equal(typeof read.contents[0].text, 'string', uri);
}
await assert.rejects(client.readResource({ uri: 'mnemic://nothing' }));
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map(prompt => prompt.name), ['recall_before_task', 'hand_over']);
const prompt = await client.getPrompt({ name: 'hand_over', arguments: { to: 'the tester' } });
assert.match(prompt.messages[0].content.text, /the tester/);

await client.close();
console.log(`typescript, ${revision}: ok`);
