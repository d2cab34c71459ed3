/**
 * For tests: sends a model's output as bytes over a wire, through a provider and the open message, into the folded
 * view.
 */
import type { Block, Json } from "@/lib/events/content";
import type { DurableEvent, LiveEvent, ToolMode } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import {
  type ApprovalId,
  asId,
  type BlobId,
  type CallId,
  type MessageId,
  type ProjectId,
  type RunId,
  type SessionId,
  type TurnId,
} from "@/lib/events/id";
import { at } from "@/lib/view/chunks";
import { emptyView, type SessionView, type ViewBlock } from "@/lib/view/view";
import { makePartJoiner } from "@/server/providers/wire/answer-stream";
import { makeOllamaReader } from "@/server/providers/ollama/ollama";
import { makeOpenAiReader } from "@/server/providers/openai/stream/openai-reader";
import type { ModelPart } from "@/server/providers/provider";
import { emptyCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeOpenMessage } from "./open-message";

export const providerWires = ["ollama", "openai"] as const;
type ProviderWire = (typeof providerWires)[number];

/** One piece as the model's server sends it. */
export type StreamPiece =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly call: { readonly name: string; readonly input: Json } };

interface PipelineResult {
  /** The stored value. */
  readonly stored: readonly Block[];
  /** The view's blocks just before the end, as displayed. */
  readonly displayed: readonly ViewBlock[];
  /** The view's blocks after each part. */
  readonly views: readonly (readonly ViewBlock[])[];
  /** The view's blocks after the end. */
  readonly finalView: readonly ViewBlock[];
}

const maxChars = 10_000_000;

function ollamaBody(pieces: readonly StreamPiece[]): string {
  const lines = pieces.map((one) =>
    "text" in one
      ? { content: one.text }
      : "thinking" in one
        ? { content: "", thinking: one.thinking }
        : { content: "", tool_calls: [{ function: { name: one.call.name, arguments: one.call.input } }] },
  );
  const all = lines.map((message) => ({ model: "m", message: { role: "assistant", ...message }, done: false }));
  const last = { model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" };
  return [...all, last].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function openaiBody(pieces: readonly StreamPiece[]): string {
  let calls = 0;
  const deltas = pieces.map((one) => {
    if ("text" in one) return { content: one.text };
    if ("thinking" in one) return { reasoning_content: one.thinking };
    const index = calls++;
    const { name, input } = one.call;
    return { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: JSON.stringify(input) } }] };
  });
  const events = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
}

/** The provider's parts for the bytes of `body`, read in chunks of `size`. */
function readParts(wire: ProviderWire, body: string, size: number): readonly ModelPart[] {
  const bytes = new TextEncoder().encode(body);
  const parts: ModelPart[] = [];
  const reader =
    wire === "ollama"
      ? makeOllamaReader("m", maxChars)
      : makeOpenAiReader({ maxChars, now: () => 0 }, { key: null, model: "m" }, {});
  // Parts of one packet are joined, as the provider's stream does.
  const joiner = makePartJoiner();
  for (let start = 0; start < bytes.length; start += size) {
    for (const group of reader.take(bytes.subarray(start, start + size)))
      for (const part of group) parts.push(...joiner.add(part));
    parts.push(...joiner.flush());
  }
  return parts;
}

const sessionId = asId<SessionId>("s");
const messageId = asId<MessageId>("m");

function makeTestView(mode: ToolMode) {
  let view: SessionView = emptyView(sessionId);
  const commit = (event: DurableEvent): void => {
    view = fold(view, { v: 1, sessionId, seq: view.seq + 1, at: 0, event });
  };
  commit({ type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" });
  const model = {
    provider: "ollama",
    model: "m",
    toolMode: mode,
    numCtx: 8_192,
    think: true,
    profile: "default",
  } as const;
  commit({ type: "model_change", ...model, prompt: asId<BlobId>("b") });
  commit({ type: "agent_start", runId: asId<RunId>("r") });
  commit({ type: "turn_start", turnId: asId<TurnId>("t"), step: 1 });
  commit({ type: "message_start", messageId, role: "assistant" });
  return {
    view: () => view,
    commit,
    live: (event: LiveEvent): void => {
      view = fold(view, { v: 1, sessionId, after: view.seq, at: 0, event });
    },
    blocks: (): readonly ViewBlock[] => {
      const entry = at(view.entries, view.entries.length - 1);
      return entry?.kind === "message" ? entry.blocks : [];
    },
  };
}

/** `size` = chunk size on the wire, bytes. */
export function runPipeline(
  wire: ProviderWire,
  mode: ToolMode,
  pieces: readonly StreamPiece[],
  size = 1_000_000,
): PipelineResult {
  const views = makeTestView(mode);
  let calls = 0;
  const host = {
    view: views.view,
    live: views.live,
    catalogue: () => emptyCatalogue,
    tools: () => builtInSource.tools(),
    now: () => 0,
    ids: {
      turn: () => asId<TurnId>("t"),
      message: () => messageId,
      call: () => asId<CallId>(`c${(calls += 1)}`),
      approval: () => asId<ApprovalId>("a"),
    },
  };
  const message = makeOpenMessage(host, messageId, mode === "native");
  const seen: (readonly ViewBlock[])[] = [];
  let whole = false;
  for (const part of readParts(wire, wire === "ollama" ? ollamaBody(pieces) : openaiBody(pieces), size)) {
    if (part.type === "finish") whole = part.stop === "done";
    if (part.type === "finish" || part.type === "failed" || part.type === "control") break;
    message.take(part);
    if (views.view().stale) throw new Error("a live delta does not continue its block");
    seen.push(views.blocks());
    whole = message.finished;
    if (message.finished) break;
  }
  message.close();
  const shown = views.blocks();
  const stored = message.blocks(whole);
  views.commit({ type: "message_end", messageId, blocks: stored, stop: "done" });
  return { stored, displayed: shown, views: seen, finalView: views.blocks() };
}
