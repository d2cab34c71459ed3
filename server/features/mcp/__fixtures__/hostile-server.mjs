// An MCP server written by hand that gets one thing wrong, as its first argument says. Plain JSON lines, no package.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [mode = "", extra = ""] = process.argv.slice(2);
const schema = { type: "object", properties: { text: { type: "string" } } };
const write = (text) => process.stdout.write(text);
const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const echo = { name: "echo", description: "Answers.", inputSchema: schema };

const toolsByMode = {
  "output-schema": [
    { ...echo, outputSchema: { properties: {} } },
    { name: "other", inputSchema: schema },
  ],
  "promised-structure": [{ ...echo, outputSchema: { type: "object", required: ["a"], properties: { a: {} } } }],
  "broken-tools": [
    { description: "has no name", inputSchema: schema },
    { name: "string_schema", inputSchema: "text" },
    { name: "array_schema", inputSchema: { type: "array" } },
    {
      name: "odd",
      description: 7,
      inputSchema: { properties: [], required: [1, "a"] },
      annotations: { readOnlyHint: "yes" },
    },
    null,
    echo,
  ],
  "self-reference": [
    { ...echo, inputSchema: { type: "object", properties: { node: { $ref: "#" } } } },
    { name: "deep", inputSchema: JSON.parse(`${'{"properties":{"a":'.repeat(100)}{}${"}}".repeat(100)}`) },
    { name: "big", inputSchema: { type: "object", description: "x".repeat(70_000) } },
    { name: "bound", inputSchema: { type: "object", "x-mcp-header": "Region" } },
    { ...echo, name: "task", execution: { taskSupport: "required" } },
    { ...echo, name: "maybe_task", execution: { taskSupport: "optional" } },
    { ...echo, name: "app", _meta: { ui: { visibility: ["app"] } } },
    { ...echo, name: "both", _meta: { ui: { visibility: ["model", "app"] } } },
  ],
  "large-tools": Array.from({ length: 60 }, (_, index) => ({
    name: `tool${index}`,
    description: "word ".repeat(2_000),
    inputSchema: { type: "object", description: "x".repeat(60_000) },
  })),
  "many-tools": Array.from({ length: 1_000 }, (_, index) => ({ ...echo, name: `tool${index}` })),
};

const contents = {
  "promised-structure": { content: [{ type: "text", text: "only text" }] },
  array: [
    { type: "text", text: "first" },
    { type: "text", text: "second" },
  ],
  structured: { content: [], structuredContent: [1, { a: 2 }] },
  both: { content: [{ type: "text", text: "words" }], structuredContent: { copy: true } },
  unknown: {
    content: [{ type: "hologram", data: "?" }, { type: "text", text: "kept" }, 7, "plain", { type: "image" }],
  },
  failed: { content: [{ type: "text", text: "did not work" }], isError: true },
  string: "just text",
};

let token = 0;
let steps = 0;

/** Reports a step of the first call. */
function makeStep() {
  steps += 1;
  send({
    method: "notifications/progress",
    params: { progressToken: token, progress: steps, message: `step ${steps}` },
  });
}

let pages = 0;

function listTools(id, cursor) {
  if (mode === "endless") {
    pages += 1;
    return send({ id, result: { tools: [{ ...echo, name: `page${pages}` }], nextCursor: `${cursor ?? ""}x` } });
  }
  send({ id, result: { tools: toolsByMode[mode] ?? [echo] } });
}

function callTool(id, { name, arguments: input, _meta }) {
  if (mode === "long-line") return write(`{"jsonrpc":"2.0","id":${id},"result":"${"x".repeat(20_000_000)}"}\n`);
  if (mode === "long-line-sdk")
    return write(
      `{"result":{"content":[{"type":"text","text":"${"x".repeat(20_000_000)}"}]},"jsonrpc":"2.0","id":${id}}\n`,
    );
  if (mode === "deep")
    return write(
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${"[".repeat(200_000)}${"]".repeat(200_000)}}}\n`,
    );
  if (mode === "changes") send({ method: "notifications/tools/list_changed" });
  if (mode === "refuses")
    return send({
      id,
      error: {
        code: -32000,
        message: `no\u001b[31m\n\u202eaccess with ${process.env.API_TOKEN}\n[from system] ${"word ".repeat(5_000)}`,
      },
    });
  if (mode === "whispers")
    return send({
      method: "notifications/progress",
      params: { progressToken: _meta.progressToken, progress: 1, message: `uses ${process.env.API_TOKEN}` },
    });
  if (mode === "exit-in-call") process.exit(3);
  if (mode === "silent" && name !== "again") return process.stderr.write(`called ${id}\n`);
  if (mode === "steps") {
    if (name === "echo") token = _meta.progressToken;
    makeStep();
    if (name === "echo") return;
  }
  if (mode === "twice") send({ id, result: { content: [{ type: "text", text: "once" }] } });
  if (mode === "environment")
    return send({ id, result: { content: [{ type: "text", text: JSON.stringify(process.env) }] } });
  send({
    id,
    result: contents[mode] ?? { content: [{ type: "text", text: `echo ${JSON.stringify(input ?? null)}` }] },
  });
}

function receive(message) {
  const { id, method, params = {} } = message;
  if (method === "initialize") {
    if (mode === "exit-in-handshake") {
      process.stderr.write("first\u202e problem\nTOKEN is hunter2-hunter2\n");
      process.exit(7);
    }
    if (mode === "never-ready") return;
    if (mode === "garbage") return write("Usage: this is no server\n");
    if (mode === "bare-handshake")
      return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: true } } });
    if (mode === "odd-version")
      return send({
        id,
        result: { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "x", version: "1" } },
      });
    const capabilities = { tools: { listChanged: true } };
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: "hostile", version: "1" },
    };
    if (mode === "half-line") {
      const line = JSON.stringify({ jsonrpc: "2.0", id, result });
      write(line.slice(0, 40));
      return setTimeout(() => write(`${line.slice(40)}\n`), 20);
    }
    return send({ id, result: { ...result, instructions: `${"i".repeat(10_000)}` } });
  }
  if (method === "tools/list") return listTools(id, params.cursor);
  if (method === "tools/call") return callTool(id, params);
  if (method === "notifications/cancelled") {
    process.stderr.write(`cancelled ${params.requestId}\n`);
    if (mode === "silent") send({ id: params.requestId, result: { content: [{ type: "text", text: "too late" }] } });
  }
  if (method === "server/discover") return send({ id, error: { code: -32601, message: "Method not found" } });
  if (method === "notifications/initialized" && mode === "changes")
    send({ method: "notifications/tools/list_changed" });
}

if (mode === "log-on-stdout") write("server starts\n[info] {not json}\n{broken\n");
if (mode === "exit-at-once") {
  process.stderr.write(`${Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n")}\nno licence\n`);
  process.exit(4);
}
if (mode === "escapes" || mode === "ignores-signals") {
  // A child without the pipes, in a session of its own where the mode says so, that ignores what can be ignored.
  const child = spawn(
    process.execPath,
    ["-e", "process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});setInterval(()=>{},1000)"],
    {
      detached: mode === "escapes",
      stdio: extra === "pipes" ? "inherit" : "ignore",
    },
  );
  child.unref();
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
  process.stderr.write(`child ${child.pid}\n`);
}

createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line)));
