import { describe, expect, test } from "vitest";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { type AgentError, errorCodes, makeError } from "@/lib/events/error";
import { asId, type BlobId } from "@/lib/events/id";
import type { ModelServerState } from "@/lib/models/models";
import type { ModelState } from "@/lib/view/view";
import {
  findServerWindowCap,
  type RemedyContext,
  type Remedy,
  findRemedies,
  formatErrorSentence,
  hasLateSentence,
  windowNeed,
} from "./find-remedies";

const words = { ...en, ...enConversation };

const model = (numCtx = 8_192): ModelState => ({
  provider: "ollama",
  model: "qwen3:8b",
  toolMode: "native",
  numCtx,
  think: true,
  profile: "default",
  prompt: asId<BlobId>("b"),
});
const engineModel: ModelState = { ...model(), provider: "engine", model: "tiny" };
const server = (more: Partial<ModelServerState> = {}): ModelServerState => ({
  status: "ready",
  host: "http://127.0.0.1:11434",
  models: [],
  loaded: [],
  canStart: false,
  ...more,
});
const at = (more: Partial<RemedyContext> = {}): RemedyContext => ({
  isOllama: true,
  model: model(),
  server: server(),
  canContinue: false,
  ...more,
});
const away = server({ status: "unreachable" });

describe("remedies", () => {
  test.each([
    "engine_incompatible",
    "model_file_broken",
    "model_unsupported",
    "graphics_failed",
    "engine_ended",
  ] as const)("%s of the built-in engine leads to its settings", (code) => {
    const context = at({ isOllama: false, model: engineModel, canContinue: true });
    expect(findRemedies({ code }, context)).toEqual(["model_settings", "resume"]);
  });

  test.each<[string, AgentError, RemedyContext, readonly Remedy[]]>([
    ["a cut prompt needs a larger window", { code: "prompt_cut", facts: { window: 8_192 } }, at(), ["window_up"]],
    ["a larger window lets the run continue", { code: "prompt_cut", facts: { window: 4_096 } }, at(), ["go_on"]],
    [
      "the same requested window fixes nothing if the server allocated less",
      { code: "message_too_large", facts: { window: 2_048, asked: 8_192 } },
      at(),
      ["window_up"],
    ],
    [
      "a larger requested window fixes nothing if the server does not allocate it",
      { code: "prompt_cut", facts: { window: 4_096 } },
      at({ server: server({ loaded: [{ name: "qwen3:8b", size: 1, vramShare: 1, contextLength: 4_096 }] }) }),
      ["window_up"],
    ],
    ["a full window is compacted first", { code: "window_full" }, at({ canContinue: true }), ["compact", "window_up"]],
    ["a message over the window", { code: "message_too_large" }, at(), ["window_up"]],
    ["too little memory", { code: "out_of_memory" }, at(), ["window_down", "model_settings"]],
    ["too little memory on a connection", { code: "out_of_memory" }, at({ isOllama: false }), ["connection_settings"]],
    [
      "too little memory for a model of the built-in engine",
      { code: "out_of_memory" },
      at({ isOllama: false, model: engineModel }),
      ["window_down", "model_settings"],
    ],
    [
      "a smaller window of the built-in engine lets the run continue",
      { code: "out_of_memory", facts: { window: 16_384 } },
      at({ isOllama: false, model: engineModel }),
      ["go_on"],
    ],
    [
      "a model that was removed from the built-in engine",
      { code: "model_missing" },
      at({ isOllama: false, model: engineModel }),
      ["model_settings"],
    ],
    [
      "a missing engine is installed in the settings",
      { code: "engine_missing" },
      at({ isOllama: false, model: engineModel }),
      ["model_settings", "go_on"],
    ],
    [
      "a port that the built-in engine could not use",
      { code: "start_failed", facts: { takenPort: "8080" } },
      at({ isOllama: false, model: engineModel, canContinue: true }),
      ["resume"],
    ],
    ["a missing model", { code: "model_missing" }, at(), ["pull", "model_settings"]],
    [
      "a model installed in the meantime",
      { code: "model_missing" },
      at({ server: server({ models: [{ name: "qwen3:8b", capabilities: [], cloud: false }] }) }),
      ["go_on"],
    ],
    [
      "a model installed in the meantime, chosen without its tag",
      { code: "model_missing" },
      at({
        model: { ...model(), model: "qwen3" },
        server: server({ models: [{ name: "qwen3:latest", capabilities: [], cloud: false }] }),
      }),
      ["go_on"],
    ],
    [
      "no server, on this machine",
      { code: "server_unreachable" },
      at({ server: { ...away, canStart: true } }),
      ["start_server", "find_server"],
    ],
    [
      "no server on another host",
      { code: "server_unreachable" },
      at({ server: away }),
      ["find_server", "model_settings"],
    ],
    ["a server that is reachable again", { code: "server_unreachable" }, at(), ["go_on"]],
    [
      "an unreachable connection",
      { code: "server_unreachable" },
      at({ isOllama: false }),
      ["go_on", "connection_settings"],
    ],
    ["a tool that the server refused without its name", { code: "tool_refused" }, at(), ["tool_settings", "go_on"]],
    ["an answer that Ollama can't parse", { code: "unparsed_answer" }, at(), ["go_on", "model_settings"]],
    [
      "an answer that the server of a connection can't parse",
      { code: "unparsed_answer" },
      at({ isOllama: false }),
      ["go_on", "connection_settings"],
    ],
    ["a refused key", { code: "key_refused" }, at({ isOllama: false }), ["connection_settings"]],
    ["a loop offers to steer first", { code: "loop_detected" }, at({ canContinue: true }), ["steer", "resume"]],
    ["a limit is resumed with Continue", { code: "step_limit" }, at({ canContinue: true }), ["resume"]],
    ["an error is resumed with a message", { code: "connection_lost" }, at(), ["go_on"]],
    ["an internal error has no remedy", { code: "internal" }, at(), []],
  ])("%s", (_name, error, situation, remedies) => {
    expect(findRemedies(error, situation)).toEqual(remedies);
  });

  test("without a model every error has distinct remedies", () => {
    for (const code of errorCodes) {
      const remedies = findRemedies(makeError(code, { facts: { window: 1 } }), at({ model: null }));
      expect(new Set(remedies).size, code).toBe(remedies.length);
    }
  });
});

