import { expect, test } from "vitest";
import type { ModelRequest } from "../../provider";
import { ollamaChatBody } from "../../ollama/ollama-messages";
import { openAiChatBody } from "../../openai/openai-request";
import { findPreset } from "../../presets";

test("both wires send a nested schema as it is stored", () => {
  const step = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const parameters = { type: "object", properties: { steps: { type: "array", items: step } } };
  const tool = { name: "plan", description: "Plan.", parameters };
  const request: ModelRequest = {
    provider: "x",
    model: "m",
    messages: [{ role: "user", text: "hi" }],
    tools: [tool],
    numCtx: 4_096,
    think: false,
    keepAliveMinutes: 5,
    maxOutputTokens: 100,
  };
  const { quirks } = findPreset("custom");
  const openAi = openAiChatBody(request, { quirks, temperature: undefined, without: new Set(), outputTokens: 100 });
  for (const body of [ollamaChatBody(request, false), openAi])
    expect(JSON.stringify(body)).toContain(`"tools":${JSON.stringify([{ type: "function", function: tool }])}`);
});
