import { expect, test } from "vitest";
import type { ModelServer } from "./model-stream";
import { makeHostQueue } from "./host-queue";
import { readyModel } from "./ready-model";

test.each([
  [true, ["m"]],
  [false, []],
])("a load that ends with %s teaches the load times of %j", async (isLoaded, expected) => {
  const learned: string[] = [];
  const server: ModelServer = {
    provider: {
      id: "rack",
      models: async () => [],
      async *stream() {},
    },
    loader: {
      needsLoad: async () => true,
      load: async () => isLoaded,
      change: async () => ({ ok: true, value: null }),
    },
    host: () => "rack",
    note: () => ({}),
    answerStarted() {},
    learnLoad: (model) => void learned.push(model),
    learnReading() {},
    atOnce: () => 1,
    countsWholePrompt: () => true,
  };
  const environment = { server: () => server, queue: makeHostQueue(() => 1) };
  const model = { provider: "rack", model: "m", numCtx: 4_096 };
  expect(await readyModel(environment, model, () => {}, new AbortController().signal, "s")).toBe(true);
  expect(learned).toEqual(expected);
});
