import { describe, expect, it } from "vitest";
import type { ReasoningField } from "@/lib/events/content";
import { asId, type CallId } from "@/lib/events/id";
import { type OpenAiBodyOptions, openAiChatBody, openAiMessages } from "./openai-request";
import { findPreset, presets } from "../presets";
import type { ModelMessage, ModelRequest } from "../provider";

const one = asId<CallId>("c1");
const two = asId<CallId>("c2");
const { quirks } = findPreset("custom");
const request: ModelRequest = {
  provider: "x",
  model: "m",
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  numCtx: 4096,
  think: true,
  keepAliveMinutes: 5,
  maxOutputTokens: 100,
};
const bodyOf = (more: Partial<ModelRequest> = {}, options: Partial<OpenAiBodyOptions> = {}) =>
  openAiChatBody(
    { ...request, ...more },
    { quirks, temperature: undefined, without: new Set(), outputTokens: 100, ...options },
  );
const png = "iVBORw0KGgoAAAA=";

describe("messages", () => {
  const sent = (text: string, field: ReasoningField = "reasoning_content") => ({ server: "x", field, text });
  const exchange: readonly ModelMessage[] = [
    { role: "system", text: "You help." },
    { role: "user", text: "List." },
    { role: "assistant", text: "", reasoning: sent("Hm."), calls: [{ callId: one, name: "ls", input: { path: "." } }] },
    { role: "tool", callId: one, name: "ls", text: "a.ts" },
    { role: "assistant", text: "One file.", reasoning: sent("Count.") },
  ];

  it("are in wire form, with calls and results linked by ids, and with the reasoning of the server", () => {
    expect(openAiMessages([...exchange, { role: "user", text: "Thanks." }], quirks, request)).toEqual([
      { role: "system", content: "You help." },
      { role: "user", content: "List." },
      {
        role: "assistant",
        content: "",
        reasoning_content: "Hm.",
        tool_calls: [{ id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "a.ts" },
      { role: "assistant", content: "One file.", reasoning_content: "Count." },
      { role: "user", content: "Thanks." },
    ]);
  });

  it("of an answer with only calls have null as text where a service requires that", () => {
    expect(openAiMessages(exchange, findPreset("openai").quirks, request)[2]).toMatchObject({ content: null });
  });

  it.each(["reasoning_content", "reasoning", "thinking"] as const)(
    "carry reasoning in the field it came in: %s",
    (field) => {
      const answer: ModelMessage = { role: "assistant", text: "x", reasoning: sent(" a\n", field) };
      const wire = openAiMessages([{ role: "user", text: "Hi." }, answer], quirks, request)[1];
      expect(wire).toEqual({ role: "assistant", content: "x", [field]: " a\n" });
    },
  );

  it("carry the reasoning of another server, or an empty one before a call, where some is required", () => {
    const call = { callId: two, name: "ls", input: {} };
    const foreign = { server: "ollama", field: "thinking", text: "Hm." } as const;
    const messages: readonly ModelMessage[] = [
      { role: "user", text: "List." },
      { role: "assistant", text: "", reasoning: foreign, calls: [{ ...call, callId: one }] },
      { role: "tool", callId: one, name: "ls", text: "a.ts" },
      { role: "assistant", text: "", calls: [call] },
      { role: "tool", callId: two, name: "ls", text: "a.ts" },
    ];
    const wire = openAiMessages(messages, quirks, { provider: "x", reasoning: "require" });
    expect(wire).toMatchObject([{}, { reasoning_content: "Hm." }, {}, { reasoning_content: "" }, {}]);
  });

  it("carry what is required in the field that the server used last before them, else in its first", () => {
    const bare: ModelMessage = { role: "assistant", text: "", calls: [{ callId: two, name: "ls", input: {} }] };
    const from = (field: "reasoning" | "reasoning_content"): ModelMessage => ({
      role: "assistant",
      text: "x",
      reasoning: { server: "x", field, text: "Hm." },
    });
    const answers = [bare, from("reasoning"), bare, from("reasoning_content"), bare];
    const messages = answers.flatMap((answer): readonly ModelMessage[] => [{ role: "user", text: "Hi." }, answer]);
    const wire = openAiMessages(messages, quirks, { provider: "x", reasoning: "require" });
    expect(wire.filter((_, index) => index % 2 === 1)).toMatchObject([
      { reasoning: "" },
      { reasoning: "Hm." },
      { reasoning: "" },
      { reasoning_content: "Hm." },
      { reasoning_content: "" },
    ]);
  });

  it("carry reasoning for DeepSeek, an empty one before a call without", () => {
    const bare: ModelMessage = { role: "assistant", text: "", calls: [{ callId: two, name: "ls", input: {} }] };
    const more: readonly ModelMessage[] = [
      { role: "user", text: "Again." },
      bare,
      { role: "tool", callId: two, name: "ls", text: "b.ts" },
      { role: "assistant", text: "x" },
      { role: "user", text: "Thanks." },
    ];
    const wire = openAiMessages([...exchange, ...more], findPreset("deepseek").quirks, request);
    expect(
      wire.map((message) =>
        typeof message === "object" && message !== null && "reasoning_content" in message
          ? message.reasoning_content
          : null,
      ),
    ).toEqual([null, null, "Hm.", null, "Count.", null, "", null, null, null]);
  });

  it("carry the signature that Gemini requires for every call", () => {
    expect(openAiMessages(exchange, findPreset("gemini").quirks, request)[2]).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } }],
    });
  });

  it.each([
    ["text that is not JSON", "{broken", '{"input":"{broken"}'],
    ["a list", [1], '{"input":[1]}'],
  ])("send an input that is %s back as an object, as chat templates require", (_name, input, written) => {
    const message: ModelMessage = { role: "assistant", text: "", calls: [{ callId: one, name: "ls", input }] };
    expect(openAiMessages([{ role: "user", text: "List." }, message], quirks, request)[1]).toMatchObject({
      tool_calls: [{ function: { arguments: written } }],
    });
  });

  it.each([
    [png, "image/png"],
    ["/9j/4AAQ", "image/jpeg"],
    ["R0lGODlh", "image/gif"],
    ["UklGRiQA", "image/webp"],
  ])("send the image %s as %s", (image, mime) => {
    expect(openAiMessages([{ role: "user", text: "Look.", images: [image] }], quirks, request)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: `data:${mime};base64,${image}` } },
        ],
      },
    ]);
  });

  it("tell a model of llama.cpp's server about an image of a type that the server refuses", () => {
    const messages: readonly ModelMessage[] = [{ role: "user", text: "Look.", images: [png, "UklGRiQA"] }];
    expect(openAiMessages(messages, findPreset("llamacpp").quirks, request)).toMatchObject([
      { content: [{ type: "text", text: "Look." }, { type: "image_url" }, { type: "text" }] },
    ]);
  });

  it("put the images of results after the last result, never between two", () => {
    const wire = openAiMessages(
      [
        { role: "tool", callId: one, name: "read", text: "1", images: [png] },
        { role: "tool", callId: two, name: "read", text: "2" },
        { role: "user", text: "next" },
      ],
      quirks,
      request,
    );
    expect(wire).toMatchObject([
      { role: "tool", content: "1" },
      { role: "tool", content: "2" },
      { role: "assistant", content: "Noted." },
      { role: "user", content: [{ type: "image_url" }] },
      { role: "assistant", content: "Noted." },
      { role: "user", content: "next" },
    ]);
  });

  it("begin with the same bytes when more follow", () => {
    const before = JSON.stringify(openAiMessages(exchange.slice(0, 4), quirks, request)).slice(0, -1);
    expect(JSON.stringify(openAiMessages(exchange, quirks, request)).startsWith(before)).toBe(true);
  });
});

