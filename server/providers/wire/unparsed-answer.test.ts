import { describe, expect, it } from "vitest";
import { openAiBodyFailure, openAiStatusFailure } from "../openai/openai-errors";
import { ollamaLineFailure } from "../ollama/ollama-errors";

const call = '<tool_call>\n<function=write>\n<parameter=content>\nsay("context length exceeded\\n")\n</parameter>\n';
const words = `Failed to parse input at pos 1360: ${call}`;
const body = { error: { code: 500, message: words, type: "server_error" } };
const nested = JSON.stringify({ error: JSON.stringify(body) });
const status = (text: string) =>
  openAiStatusFailure({
    status: 500,
    statusText: "Internal Server Error",
    body: text,
    header: () => undefined,
    key: null,
    model: "m",
    nowMs: 0,
  });
const line = (text: string) => ollamaLineFailure(text, "m");

describe("an answer that its server could not parse", () => {
  it.each([
    ["llama-server, by status", status(JSON.stringify(body)), call],
    ["llama-server, in the stream", openAiBodyFailure(body, { key: null, model: "m" }), call],
    ["llama-server behind Ollama", line(JSON.stringify(body)), call],
    [
      "a gateway that passes on the body",
      status(JSON.stringify({ error: { message: `500: ${JSON.stringify(body)}` } })),
      call,
    ],
    ["a gateway that passes on a body within a body", status(`upstream said ${nested}`), call],
    [
      "a gateway that cuts the body",
      status(`upstream said ${JSON.stringify(body).slice(0, JSON.stringify(body).indexOf("=content"))}`),
      call.slice(0, call.indexOf("=content")),
    ],
    [
      "a gateway that cuts the body within an escape",
      status(`upstream said ${JSON.stringify(body).slice(0, JSON.stringify(body).indexOf("say(") + 5)}`),
      call.slice(0, call.indexOf("say(") + 4),
    ],
    ["a text alone", status(words), call],
    [
      "a newer llama-server",
      status(
        JSON.stringify({
          error: { message: "The model produced output that does not match the expected peg-native format" },
        }),
      ),
      "",
    ],
    [
      "one that quotes after it",
      line(`The model produced output that does not match the expected peg-gemma4 format: ${call}`),
      call,
    ],
    [
      "Ollama",
      line(
        "error parsing tool call: raw='{\"path\":'a',}', err=invalid character '\\'' looking for beginning of value",
      ),
      "{\"path\":'a',}",
    ],
    ["an older llama-server", status("Invalid diff: now finding less tool calls!"), ""],
    [
      "one that quotes the text",
      status("Invalid diff: 'the tool calls exceed the context length' not found at start of 'a'"),
      "",
    ],
    [
      "vLLM, of a header of gpt-oss",
      status('unexpected tokens remaining in message header: Some("to=functions.ls")'),
      "",
    ],
    ["vLLM, of its start", status("Unexpected token 12606 while expecting start token 200006"), ""],
    [
      "Ollama, of a call without arguments",
      line("error parsing tool call: raw='', err=unexpected end of JSON input"),
      "",
    ],
    ["Ollama's XML", line("XML syntax error on line 4: element <parameter> closed by </function>"), ""],
    ["Ollama's JSON", line("invalid character 'p' after object key:value pair"), ""],
  ])("is found in the error of %s", (_name, failure, unparsed) => {
    expect(failure).toMatchObject({ error: { code: "unparsed_answer" }, retryable: true, unparsed });
  });

  it("is not looked for in other errors", () => {
    expect(status(JSON.stringify({ error: { message: "Failed to load the model" } })).unparsed).toBeUndefined();
    expect(line("model runner has unexpectedly stopped").unparsed).toBeUndefined();
    expect(line("invalid character '<' looking for beginning of value").unparsed).toBeUndefined();
  });
});