test("the cap is reported only if the server allocates less than requested", () => {
  const loaded = (contextLength: number) =>
    server({ loaded: [{ name: "qwen3:8b", size: 1, vramShare: 1, contextLength }] });
  expect(findServerWindowCap(at({ server: loaded(4_096) }))).toBe(4_096);
  expect(findServerWindowCap(at({ server: loaded(16_384) }))).toBeNull();
  expect(findServerWindowCap(at({ server: server() }))).toBeNull();
});

describe("sentences", () => {
  test.each<[AgentError, string]>([
    [
      { code: "prompt_cut", facts: { sent: 9_800, read: 4_096, window: 4_096 } },
      "The server cut the prompt: it read 4k of 9.8k tokens. The model hasn't seen the beginning.",
    ],
    [
      { code: "loop_detected", facts: { tool: "read", target: "src/a.ts", times: 3, period: 1, same: true } },
      "It called read src/a.ts 3 times with the same result.",
    ],
    [
      { code: "loop_detected", facts: { tool: "bash", target: "npm test", times: 8, period: 1, same: false } },
      "It called bash npm test 8 times in a row, with a different result each time.",
    ],
    [
      { code: "loop_detected", facts: { tool: "read", target: "a.ts", times: 3, period: 2, same: true } },
      "It repeated the same 2 calls 3 times with the same results, most recently read a.ts.",
    ],
    [
      { code: "window_full", facts: { tokens: 9_120, window: 8_192 } },
      "The conversation needs 9.1k tokens, but the window holds 8k.",
    ],
    [{ code: "model_missing", facts: { model: "qwen3:8b" } }, "qwen3:8b isn't installed on the model server."],
    [
      { code: "model_missing", facts: { model: "m1", provider: "cellar" } },
      "This session's connection was removed. Choose another model to continue.",
    ],
  ])("%j", (error, sentence) => expect(formatErrorSentence(error, words)).toBe(sentence));

  test("an error without facts has the general sentence of its code", () => {
    for (const code of errorCodes) expect(formatErrorSentence(makeError(code), words)).toBe(en.errors.sentences[code]);
    expect(formatErrorSentence({ code: "loop_detected", facts: { times: 3 } }, words)).toBe(
      en.errors.sentences.loop_detected,
    );
  });
});

test("a message that is too large needs a window for itself and an answer; a full window has no such need", () => {
  const facts = { tokens: 10_600, window: 4_096 };
  expect(windowNeed({ code: "message_too_large", facts })).toBe(10_856);
  expect(windowNeed({ code: "window_full", facts })).toBe(0);
  expect(windowNeed({ code: "message_too_large" })).toBe(0);
});

test.each<[AgentError, boolean]>([
  [{ code: "start_failed", facts: { takenPort: "8080" } }, true],
  [{ code: "start_failed" }, false],
  [{ code: "out_of_memory", detail: "SIGKILL", facts: { signal: "SIGKILL", window: 8_192 } }, true],
  [{ code: "out_of_memory", facts: { window: 8_192 } }, false],
  [{ code: "model_missing", facts: { model: "m", file: "/m.gguf" } }, true],
  [{ code: "model_missing", facts: { model: "m" } }, false],
  [{ code: "engine_incompatible", facts: { library: "GLIBC_2.38" } }, true],
  [{ code: "engine_ended", facts: { exit: "exit 1", program: "/p" } }, true],
  [{ code: "engine_ended", facts: { exit: "exit 1" } }, false],
  [{ code: "engine_missing", facts: { program: "/p" } }, true],
  [{ code: "model_unsupported", facts: { architecture: "qwen9" } }, true],
  [{ code: "model_unsupported", facts: { architecture: "" } }, false],
  [{ code: "key_refused", facts: { status: 401, wants: "user" } }, true],
  [{ code: "key_refused", facts: { status: 401 } }, false],
  [{ code: "server_unreachable", facts: { host: "h" } }, false],
  [{ code: "server_unreachable", facts: { status: 502, router: true } }, true],
  [{ code: "server_busy", facts: { status: 429, retryAt: 5 } }, true],
  [{ code: "server_busy", facts: { status: 429, waitMs: 5 } }, false],
])("%j has a sentence that is loaded late: %s", (error, expected) => expect(hasLateSentence(error)).toBe(expected));
