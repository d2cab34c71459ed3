import { anyFacts } from "@/lib/events/error";
import { describe, expect, it } from "vitest";
import { openAiBodyFailure, findErrorText, openAiStatusFailure } from "./openai-errors";
import { refusedFields } from "./openai-refusals";
import { parseRequestedWaitMs } from "./openai-waits";

const headersOf =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    headers[name];
const status = (code: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  openAiStatusFailure({
    status: code,
    statusText: "Said So",
    body: typeof body === "string" ? body : JSON.stringify(body),
    header: headersOf(headers),
    key: "sk-0000111122223333",
    model: "m:7b",
    nowMs: 0,
  });
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("a full window", () => {
  const lmStudioKeep =
    "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9001>= n_ctx: 8192). Try to load the model with a larger context length, or provide a shorter input";
  const both = { tokens: 9001, window: 8192 };
  it.each([
    [
      "OpenAI",
      400,
      error(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
        { type: "invalid_request_error", param: "messages", code: "context_length_exceeded" },
      ),
      both,
    ],
    [
      "OpenAI, with tools",
      400,
      error(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens (8500 in the messages, 501 in the functions).",
        { code: "context_length_exceeded" },
      ),
      both,
    ],
    [
      "OpenAI, without numbers",
      400,
      error("Your input exceeds the context window of this model.", { code: "context_length_exceeded" }),
      {},
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message:
          "This model's maximum context length is 8192 tokens. However, you requested 9513 tokens (9001 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
      both,
    ],
    [
      "vLLM, newer",
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and your request has 9001 input tokens (16384 > 8192 - 9001).",
        { type: "BadRequestError", code: 400 },
      ),
      both,
    ],
    [
      "vLLM, of text that is counted before the chat",
      400,
      error(
        "You passed 9001 input tokens and requested 512 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7680 tokens. Please reduce the length of the input prompt.",
        { type: "BadRequestError", code: 400 },
      ),
      both,
    ],
    [
      "vLLM, of the engine itself",
      400,
      error(
        "The decoder prompt (length 9001) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        { type: "BadRequestError", code: 400 },
      ),
      both,
    ],
    [
      "SGLang, with the answer",
      400,
      error(
        "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9513 tokens: 9001 tokens from the input messages and 512 tokens for the completion.",
      ),
      both,
    ],
    [
      "vLLM, newest",
      400,
      error(
        "This model's maximum context length is 8192 tokens. However, you requested 512 output tokens and your prompt contains at least 9001 input tokens, for a total of at least 9513 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
        { type: "BadRequestError", param: "input_tokens", code: 400 },
      ),
      both,
    ],
    [
      "llama.cpp",
      400,
      error("the request exceeds the available context size, try increasing it", {
        code: 400,
        type: "exceed_context_size_error",
        n_prompt_tokens: 9001,
        n_ctx: 8192,
      }),
      both,
    ],
    [
      "llama.cpp, in words",
      400,
      error("request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it"),
      both,
    ],
    [
      "LM Studio",
      400,
      {
        error:
          "Trying to keep the first 9001 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.",
      },
      both,
    ],
    ["LM Studio, newer", 400, { error: lmStudioKeep }, both],
    ["LM Studio, newest", 400, { error: "Cannot truncate prompt with n_keep (9001) >= n_ctx (8192)" }, both],
    ["Claude", 400, error("prompt is too long: 9001 tokens > 8192 maximum", { type: "invalid_request_error" }), both],
    [
      "Claude, with the answer",
      400,
      error("input length and `max_tokens` exceed context limit: 9001 + 512 > 8192"),
      both,
    ],
    [
      "Gemini",
      400,
      [
        error("The input token count (9001) exceeds the maximum number of tokens allowed (8192).", {
          code: 400,
          status: "INVALID_ARGUMENT",
        }),
      ],
      both,
    ],
    [
      "OpenRouter",
      400,
      error("Provider returned error", {
        code: 400,
        metadata: {
          raw: '{"error":"This endpoint\'s maximum context length is 8192 tokens. However, you requested about 9001 tokens"}',
        },
      }),
      both,
    ],
    [
      "DeepSeek, with commas",
      400,
      error(
        "This model's maximum context length is 131,072 tokens. However, you requested 140,001 tokens (139,489 in the messages, 512 in the completion).",
      ),
      { tokens: 139_489, window: 131_072 },
    ],
    [
      "DashScope",
      400,
      error("Range of input length should be [1, 8192]", { code: "invalid_parameter_error" }),
      { window: 8192 },
    ],
    ["at a rate limit's status", 429, error("Request too large: context_length_exceeded"), {}],
  ])("of %s", (_name, code, body, facts) => {
    const failure = status(code, body);
    expect(failure).toMatchObject({ error: { code: "window_full" }, retryable: false });
    const { tokens, window } = anyFacts(failure.error);
    expect({ tokens, window }).toEqual({ tokens: undefined, window: undefined, ...facts });
  });
});

