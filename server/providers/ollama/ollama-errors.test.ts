import { describe, expect, it } from "vitest";
import { ollamaLineFailure, ollamaStatusFailure } from "./ollama-errors";
import { extractErrorText, toProviderError, toReadableLine, retryAfterMs } from "../wire/wire-errors";

const status = (code: number, body: string, retryAfter?: string) =>
  ollamaStatusFailure({
    status: code,
    statusText: "Said So",
    body,
    header: () => retryAfter,
    model: "m:7b",
    nowMs: 0,
  });
const say = (error: unknown): string => JSON.stringify({ error });

describe("error answers of a model server", () => {
  const overflow = {
    error: {
      code: 400,
      message: "the request exceeds the available context size",
      type: "exceed_context_size_error",
      n_prompt_tokens: 9001,
      n_ctx: 8192,
    },
  };
  const sizes = { tokens: 9001, window: 8192 };
  it.each([
    [404, say("model 'm:7b' not found"), "model_missing", false, { model: "m:7b" }],
    [404, say('model "m:7b" not found, try pulling it first'), "model_missing", false, { model: "m:7b" }],
    [404, "404 page not found", "server_error", false, { status: 404 }],
    [404, "<html><body>nginx</body></html>", "bad_answer", false, { status: 404 }],
    [400, say("registry.ollama.ai/library/gemma:2b does not support tools"), "no_tools", false, { model: "m:7b" }],
    [400, say('"gemma:2b" does not support thinking'), "no_thinking", false, { model: "m:7b" }],
    [
      400,
      say('invalid think value: "max" (must be "high", "medium", "low", true, or false)'),
      "no_thinking",
      false,
      {},
    ],
    [400, say(JSON.stringify(overflow)), "window_full", false, sizes],
    [400, JSON.stringify(overflow), "window_full", false, sizes],
    [500, say(`llama runner: ${JSON.stringify(overflow)}`), "window_full", false, sizes],
    [
      400,
      say("request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it"),
      "window_full",
      false,
      sizes,
    ],
    [
      400,
      say("the prompt is longer than the context length currently available to the model"),
      "window_full",
      false,
      { status: 400 },
    ],
    [500, say("model requires more system memory (9.4 GiB) than is available (4.1 GiB)"), "out_of_memory", false, {}],
    [500, say("llama runner process has terminated: cudaMalloc failed: out of memory"), "out_of_memory", false, {}],
    [500, say("llama runner process has terminated: exit status 2"), "server_error", false, { status: 500 }],
    [500, say("unable to load model: /blobs/sha256-1"), "server_error", false, {}],
    [
      500,
      say("model runner has unexpectedly stopped, this may be due to resource limitations or an internal error"),
      "server_error",
      true,
      {},
    ],
    [500, "", "server_error", true, { status: 500 }],
    [502, "<html><h1>Bad Gateway</h1></html>", "server_unreachable", true, { status: 502, router: true }],
    [503, say("busy, position in queue: 3"), "server_busy", true, { status: 503, position: 3 }],
    [
      503,
      say("server busy, please try again. maximum pending requests exceeded"),
      "server_busy",
      true,
      { status: 503 },
    ],
    [429, "slow down", "server_busy", true, { status: 429 }],
    [401, say("unauthorized"), "not_allowed", false, { status: 401 }],
    [400, say("json: cannot unmarshal"), "server_error", false, { status: 400 }],
    [301, "", "server_error", false, { status: 301 }],
  ])("%i %s is %s", (code, body, expected, retryable, facts) => {
    const failure = status(code, body);
    expect(failure).toMatchObject({ error: { code: expected, facts }, retryable });
    expect(failure.error.detail).not.toBe("");
  });

  it("an empty body is described by its status", () => {
    expect(status(500, "").error.detail).toBe("500 Said So");
  });

  it.each([
    ["error parsing tool call: raw='{\"a\":' err=unexpected end", "unparsed_answer", true],
    [
      "error parsing tool call: raw='{a}', err=invalid character 'a' looking for beginning of object key string",
      "unparsed_answer",
      true,
    ],
    ['llama-server returned invalid tool call arguments for "write": invalid character x', "unparsed_answer", true],
    [
      'llama-server returned invalid tool call arguments for "write": unexpected end of JSON input',
      "output_limit",
      false,
    ],
    ['llama-server returned invalid tool call arguments for "write": unexpected EOF', "output_limit", false],
    [
      `error parsing tool call: raw='{"content":"${"long ".repeat(9_000)}', err=unexpected end of JSON input`,
      "output_limit",
      false,
    ],
    [
      "Failed to parse tool call arguments as JSON: parse error at line 1, column 15: syntax error while parsing value - invalid string: missing closing quote; last read: 'abc'",
      "output_limit",
      false,
    ],
    ["an error was encountered while running the model: unexpected EOF", "server_error", true],
    ["max retries exceeded: write /blobs/x: no space left on device", "disk_full", false],
    ["pull model manifest: file does not exist", "model_missing", false],
  ])("in mid-answer: %s", (words, code, retryable) => {
    expect(ollamaLineFailure(words, undefined)).toMatchObject({ error: { code }, retryable });
  });

  it.each([
    [{ error: "x" }, "x"],
    [{ error: { message: "y", type: "z" } }, "y"],
    [{ error: { code: 5 } }, '{"code":5}'],
    [{ error: "" }, undefined],
    [{ error: null }, undefined],
    [{ done: true }, undefined],
    [null, undefined],
    ["error", undefined],
  ])("the error text of %j", (value, words) => {
    expect(extractErrorText(value)).toBe(words);
  });
});

describe("the detail", () => {
  it("is one line of at most 200 whole characters", () => {
    expect(toReadableLine(`a\r\n\tb\u0000\u001b[31m c`)).toBe("a b [31m c");
    expect([...toReadableLine("😀".repeat(500))]).toHaveLength(200);
    expect(toReadableLine("<!doctype html><script>var a = '<b>'</script><p>Not&nbsp;here</p>")).toBe("Not&nbsp;here");
    expect(toReadableLine("a < b and c > d")).toBe("a < b and c > d");
  });

  it("is extracted quickly from very long texts", () => {
    const words = `<html>${"<".repeat(400_000)}`;
    expect(ollamaLineFailure(words, undefined).error.detail?.length).toBe(200);
    expect(status(500, words).error.code).toBe("bad_answer");
  });

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["soon", undefined],
    ["0", undefined],
    ["1.5", 1500],
    ["3600", 3_600_000],
    ["Thu, 01 Jan 1970 00:00:20 GMT", 20_000],
    ["Wed, 31 Dec 1969 23:00:00 GMT", undefined],
  ])("a wait of %s is %s ms", (header, waitMs) => {
    expect(retryAfterMs(header, 0)).toBe(waitMs);
  });

  it("an unexpected error is internal and not retryable", () => {
    expect(toProviderError(new TypeError("x is undefined"), "h")).toMatchObject({
      error: { code: "internal" },
      retryable: false,
    });
  });
});
