/** Answers that a llama-server holds, over real connections that break. */
import { expect, onTestFinished, test } from "vitest";
import { type HoldingServer, startHoldingServer } from "@/lib/testing/test-holding-server";
import { processEnds } from "@/server/base/abort";
import type { HeldAnswer, ModelPart, ModelRequest } from "../../provider";
import { mergeModelParts } from "../../provider.contract";
import { makeOpenAi } from "../openai";

interface Reading {
  readonly parts: ModelPart[];
  readonly ended: Promise<readonly ModelPart[]>;
  readonly stop: AbortController;
  /** Resolves when this text was read. */
  has(text: string): Promise<void>;
}

async function start(): Promise<HoldingServer> {
  const server = await startHoldingServer();
  onTestFinished(server.close);
  return server;
}

function read(server: HoldingServer, held: HeldAnswer = { id: "h1", isRequested: false }): Reading {
  const request: ModelRequest = {
    provider: "c",
    model: "m",
    messages: [{ role: "user", text: "hi" }],
    tools: [],
    numCtx: 8192,
    think: true,
    keepAliveMinutes: 30,
    maxOutputTokens: 512,
    held,
  };
  const provider = makeOpenAi({ id: "c", baseUrl: () => server.baseUrl, apiKey: () => null });
  const parts: ModelPart[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const ended = (async () => {
    for await (const part of provider.stream(request, stop.signal)) {
      parts.push(part);
      for (const check of [...waiting]) check();
    }
    return mergeModelParts(parts).filter(({ type }) => type !== "phase");
  })();
  const text = (): string => parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const has = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!text().includes(wanted)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { parts, ended, stop, has };
}

const requested = (server: HoldingServer): Promise<void> => server.waitFor(() => server.reads === 1);
const hasEnded = (server: HoldingServer): Promise<void> =>
  server.waitFor(() => server.requests.includes("DELETE /v1/stream"));
const wholeText = (parts: readonly ModelPart[]): readonly string[] =>
  parts.map((part) => (part.type === "text" ? part.text : part.type));

test("a connection that breaks twice in mid-answer is read on: no token twice, none lost, one prompt", async () => {
  const server = await start();
  const reading = read(server);
  await requested(server);
  server.write("One é ");
  await reading.has("One");
  server.cut();
  await server.waitFor(() => server.requests.at(-1) === "GET /v1/stream");
  server.write("two ");
  await reading.has("two");
  server.cut();
  server.write("three.");
  server.finish();
  expect(wholeText(await reading.ended)).toEqual(["One é two three.", "finish"]);
  expect(server.reads).toBe(1);
  expect(server.requests).not.toContain("DELETE /v1/stream");
});

test("a connection that breaks before the first byte is read on", async () => {
  const server = await start();
  const reading = read(server);
  await requested(server);
  server.cut();
  server.write("All of it.");
  server.finish();
  expect(wholeText(await reading.ended)).toEqual(["All of it.", "finish"]);
  expect(server.reads).toBe(1);
});

test("Stop ends the answer on the server before the stream ends", async () => {
  const server = await start();
  const reading = read(server);
  await requested(server);
  server.write("Begun");
  await reading.has("Begun");
  reading.stop.abort();
  await reading.ended;
  expect(server.requests.at(-1)).toBe("DELETE /v1/stream");
});

test("the end of this process leaves the answer to the next one, which reads it whole without a request", async () => {
  const server = await start();
  const before = read(server);
  await requested(server);
  server.write("Begun ");
  await before.has("Begun");
  before.stop.abort(processEnds);
  await before.ended;
  server.write("and done.");
  server.finish();
  const next = read(server, { id: "h1", isRequested: true });
  expect(wholeText(await next.ended)).toEqual(["Begun and done.", "finish"]);
  expect(server.reads).toBe(1);
  expect(server.requests).not.toContain("DELETE /v1/stream");
});

test("an answer whose start the server dropped is lost to another process", async () => {
  const server = await start();
  const reading = read(server);
  await requested(server);
  server.write("A long one, ");
  await reading.has("long");
  server.lose("start");
  const other = read(server, { id: "h1", isRequested: true });
  expect(await other.ended).toMatchObject([{ type: "failed", error: { code: "server_error" } }]);
});

test("a server that was started again has lost the answer, which fails as any broken one", async () => {
  const server = await start();
  const reading = read(server);
  await requested(server);
  server.write("Begun");
  await reading.has("Begun");
  server.lose("answers");
  server.cut();
  expect(await reading.ended).toMatchObject([
    { type: "text", text: "Begun" },
    { type: "failed", error: { code: "connection_lost" }, retryable: true },
  ]);
  await hasEnded(server);
  expect(server.reads).toBe(1);
});
