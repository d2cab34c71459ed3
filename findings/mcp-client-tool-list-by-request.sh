#!/usr/bin/env bash
# @modelcontextprotocol/client 2.4.0, revision 2026-07-28 over Streamable HTTP: a server lists two tools, of which one names a header
# for a value of type object. The specification has clients leave out tools with such a declaration.
# Expected: the two ways to ask for the list, `listTools()` and `request({ method: "tools/list" })`, give the same tools.
# Seen: `listTools()` leaves the tool out; `request`, which a client needs for lists that are not valid in every part, gives both
# tools without a word. A client that reads lists by `request` has to check the declarations itself.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0
cat > lists.mjs <<'SCRIPT'
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "two", version: "1" });
  const answer = async () => ({ content: [] });
  server.registerTool("plain", { inputSchema: fromJsonSchema({ type: "object", properties: {} }) }, answer);
  const place = { type: "object", properties: { place: { type: "object", "x-mcp-header": "Place" } } };
  server.registerTool("bound", { inputSchema: fromJsonSchema(place) }, answer);
  return server;
});
const client = new Client({ name: "lists", version: "1" }, { versionNegotiation: { mode: "auto" } });
const transport = new StreamableHTTPClientTransport(new URL("http://two.example/mcp"), {
  fetch: (address, init) => handler.fetch(new Request(address, init)),
});
console.warn = () => {};
await client.connect(transport);
const names = ({ tools }) => tools.map(({ name }) => name).join();
const byMethod = names(await client.listTools());
const byRequest = names(await client.request({ method: "tools/list" }));
console.log(`listTools: ${byMethod}; request: ${byRequest}`);
process.exit(0);
SCRIPT

seen=$(node lists.mjs)
echo "$seen"
[ "$seen" = "listTools: plain; request: plain,bound" ]