describe("refusals", () => {
  const gemini = error("You exceeded your current quota, please check your plan and billing details.", {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }],
  });
  it.each([
    [401, error("Incorrect API key provided", { code: "invalid_api_key" }), "key_refused", false],
    [403, error("Country, region, or territory not supported"), "key_refused", false],
    [401, "<html><body>401</body></html>", "key_refused", false],
    [
      400,
      [error("API key not valid. Please pass a valid API key.", { status: "INVALID_ARGUMENT" })],
      "key_refused",
      false,
    ],
    [402, error("Insufficient Balance", { code: "invalid_request_error" }), "quota_used", false],
    [402, "", "quota_used", false],
    [
      429,
      error("You exceeded your current quota, please check your plan", {
        type: "insufficient_quota",
        code: "insufficient_quota",
      }),
      "quota_used",
      false,
    ],
    [400, error("Your credit balance is too low to access the Anthropic API."), "quota_used", false],
    [
      400,
      error("Access denied, please make sure your account is in good standing.", { code: "Arrearage" }),
      "quota_used",
      false,
    ],
    [429, gemini, "server_busy", true],
    [429, error("You exceeded your current quota, please check your plan and billing details."), "quota_used", false],
    [429, error("Rate limit reached for requests"), "server_busy", true],
    [503, error("Loading model", { code: 503, type: "unavailable_error" }), "server_busy", true],
    [529, error("Overloaded", { type: "overloaded_error" }), "server_busy", true],
    [
      404,
      error("The model `m:7b` does not exist or you do not have access to it.", { code: "model_not_found" }),
      "model_missing",
      false,
    ],
    [
      404,
      { object: "error", message: "The model `m:7b` does not exist.", type: "NotFoundError", code: 404 },
      "model_missing",
      false,
    ],
    [400, error("m:7b is not a valid model ID", { code: 400 }), "model_missing", false],
    [400, error("Model Not Exist"), "model_missing", false],
    [
      404,
      error("No models loaded. Please load a model in the developer page or use the lms load command."),
      "model_missing",
      false,
    ],
    [404, error("models/m:7b is not found for API version v1main", { status: "NOT_FOUND" }), "model_missing", false],
    [404, error('No endpoints found that support tool use. Try disabling "read".'), "no_tools", false],
    [
      400,
      error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      "no_tools",
      false,
    ],
    [400, error('tool_choice="required" requires --tool-call-parser to be set'), "no_tools", false],
    // Text of the model that a parser could not read, no refusal of its reasoning.
    [500, error('Failed to parse input at pos 12: "reasoning_content is missing"'), "unparsed_answer", true],
    [400, { error: "Model m:7b not found or vLLM engine is sleeping." }, "model_missing", false],
    [503, error("The request queue is full."), "server_busy", true],
    [500, error("tools param requires --jinja flag"), "no_tools", false],
    [400, error("registry.ollama.ai/library/m:7b does not support tools"), "no_tools", false],
    [404, error("The model `omni-moderation` does not exist", { code: "model_not_found" }), "model_missing", false],
    [403, error("Input was flagged by moderation", { metadata: { reasons: ["x"] } }), "answer_filtered", false],
    [
      400,
      error("Output data may contain inappropriate content.", { code: "data_inspection_failed" }),
      "answer_filtered",
      false,
    ],
    [500, error("CUDA out of memory. Tried to allocate 2 GiB"), "out_of_memory", false],
    [404, "404 page not found", "wrong_address", false],
    [404, { detail: "Not Found" }, "wrong_address", false],
    [404, "<html><body>nginx</body></html>", "wrong_address", false],
    [405, { detail: "Method Not Allowed" }, "wrong_address", false],
    [500, error("The server had an error while processing your request"), "server_error", true],
    [502, "<html><body>502 Bad Gateway</body></html>", "server_unreachable", true],
    [504, "upstream request timeout", "server_unreachable", true],
    [502, error("The model crashed"), "server_error", true],
    [503, "<html><body>No server is available to handle this request.</body></html>", "server_unreachable", true],
    [503, "no healthy upstream", "server_unreachable", true],
    [503, "<html><body>maintenance</body></html>", "server_busy", true],
    [400, error("messages: unexpected role"), "server_error", false],
    [418, "", "server_error", false],
  ])("%i %j is %s", (code, body, expected, retryable) => {
    expect(status(code, body)).toMatchObject({ error: { code: expected }, retryable });
  });

  it("text that a server repeats from the request decides nothing", () => {
    const detail = [
      {
        type: "missing",
        loc: ["body", "messages"],
        msg: "Field required",
        input: { text: "context_length_exceeded, insufficient_quota" },
      },
    ];
    const failure = status(422, { detail });
    expect(failure.error).toMatchObject({ code: "server_error", detail: 'Field required ["body","messages"]' });
  });

  it("a missing key is reported where none was sent", () => {
    const failure = openAiStatusFailure({
      status: 401,
      statusText: "",
      body: "",
      header: () => undefined,
      key: null,
      model: undefined,
      nowMs: 0,
    });
    expect(failure.error).toMatchObject({ code: "key_refused", facts: { missing: true } });
  });

  it("the detail has at most 200 characters, and the status where the body is empty", () => {
    expect(status(500, "x".repeat(1_000)).error.detail).toBe("x".repeat(200));
    expect(status(500, "").error.detail).toBe("500 Said So");
  });
});

