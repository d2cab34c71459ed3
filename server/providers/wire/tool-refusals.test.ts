import { describe, expect, it } from "vitest";
import type { Json } from "@/lib/events/content";
import { openAiBodyFailure, openAiStatusFailure } from "../openai/openai-errors";
import { ollamaStatusFailure } from "../ollama/ollama-errors";
import { findRefusedTools } from "./tool-refusals";

const tool = (name: string, a: Json) => ({ name, description: "", parameters: { type: "object", properties: { a } } });
const tools = [
  tool("read", { type: "string" }),
  tool("news", { type: "number", default: 10, description: "count of news to return." }),
  tool("set-value", { type: "array", items: { title: "Value" } }),
];
const answer = (body: object | string, status = 400) => ({
  status,
  statusText: "Bad Request",
  body: JSON.stringify(body),
  header: () => undefined,
  key: null,
  model: "m",
  nowMs: 0,
});
const message = (text: string, more: object = {}) => ({ error: { message: text, ...more } });
const unrecognized = (...nodes: readonly object[]) =>
  ["JSON schema conversion failed:", ...nodes.map((node) => `Unrecognized schema: ${JSON.stringify(node)}`)].join("\n");
const news = { type: "number", default: 10, description: "count of news to return." };

describe("a server that refuses the schema of a tool", () => {
  const templateFails = "Unable to generate parser for this template. Automatic parser generation failed:";
  it.each([
    [
      "llama-server 0.7, by the only place",
      message(`${templateFails} JSON schema error at #/properties/a/items: schema must be an object`),
      ["set-value"],
    ],
    [
      "llama-server 0.7, by a place of all tools",
      message(`${templateFails} JSON schema error at #/properties/a: schema must be an object`),
      [],
    ],
    ["llama-server", message(unrecognized(news, news)), ["news"]],
    ["llama-server, several", message(unrecognized(news, { type: "string", title: "Value" })), ["news", "set-value"]],
    [
      "LM Studio, which passes on what its engine reports",
      message(`Engine protocol predict request returned 400: ${JSON.stringify(message(unrecognized(news)))}`),
      ["news"],
    ],
    [
      "OpenAI",
      message(
        "Invalid schema for function 'set-value': In context=('properties', 'a'), schema must have a 'type' key.",
      ),
      ["set-value"],
    ],
    ["OpenAI, by place", message("Invalid type", { param: "tools[1].function.parameters" }), ["news"]],
    ["Groq", message("invalid JSON schema for tool news, tools[1].function.parameters: 'required' present"), ["news"]],
    [
      "Gemini",
      message(
        "* GenerateContentRequest.tools[0].function_declarations[2].parameters.properties[a].items: missing field.",
      ),
      ["set-value"],
    ],
    ["Anthropic", message("tools.1.custom.input_schema: JSON schema is invalid."), ["news"]],
    ["SGLang", message("Tool 1 function has invalid 'parameters' schema: None is not valid"), ["news"]],
    [
      "vLLM",
      { detail: [{ loc: ["body", "tools", 1, "function", "parameters"], msg: "Input should be a valid dictionary" }] },
      ["news"],
    ],
    [
      "LM Studio",
      { error: '[\n  {\n    "path": [\n      2,\n      "function",\n      "parameters",\n      "type"\n    ]\n  }\n]' },
      ["set-value"],
    ],
    ["LM Studio, by place", message("Invalid input", { param: "tools.2", code: "custom" }), ["set-value"]],
    ["one that tells nothing", message("JSON schema conversion failed:\nPattern must start with '^'"), []],
  ])("%s", (_name, body, names) => {
    const failure = openAiStatusFailure(answer(body));
    expect(failure).toMatchObject({ error: { code: "tool_refused" }, retryable: false });
    expect(findRefusedTools(failure.refusedSchema ?? "", tools)).toEqual(names);
  });

  it("is recognized in a stream, and behind Ollama", () => {
    const body = message(unrecognized(news));
    const failures = [
      openAiBodyFailure(body, { key: null, model: "m" }),
      ollamaStatusFailure(answer({ error: JSON.stringify(body) }, 500)),
    ];
    for (const { refusedSchema = "" } of failures) expect(findRefusedTools(refusedSchema, tools)).toEqual(["news"]);
  });

  it("is found by its fault where several tools have a value at that place", () => {
    const odd = [...tools, tool("odd", { type: "uuid" })];
    expect(findRefusedTools("JSON schema error at #/properties/a: unrecognized type uuid", odd)).toEqual(["odd"]);
  });

  it.each([
    [unrecognized({ type: "string", enum: ["read", "news"], title: "Kind" }), ["odd"]],
    ["Invalid schema for function 'odd': 'read' is not valid under any of the given schemas", ["odd"]],
    ["Invalid 'tools[3].function.parameters': 'read' is not of type 'object'", ["odd"]],
    ['JSON schema error at #/properties/b: unrecognized type in {"enum":["read"]}', ["odd"]],
    [unrecognized({ type: "string", enum: ["read"], title: "Other" }), []],
    ["Schema is invalid: 'news'", ["news"]],
  ])("is not found by a value that is named like another tool: %s", (words, names) => {
    const kind = { type: "string", enum: ["read", "news"], title: "Kind" };
    const odd = {
      name: "odd",
      description: "",
      parameters: { type: "object", properties: { a: kind, b: { type: "id" } } },
    };
    expect(findRefusedTools(words, [...tools, odd])).toEqual(names);
  });

  it("is not a server without tools, nor one that refuses another part of the request", () => {
    for (const text of ["this model does not support tools", "messages.1.content: invalid schema version header"])
      expect(openAiStatusFailure(answer(message(text))).refusedSchema).toBeUndefined();
  });
});