describe("the body", () => {
  it("has tools as functions, and no empty list", () => {
    const tool = { name: "ls", description: "Lists.", parameters: { type: "object" } };
    expect(bodyOf({ tools: [tool] })).toMatchObject({ tools: [{ type: "function", function: tool }] });
    expect(bodyOf()).not.toHaveProperty("tools");
    // A server that gets tools with the choice "none" writes calls as text.
    expect([bodyOf({ tools: [tool] }), bodyOf()].some((body) => "tool_choice" in body)).toBe(false);
  });

  it("has a temperature only if one is set", () => {
    expect(bodyOf()).not.toHaveProperty("temperature");
    expect(bodyOf({}, { temperature: 0 })).toMatchObject({ temperature: 0 });
  });

  it("bounds the answer by the field the server supports, or by the alternative", () => {
    expect(bodyOf()).toMatchObject({ max_tokens: 100 });
    expect(bodyOf({}, { quirks: findPreset("openai").quirks })).toMatchObject({ max_completion_tokens: 100 });
    expect(bodyOf({}, { without: new Set(["max_tokens"]) })).toMatchObject({ max_completion_tokens: 100 });
  });

  it.each([
    ["openai", "low", { reasoning_effort: "low" }],
    ["openai", false, { reasoning_effort: "none" }],
    ["openai", true, {}],
    ["openrouter", "max", { reasoning_effort: "xhigh" }],
    ["deepseek", false, { thinking: { type: "disabled" } }],
    ["deepseek", "max", { reasoning_effort: "max" }],
    ["qwen", true, { enable_thinking: true }],
    ["vllm", false, { chat_template_kwargs: { enable_thinking: false } }],
    ["claude", "high", {}],
    ["lmstudio", false, {}],
    ["custom", "high", { reasoning_effort: "high" }],
    ["custom", true, {}],
    ["vllm", "max", { reasoning_effort: "high" }],
    [
      "llamacpp",
      "low",
      { reasoning_effort: "low", chat_template_kwargs: { enable_thinking: true, reasoning_effort: "low" } },
    ],
  ] as const)("asks %s for thinking %s with %j", (id, think, fields) => {
    const {
      model: _m,
      messages: _s,
      stream: _t,
      stream_options: _o,
      max_tokens: _a,
      max_completion_tokens: _b,
      return_progress: _p,
      reasoning_control: _c,
      ...rest
    } = bodyOf({ think }, { quirks: findPreset(id).quirks });
    expect(rest).toEqual(fields);
  });

  it.each([
    ["llamacpp", true, { enable_thinking: true, preserve_thinking: true }],
    ["custom", true, { preserve_thinking: true }],
  ] as const)("asks the template of %s to keep reasoning that it can keep", (id, think, kwargs) => {
    const body = bodyOf({ think, reasoning: "preserve" }, { quirks: findPreset(id).quirks });
    expect(body.chat_template_kwargs).toEqual(kwargs);
  });

  it("omits refused fields", () => {
    const without = new Set(["stream_options", "temperature", "think"] as const);
    const body = bodyOf({ think: "low" }, { quirks: findPreset("openai").quirks, temperature: 1, without });
    expect(Object.keys(body)).toEqual(["model", "messages", "stream", "max_completion_tokens"]);
  });
});

