import { expect, test } from "vitest";
import type { Usage } from "@/lib/events/content";
import { asId, type BlobId, type MessageId } from "@/lib/events/id";
import type { ModelServerState } from "@/lib/models/models";
import { emptyChunks, toChunks } from "@/lib/view/chunks";
import type { Entry, ModelState } from "@/lib/view/view";
import { contextWindowUse } from "./context-window-use";

const state: ModelState = {
  provider: "ollama",
  model: "qwen3:8b",
  toolMode: "native",
  numCtx: 16_384,
  think: true,
  profile: "default",
  prompt: asId<BlobId>("b"),
};
const server = (contextLength?: number): ModelServerState => ({
  status: "ready",
  host: "h",
  models: [
    {
      name: "qwen3:8b",
      capabilities: ["completion"],
      cloud: false,
      contextLength,
    },
  ],
  loaded: [{ name: "qwen3:8b", size: 1, vramShare: 1, contextLength: 8_192 }],
  canStart: false,
});
const usage: Usage = {
  promptTokens: 4_000,
  estimatedPromptTokens: 4_000,
  outputTokens: 96,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
};
test("the window is never larger than the model's own, and all three numbers are reported", () => {
  expect(contextWindowUse({ model: state, usage, entries: emptyChunks }, server(8_192))).toEqual({
    share: 0.5,
    window: { inForce: 8_192, asked: 16_384, allocated: 8_192, own: 8_192 },
  });
  // The allocated window is the smallest here; without a prompt count from the server our own estimate applies.
  expect(
    contextWindowUse({ model: state, usage: { ...usage, promptTokens: 0 }, entries: emptyChunks }, server(32_768)),
  ).toEqual({
    share: 0.5,
    window: { inForce: 8_192, asked: 16_384, allocated: 8_192, own: 32_768 },
  });
  expect(contextWindowUse({ model: state, usage: null, entries: emptyChunks }, undefined)).toEqual({
    share: null,
    window: { inForce: 16_384, asked: 16_384 },
  });
  expect(contextWindowUse({ model: null, usage, entries: emptyChunks }, server())).toBeNull();
});

test("after a compaction the window holds the retained tokens until the next answer reports its count", () => {
  const answer: Entry = {
    kind: "message",
    seq: 1,
    messageId: asId<MessageId>("m"),
    role: "assistant",
    at: 0,
    blocks: [{ type: "text", text: "Said in so many words. ".repeat(10) }],
    usage,
    calls: [],
  };
  const compaction: Entry = {
    kind: "compaction",
    seq: 2,
    at: 0,
    state: "done",
    tokensBefore: 4_096,
    tokensAfter: 2_048,
  };
  const share = (...entries: readonly Entry[]): number | null | undefined =>
    contextWindowUse({ model: state, usage, entries: toChunks(entries) }, server())?.share;
  expect(share(answer, compaction)).toBe(0.25);
  expect(share(answer, { ...compaction, state: "failed" })).toBe(0.5);
  expect(share(answer, compaction, { ...answer, seq: 3 })).toBe(0.5);
});

test("the model's own window is found by its name without the tag latest", () => {
  const named = {
    ...server(8_192),
    models: [{ name: "qwen3:latest", capabilities: [], cloud: false, contextLength: 4_096 }],
  };
  expect(
    contextWindowUse({ model: { ...state, model: "qwen3" }, usage, entries: emptyChunks }, named)?.window.own,
  ).toBe(4_096);
});