describe("errors under status 200", () => {
  it.each([
    [error("boom"), "server_error", true],
    [error("Rate limit exceeded", { code: 429 }), "server_busy", true],
    [error("Insufficient credits", { code: 402 }), "quota_used", false],
    [
      { error: "Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway" },
      "wrong_address",
      false,
    ],
    [{ object: "error", message: "The model `x` does not exist." }, "model_missing", false],
    [
      error("Failed to parse tool call arguments as JSON: unexpected end of input; expected '}'"),
      "output_limit",
      false,
    ],
    [error("Failed to parse tool call arguments as JSON: unexpected character"), "unparsed_answer", true],
  ])("%j", (value, code, retryable) => {
    expect(openAiBodyFailure(value, { key: null, model: "m" })).toMatchObject({ error: { code }, retryable });
  });

  it.each([
    { choices: [], error: null },
    { choices: [] },
    { type: "ping" },
    { data: [] },
    [],
    { object: "chat.completion.chunk", message: "x" },
  ])("%j is not an error", (value) => {
    expect(findErrorText(value)).toBeUndefined();
  });
});

describe("refused fields", () => {
  it.each([
    ["Extra inputs are not permitted, field: 'stream_options'", ["stream_options"]],
    ["Unknown parameter: 'stream_options.include_usage'.", ["stream_options"]],
    ["Unsupported value: 'temperature' does not support 0.2 with this model.", ["temperature"]],
    ["Unrecognized request argument supplied: reasoning_effort", ["think"]],
    [`invalid reasoning value: 'xhigh' (must be "high", "medium", "low", "max", or "none")`, ["think"]],
    ["Input should be 'low', 'medium' or 'high' [\"body\",\"reasoning_effort\"]", ["think"]],
    ["Unsupported value: 'reasoning_effort' does not support 'none' with this model.", ["think"]],
    ["parameter.enable_thinking must be set to false for non-streaming calls", ["think"]],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ["max_tokens"],
    ],
    ["max_tokens is too large: 20000", []],
    ["the temperature of the room", []],
    ["This field is not supported", []],
  ])("%s", (words, fields) => {
    expect(refusedFields(words)).toEqual(fields);
  });
});

