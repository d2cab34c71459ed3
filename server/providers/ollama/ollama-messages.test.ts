import { describe, expect, it } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import { ollamaChatBody, formatKeepAlive, warmBody, ollamaMessage } from "./ollama-messages";
import type { ModelMessage, ModelRequest } from "../provider";

const callId = asId<CallId>("c1");
const request = (messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  provider: "ollama",
  model: "m",
  messages,
  tools: [],
  numCtx: 4096,
  think: true,
  keepAliveMinutes: 5,
  maxOutputTokens: 100,
  ...more,
});
const reasoning = { server: "ollama", field: "thinking", text: "T" } as const;
const wire = (message: ModelMessage): string => JSON.stringify(ollamaMessage(message, (id) => id));

describe("messages on the wire, byte for byte", () => {
  const cases: readonly (readonly [string, ModelMessage, string])[] = [
    ["a system text", { role: "system", text: 'S\n"q"' }, '{"role":"system","content":"S\\n\\"q\\""}'],
    ["a user text", { role: "user", text: "你好" }, '{"role":"user","content":"你好"}'],
    [
      "a user image",
      { role: "user", text: "see", images: ["aGk="] },
      '{"role":"user","content":"see","images":["aGk="]}',
    ],
    ["no images", { role: "user", text: "a", images: [] }, '{"role":"user","content":"a"}'],
    ["an answer", { role: "assistant", text: "A", reasoning }, '{"role":"assistant","content":"A","thinking":"T"}'],
    [
      "an answer without what was read from its text",
      { role: "assistant", text: "A", thinking: "T" },
      '{"role":"assistant","content":"A"}',
    ],
    [
      "an answer with thinking and calls",
      { role: "assistant", text: "", reasoning, calls: [{ callId, name: "read", input: { path: "b", limit: 2 } }] },
      '{"role":"assistant","content":"","thinking":"T","tool_calls":[{"id":"c1","function":{"name":"read","arguments":{"path":"b","limit":2}}}]}',
    ],
    [
      "arguments that were not an object",
      { role: "assistant", text: "", calls: [{ callId, name: "read", input: '{"path":' }] },
      '{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"read","arguments":{"input":"{\\"path\\":"}}}]}',
    ],
    ["no calls", { role: "assistant", text: "A", calls: [] }, '{"role":"assistant","content":"A"}'],
    [
      "a result",
      { role: "tool", callId, name: "read", text: "1: x" },
      '{"role":"tool","tool_name":"read","tool_call_id":"c1","content":"1: x"}',
    ],
    [
      "a result with an image",
      { role: "tool", callId, name: "read", text: "", images: ["aGk="] },
      '{"role":"tool","tool_name":"read","tool_call_id":"c1","content":"","images":["aGk="]}',
    ],
  ];
  it.each(cases)("%s", (_name, message, bytes) => {
    expect(wire(message)).toBe(bytes);
  });

  it("tools are functions, in their order", () => {
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = ["read", "ls"].map((name) => ({ name, description: `${name}!`, parameters }));
    expect(JSON.stringify(ollamaChatBody(request([{ role: "user", text: "hi" }], { tools }), "high"))).toBe(
      `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"read","description":"read!","parameters":${JSON.stringify(parameters)}}},` +
        `{"type":"function","function":{"name":"ls","description":"ls!","parameters":${JSON.stringify(parameters)}}}],` +
        `"stream":true,"think":"high","truncate":false,"shift":false,"keep_alive":"5m","options":{"num_ctx":4096,"num_predict":100}}`,
    );
  });

  it("loading ahead uses the same load options as an answer", () => {
    const { options, shift } = ollamaChatBody(request([]), false);
    expect(warmBody("m", 4096, 5)).toMatchObject({ shift, options: { num_ctx: options.num_ctx }, keep_alive: "5m" });
  });

  it("never unloading is a negative number", () => {
    expect([formatKeepAlive(-1), formatKeepAlive(0), formatKeepAlive(30)]).toEqual([-1, "0m", "30m"]);
  });
});
