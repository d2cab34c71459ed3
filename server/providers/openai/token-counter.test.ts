/** Counts of prompts, by the paths that llama-server and vLLM document. */
import { expect, onTestFinished, test } from "vitest";
import { neverAborted } from "@/server/base/abort";
import { startOpenAiServer, type WireTurn } from "./__fixtures__/openai-server";
import { makeOpenAi } from "./openai";
import type { ModelRequest } from "../provider";

const request: ModelRequest = {
  provider: "c",
  model: "m",
  messages: [{ role: "user", text: "hi" }],
  tools: [{ name: "ls", description: "lists", parameters: { type: "object", properties: {} } }],
  numCtx: 8192,
  think: true,
  keepAliveMinutes: 30,
  maxOutputTokens: 512,
};
const missing: WireTurn = { status: 404, body: { error: { code: 404, message: "File Not Found" } } };

async function start(fixed: Readonly<Record<string, WireTurn>>, id = "llamacpp") {
  const server = await startOpenAiServer([], fixed);
  onTestFinished(server.close);
  const provider = makeOpenAi({ id, baseUrl: () => server.base, apiKey: () => null });
  return { provider, requests: server.requests };
}

test("a llama-server counts the body of the request itself", async () => {
  const { provider, requests } = await start({
    "POST /v1/chat/completions/input_tokens": { body: { object: "response.input_tokens", input_tokens: 811 } },
  });
  expect(await provider.countTokens("llamacpp", request, neverAborted)).toBe(811);
  expect(requests[0]?.body).toMatchObject({
    messages: [{ role: "user", content: "hi" }],
    tools: [{ function: { name: "ls" } }],
    chat_template_kwargs: { enable_thinking: true },
  });
});

test("an older llama-server fills its template and counts the tokens of the text; the missing path is requested once", async () => {
  const { provider, requests } = await start({
    "POST /v1/chat/completions/input_tokens": missing,
    "POST /apply-template": { body: { prompt: "<s>user hi" } },
    "POST /tokenize": { body: { tokens: [1, 5, 9] } },
  });
  expect(await provider.countTokens("llamacpp", request, neverAborted)).toBe(3);
  expect(await provider.countTokens("llamacpp", request, neverAborted)).toBe(3);
  expect(requests.map(({ path }) => path.split("/").at(-1))).toEqual([
    "input_tokens",
    "apply-template",
    "tokenize",
    "apply-template",
    "tokenize",
  ]);
  expect(requests[2]?.body).toMatchObject({ content: "<s>user hi", add_special: true, parse_special: true });
});

test("vLLM counts the messages and the tools", async () => {
  const { provider, requests } = await start(
    { "POST /tokenize": { body: { count: 42, max_model_len: 8192, tokens: [] } } },
    "vllm",
  );
  expect(await provider.countTokens("vllm", request, neverAborted)).toBe(42);
  expect(requests[0]?.body).toMatchObject({ model: "m", messages: [{ content: "hi" }], tools: [{ type: "function" }] });
});

test("a server that fails or has none of the paths counts nothing", async () => {
  const failing = await start({
    "POST /v1/chat/completions/input_tokens": { status: 500, body: { error: { message: "template error" } } },
  });
  expect(await failing.provider.countTokens("llamacpp", request, neverAborted)).toBeNull();
  expect(failing.requests).toHaveLength(1);
  const old = await start({
    "POST /v1/chat/completions/input_tokens": missing,
    "POST /apply-template": missing,
    "POST /tokenize": missing,
  });
  for (const _ of [1, 2]) expect(await old.provider.countTokens("llamacpp", request, neverAborted)).toBeNull();
  expect(old.requests).toHaveLength(2);
});