describe("waits", () => {
  const now = Date.UTC(2026, 10, 21, 8);
  it.each([
    [{ "retry-after": "3" }, "", 3_000],
    [{ "retry-after": "Sat, 21 Nov 2026 08:00:20 GMT" }, "", 20_000],
    [{ "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" }, "", undefined],
    [{ "retry-after": "3600" }, "", 3_600_000],
    [{ "retry-after": "-5" }, "", undefined],
    [{ "x-ratelimit-reset": "-5" }, "", undefined],
    [{}, "Please try again in 0s.", undefined],
    [{ "retry-after": "99999999999999" }, "", 31_536_000_000],
    [{ "retry-after": "soon" }, "", undefined],
    [{ "retry-after-ms": "1500", "retry-after": "2" }, "", 1_500],
    [{ "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0" }, "", 360_000],
    [
      {
        "x-ratelimit-reset-requests": "20ms",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-tokens": "1.5s",
        "x-ratelimit-remaining-tokens": "0",
      },
      "",
      1_500,
    ],
    [
      {
        "x-ratelimit-reset-requests": "30s",
        "x-ratelimit-remaining-requests": "9",
        "x-ratelimit-reset-tokens": "2s",
        "x-ratelimit-remaining-tokens": "0",
      },
      "",
      2_000,
    ],
    [{ "x-ratelimit-reset": String(now + 4_000) }, "", 4_000],
    [{ "x-ratelimit-reset": String(now / 1000 + 5) }, "", 5_000],
    [{ "x-ratelimit-reset": "12" }, "", 12_000],
    [{}, "Please try again in 1.242s. Visit the page", 1_242],
    [{}, "Please try again in 6m0s.", 360_000],
    [{}, '{"error":{"details":[{"retryDelay":"34s"}]}}', 34_000],
    [{}, `{"error":{"metadata":{"headers":{"X-RateLimit-Reset":"${now + 7_000}"}}}}`, 7_000],
    [{}, "try again later", undefined],
    [{}, "", undefined],
  ])("%j %s", (headers, words, ms) => {
    expect(parseRequestedWaitMs(headersOf(headers), words, now)).toBe(ms);
  });
});

describe("very long texts", () => {
  const long = 400_000;
  it.each([
    ["one word", "a".repeat(long)],
    ["digits", "1".repeat(long)],
    ["open tags", `<html>${"<".repeat(long)}`],
    ["open scripts", `<html>${"<script ".repeat(long / 8)}`],
  ])("%s are handled quickly, and their start is the detail", (_name, words) => {
    expect(openAiBodyFailure(error(words), { key: "sk-0000111122223333", model: "m:7b" }).error.code).toBe(
      "server_error",
    );
    expect(status(400, words).error.detail?.length).toBeLessThanOrEqual(200);
    expect(status(400, error(words)).error.detail?.length).toBeLessThanOrEqual(200);
  });

  it("a key in them is masked", () => {
    const masked = status(400, error(`sk-0000111122223333 ${"a".repeat(long)}`));
    expect(masked.error.detail).toMatch(/^\*\*\* a+$/);
  });
});
