// The official MCP client without the product: prints, as JSON, the time from loading it to the result of the first call
// of the tool `echo`, and the times of the further calls, ms. Arguments: number of further calls, program, its arguments.
const startedAt = performance.now();
const { Client } = await import("@modelcontextprotocol/client");
const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");

const [calls, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport({ command, args }));
await client.listTools();
const call = (text) => client.callTool({ name: "echo", arguments: { text } });
await call("first");
const coldMs = performance.now() - startedAt;
const callMs = [];
for (let index = 0; index < Number(calls); index += 1) {
  const at = performance.now();
  await call(`${index}`);
  callMs.push(performance.now() - at);
}
await client.close();
process.stdout.write(`${JSON.stringify({ coldMs, callMs })}\n`);
