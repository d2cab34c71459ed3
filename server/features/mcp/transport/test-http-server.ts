/** HTTP servers for the tests of MCP: written by hand, of the revision of 2026, and the one from npm. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import { npmServer } from "../test-mcp";
import type { HttpOptions } from "./http-target";

export const httpServer = (url: string, more: Partial<HttpOptions> = {}): HttpOptions => ({
  kind: "http",
  url,
  transport: null,
  headers: {},
  secrets: [],
  logSecrets: [],
  authorization: null,
  ...more,
});

export type TestRequest = Pick<IncomingMessage, "method" | "headers" | "url"> & {
  /** The message; an empty object for anything else. */
  readonly message: JsonObject;
  readonly body: string;
};

/** Serves until the end of the test; returns the address without a path. */
export async function serveHttp(
  handle: (request: TestRequest, response: ServerResponse) => void | Promise<void>,
  port = 0,
): Promise<{ readonly origin: string; readonly requests: TestRequest[]; close(): Promise<void> }> {
  const requests: TestRequest[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      const value = parseJson(body);
      const { method, headers, url } = incoming;
      const request = { method, headers, url, body, message: isJsonObject(value) ? value : {} };
      requests.push(request);
      void handle(request, response);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const used = typeof address === "object" && address !== null ? address.port : 0;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  onTestFinished(close);
  return { origin: `http://127.0.0.1:${used}`, requests, close };
}

export const sendMessage = (response: ServerResponse, message: Json, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(message));

export const sendEvent = (response: ServerResponse, data: Json, name = "message"): void =>
  void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

export const answerTo = ({ message }: TestRequest, result: Json): Json => ({
  jsonrpc: "2.0",
  id: message.id ?? null,
  result,
});

const echo = { name: "echo", description: "Repeats.", inputSchema: { type: "object" } };

/** Returns the answer of a server of 2025; null = none. `call` = the result of its tool. */
export function legacyAnswer(request: TestRequest, call: Json = textResult("hello")): Json | null {
  switch (request.message.method) {
    case "initialize":
      return answerTo(request, {
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "test", version: "1" },
      });
    case "tools/list":
      return answerTo(request, { tools: [echo] });
    case "tools/call":
      return answerTo(request, call);
    default:
      return "id" in request.message
        ? { jsonrpc: "2.0", id: request.message.id ?? null, error: { code: -32_601, message: "no such method" } }
        : null;
  }
}

export const textResult = (text: string): Json => ({ content: [{ type: "text", text }] });

/** Answers as a server of 2025 without sessions. */
export function answerLegacy(
  request: TestRequest,
  response: ServerResponse,
  headers: Record<string, string> = {},
): void {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const answer = legacyAnswer(request);
  if (answer === null) response.writeHead(202, headers).end();
  else sendMessage(response, answer, headers);
}

const nameSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

/** A server of 2026-07-28, which also answers requests of 2025 or refuses them. */
export async function serveModern(eras: "also 2025" | "only 2026"): ReturnType<typeof serveHttp> {
  const makeServer = (): McpServer => {
    const server = new McpServer({ name: "modern", version: "1" }, { instructions: "Greets." });
    const greet = { description: "Greets.", inputSchema: fromJsonSchema<{ name: string }>(nameSchema) };
    server.registerTool("greet", greet, ({ name }) => ({ content: [{ type: "text", text: `Hello ${name}` }] }));
    return server;
  };
  const handler = createMcpHandler(makeServer, eras === "only 2026" ? { legacy: "reject" } : {});
  const served = await serveHttp(async ({ method, headers, url, body }, response) => {
    const plain = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const init = { method, headers: plain, ...(method === "POST" ? { body } : {}) };
    const answer = await handler.fetch(new Request(`http://127.0.0.1${url ?? ""}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const part of answer.body) response.write(part);
    response.end();
  });
  return served;
}

/** Starts server-everything on a free port; returns its address. */
export async function serveEverything(kind: "streamableHttp" | "sse"): Promise<string> {
  const free = await serveHttp(() => {});
  const { port } = new URL(free.origin);
  await free.close();
  const { command, arguments: words } = npmServer("everything", kind);
  const child = spawn(command, words, { env: { ...process.env, PORT: port }, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.includes("port")) resolve();
    });
  });
  return `http://127.0.0.1:${port}/${kind === "sse" ? "sse" : "mcp"}`;
}
