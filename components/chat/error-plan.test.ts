import { describe, expect, test } from "vitest";
import { en } from "@/components/words/en";
import { type AgentError, errorCodes } from "@/lib/error";
import { asId, type BlobId } from "@/lib/id";
import type { ModelServerState } from "@/lib/models";
import type { ModelState } from "@/lib/view";
import { cappedAt, type ErrorSituation, type Remedy, remediesOf, sentenceOf } from "./error-plan";

const model = (numCtx = 8_192): ModelState => ({
  provider: "ollama",
  model: "qwen3:8b",
  toolMode: "native",
  numCtx,
  think: true,
  profile: "default",
  prompt: asId<BlobId>("b"),
});
const server = (more: Partial<ModelServerState> = {}): ModelServerState => ({
  status: "ready",
  host: "http://127.0.0.1:11434",
  models: [],
  loaded: [],
  canStart: false,
  ...more,
});
const at = (more: Partial<ErrorSituation> = {}): ErrorSituation => ({
  isOllama: true,
  model: model(),
  server: server(),
  canContinue: false,
  ...more,
});
const away = server({ status: "unreachable" });

describe("what helps", () => {
  test.each<[string, AgentError, ErrorSituation, readonly Remedy[]]>([
    ["a cut prompt wants a larger window", { code: "prompt_cut", facts: { window: 8_192 } }, at(), ["window_up"]],
    ["with a larger window it can go on", { code: "prompt_cut", facts: { window: 4_096 } }, at(), ["go_on"]],
    [
      "the same wish mends nothing where the server has less than was asked for",
      { code: "message_too_large", facts: { window: 2_048, asked: 8_192 } },
      at(),
      ["window_up"],
    ],
    [
      "a wish that the server does not grant mends nothing",
      { code: "prompt_cut", facts: { window: 4_096 } },
      at({ server: server({ loaded: [{ name: "qwen3:8b", size: 1, vramShare: 1, contextLength: 4_096 }] }) }),
      ["window_up"],
    ],
    ["a full window is compacted first", { code: "window_full" }, at({ canContinue: true }), ["compact", "window_up"]],
    ["a message over the window", { code: "message_too_large" }, at(), ["window_up"]],
    ["too little memory", { code: "out_of_memory" }, at(), ["window_down", "model_settings"]],
    ["too little memory elsewhere", { code: "out_of_memory" }, at({ isOllama: false }), ["connection_settings"]],
    ["a model that is not there", { code: "model_missing" }, at(), ["pull", "model_settings"]],
    [
      "a model that has come meanwhile",
      { code: "model_missing" },
      at({ server: server({ models: [{ name: "qwen3:8b", capabilities: [], cloud: false }] }) }),
      ["go_on"],
    ],
    [
      "no server, on this machine",
      { code: "server_unreachable" },
      at({ server: { ...away, canStart: true } }),
      ["start_server", "find_server"],
    ],
    ["no server elsewhere", { code: "server_unreachable" }, at({ server: away }), ["find_server", "model_settings"]],
    ["a server that is back", { code: "server_unreachable" }, at(), ["go_on"]],
    [
      "a connection that is away",
      { code: "server_unreachable" },
      at({ isOllama: false }),
      ["go_on", "connection_settings"],
    ],
    ["a key that is refused", { code: "key_refused" }, at({ isOllama: false }), ["connection_settings"]],
    ["a loop is told what to do instead", { code: "loop_detected" }, at({ canContinue: true }), ["steer", "resume"]],
    ["a limit goes on by Continue", { code: "step_limit" }, at({ canContinue: true }), ["resume"]],
    ["an error goes on by words", { code: "connection_lost" }, at(), ["go_on"]],
    ["nothing helps against our own mistakes", { code: "internal" }, at(), []],
  ])("%s", (_name, error, situation, remedies) => {
    expect(remediesOf(error, situation)).toEqual(remedies);
  });

  test("without a model nothing counts as mended", () => {
    for (const code of errorCodes) {
      const remedies = remediesOf({ code, facts: { window: 1 } }, at({ model: null }));
      expect(new Set(remedies).size, code).toBe(remedies.length);
    }
  });
});

test("the server's cap is known only where it gives less than was asked for", () => {
  const loaded = (contextLength: number) =>
    server({ loaded: [{ name: "qwen3:8b", size: 1, vramShare: 1, contextLength }] });
  expect(cappedAt(at({ server: loaded(4_096) }))).toBe(4_096);
  expect(cappedAt(at({ server: loaded(16_384) }))).toBeNull();
  expect(cappedAt(at({ server: server() }))).toBeNull();
});

describe("what it says", () => {
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
  ])("%j", (error, sentence) => expect(sentenceOf(error, en)).toBe(sentence));

  test("without its facts every error has the sentence of its code", () => {
    for (const code of errorCodes) expect(sentenceOf({ code }, en)).toBe(en.errors.sentences[code]);
    expect(sentenceOf({ code: "loop_detected", facts: { times: "3" } }, en)).toBe(en.errors.sentences.loop_detected);
  });
});
