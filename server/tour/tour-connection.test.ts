import { expect, test } from "vitest";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { tourAnswer } from "./tour-answer";
import { makeTourConnection } from "./tour-connection";

const request: ModelRequest = {
  provider: "tour",
  model: "scripted",
  messages: [{ role: "user", text: "Run the tests and fix what fails" }],
  tools: [],
  numCtx: 32_768,
  think: true,
  keepAliveMinutes: 5,
  maxOutputTokens: 1_000,
};
const { provider } = makeTourConnection({ pieceMs: 0 });

test("an answer is streamed in pieces, with its calls, and without counts", async () => {
  const parts: ModelPart[] = [];
  for await (const part of provider.stream(request, new AbortController().signal)) parts.push(part);
  const { thinking, text, calls } = tourAnswer(request.messages);
  const joined = (type: "text" | "thinking"): string =>
    parts.map((part) => (part.type === type ? part.text : "")).join("");
  expect(joined("thinking")).toBe(thinking);
  expect(joined("text")).toBe(text);
  expect(parts.filter(({ type }) => type === "call")).toEqual(calls.map((call) => ({ type: "call", ...call })));
  expect(parts.at(-1)).toMatchObject({ type: "finish", stop: "done", usage: { promptTokens: 0, outputTokens: 0 } });
});

test("an aborted answer ends without a last part", async () => {
  const stop = new AbortController();
  const parts: ModelPart[] = [];
  for await (const part of provider.stream(request, stop.signal)) {
    parts.push(part);
    stop.abort();
  }
  expect(parts).toHaveLength(1);
});