describe("presets", () => {
  it("are the required servers, each once, custom last", () => {
    expect(presets.map(({ id }) => id)).toEqual([
      ..."openrouter claude openai deepseek gemini ark qianfan qwen vllm lmstudio llamacpp custom".split(" "),
    ]);
  });

  it.each(presets.filter(({ id }) => id !== "custom"))("$id uses TLS, or is on this machine", (preset) => {
    const { protocol, hostname } = new URL(preset.baseUrl);
    expect([protocol, hostname === "127.0.0.1"]).toEqual(preset.local ? ["http:", true] : ["https:", false]);
    expect(preset.needsKey).toBe(!preset.local);
    expect(preset.keyEnvironment.length).toBeGreaterThan(0);
    expect(preset.baseUrl).not.toMatch(/\/$/);
  });

  it("look for llama.cpp at its port of today first, then at the earlier one", () => {
    const { baseUrl, otherBaseUrls = [] } = findPreset("llamacpp");
    expect([baseUrl, ...otherBaseUrls].map((url) => new URL(url).port)).toEqual(["9931", "8080"]);
  });

  it("ask only llama.cpp, which also holds answers, for the progress of reading and for control of thinking", () => {
    const asking = presets.filter((preset) => "return_progress" in bodyOf({}, { quirks: preset.quirks }));
    expect(asking.map(({ id }) => id)).toEqual(["llamacpp"]);
    expect(bodyOf({}, { quirks: findPreset("llamacpp").quirks })).toMatchObject({
      return_progress: true,
      reasoning_control: true,
    });
    expect(bodyOf({})).not.toHaveProperty("reasoning_control");
    expect(bodyOf({ held: { id: "h1", isRequested: false } })).toMatchObject({ reasoning_control: true });
  });

  it("with unknown ids are custom, which uses no other server's key", () => {
    expect(findPreset("my-box")).toMatchObject({ id: "custom", keyEnvironment: [] });
  });
});
