/** Every request of a provider carries the key in the way that the connection's settings name. */
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import type { KeyUse } from "@/lib/models/key-use";
import { makeOllama, type OllamaProvider } from "../ollama/ollama";
import { makeOpenAi, type OpenAiProvider } from "../openai/openai";
import { findPreset } from "../presets";
import { type ModelPart, type ModelRequest, ProviderError } from "../provider";
import { basicValue, startLockedServer } from "./test-locked-server";

const key = "hunter2 für Ünïcode";
const plainKey = "sk-plain-0123456789abcdef";
const never = (): AbortSignal => new AbortController().signal;
const request: ModelRequest = {
  provider: "p",
  model: "m1",
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  numCtx: 8192,
  think: false,
  keepAliveMinutes: 30,
  maxOutputTokens: 100,
};

async function drain(parts: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const locks: readonly [lock: string, key: string, use: KeyUse | undefined, header: string, value: string][] = [
  ["a bearer token", plainKey, undefined, "authorization", `Bearer ${plainKey}`],
  ["a password", key, { as: "password", name: "jörg" }, "authorization", basicValue("jörg", key)],
  ["a header", plainKey, { as: "header", name: "X-Api-Key" }, "x-api-key", plainKey],
  ["a header of two words", "Token a b", { as: "header", name: "Authorization" }, "authorization", "Token a b"],
];

const ollamaRoads: readonly [road: string, run: (provider: OllamaProvider) => Promise<unknown>][] = [
  ["GET /api/version", (provider) => provider.version(never())],
  ["GET /api/tags", (provider) => provider.models(never())],
  ["GET /api/ps", (provider) => provider.loaded(never())],
  ["POST /api/show", (provider) => provider.show("m1", never())],
  ["POST /api/pull", (provider) => drain(provider.pull("m2", never()))],
  ["POST /api/generate", (provider) => provider.warm("m1", 8192, 5, never())],
  ["POST /api/generate", (provider) => provider.unload("m1", never())],
  ["DELETE /api/delete", (provider) => provider.remove("m1", never())],
  ["POST /api/chat", (provider) => drain(provider.stream(request, never()))],
];
const openAiRoads: readonly [road: string, run: (provider: OpenAiProvider) => Promise<unknown>][] = [
  ["GET /v1/models", (provider) => provider.models(never())],
  ["GET /props", (provider) => provider.router.properties(never()).catch(() => undefined)],
  ["POST /v1/chat/completions", (provider) => drain(provider.stream(request, never()))],
  ["POST /v1/chat/completions", (provider) => drain(provider.check("m1", never()))],
];

async function locked(header: string, value: string) {
  const model = await startScriptedModel({ models: ["m1"], turns: [{ text: "one" }, { text: "two" }] });
  onTestFinished(model.close);
  return { model, server: await startLockedServer(model.url, header, value) };
}
const ollamaAt = (url: string, apiKey: string | null, keyUse?: KeyUse) =>
  makeOllama({ host: () => url, apiKey: () => apiKey, keyUse });
const openAiAt = (url: string, apiKey: string | null, keyUse?: KeyUse) =>
  makeOpenAi({ id: "custom", baseUrl: () => `${url}/v1`, apiKey: () => apiKey, keyUse });

describe.each(locks)("a server that requires %s", (_lock, secret, use, header, value) => {
  test.each(ollamaRoads)("admits %s", async (road, run) => {
    const { server } = await locked(header, value);
    await run(ollamaAt(server.url, secret, use));
    expect(server.refused).toEqual([]);
    expect(server.admitted).toContain(road);
  });

  test.each(openAiRoads)("admits %s", async (road, run) => {
    const { server } = await locked(header, value);
    await run(openAiAt(server.url, secret, use));
    expect(server.refused).toEqual([]);
    expect(server.admitted).toContain(road);
  });
});

test("a key in a header of its own is not sent in any other", async () => {
  const { server, model } = await locked("x-models", plainKey);
  const preset = findPreset("claude");
  const keyUse: KeyUse = { as: "header", name: "x-models" };
  const provider = makeOpenAi({ id: "c", preset, baseUrl: () => `${server.url}/v1`, apiKey: () => plainKey, keyUse });
  await provider.models(never());
  for (const { headers } of model.requests)
    expect(Object.entries(headers).filter(([, sent]) => String(sent).includes(plainKey))).toEqual([
      ["x-models", plainKey],
    ]);
});

const error = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (cause: unknown) => (cause instanceof ProviderError ? cause.error : cause),
  );
const failedIn = async (parts: AsyncIterable<ModelPart>) =>
  (await drain(parts)).find((part) => typeof part === "object" && part !== null && "error" in part);

describe("a server that asks for a user name and a password", () => {
  const wanted = { code: "key_refused", facts: { status: 401, wants: "user" } };

  test.each([
    ["without a key", null, undefined],
    ["with a key as bearer token", plainKey, undefined],
    ["with a key in another header", plainKey, { as: "header", name: "X-Api-Key" } as const],
  ])("is reported as such %s", async (_case, secret, use) => {
    const { server } = await locked("authorization", basicValue("me", key));
    expect(await error(ollamaAt(server.url, secret, use).models(never()))).toMatchObject(wanted);
    expect(await error(openAiAt(server.url, secret, use).models(never()))).toMatchObject(wanted);
    expect(await failedIn(ollamaAt(server.url, secret, use).stream(request, never()))).toMatchObject({ error: wanted });
    expect(await failedIn(openAiAt(server.url, secret, use).stream(request, never()))).toMatchObject({ error: wanted });
  });

  test("refuses a wrong password, and no form of it is in the error", async () => {
    const { server } = await locked("authorization", basicValue("me", "right"));
    const keyUse: KeyUse = { as: "password", name: "me" };
    for (const provider of [ollamaAt(server.url, key, keyUse), openAiAt(server.url, key, keyUse)]) {
      const refused = await error(provider.models(never()));
      expect(refused).toMatchObject({ code: "key_refused", detail: expect.stringContaining("***") });
      expect(refused).not.toHaveProperty("facts.wants");
      expect(JSON.stringify(refused)).not.toMatch(/hunter2/);
      expect(JSON.stringify(refused)).not.toContain(basicValue("me", key).slice("Basic ".length, 20));
    }
  });
});
