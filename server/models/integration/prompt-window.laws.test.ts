/**
 * Prompt sizes with a server that counts each script differently: real sessions over a scripted server, with both APIs.
 */
import { neverAborted } from "@/server/base/abort";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script } from "@/e2e/fixtures/scripted-model.mjs";
import { asId, type CommandId } from "@/lib/events/id";
import { lawCases } from "@/lib/testing/law-runs";
import { pathEntries } from "@/lib/view/view";
import { compactionText } from "@/server/prompts/compaction";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "./test-model-rig";

let counted = 0;
const command = (): CommandId => asId<CommandId>(`w${(counted += 1)}`);
/** Deterministic random numbers. */
const noise = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};
const repeated = (chars: string, length: number, gap = ""): string => {
  const next = noise(7);
  return Array.from({ length }, (_, index) => {
    const char = [...chars][Math.floor(next() * [...chars].length)] ?? "";
    return gap !== "" && index % 9 === 8 ? `${char}${gap}` : char;
  }).join("");
};
const inLines = (text: string, length: number): string =>
  (text.match(new RegExp(`[\\s\\S]{1,${length}}`, "gu")) ?? []).join("\n");

interface Kind {
  /** A text of about that many characters. */
  readonly text: (chars: number) => string;
  readonly costs: NonNullable<Script["costs"]>;
}

/** Token costs in vocabularies without these scripts: at worst one token per byte. */
const kinds: Readonly<Record<string, Kind>> = {
  Chinese: {
    text: (chars) => inLines(repeated("模型服务器没有回答请检查是否已经启动然后再试一次文件内容价格规则", chars), 40),
    costs: [{ pattern: "[\\u4e00-\\u9fff]+", tokens: 3 }],
  },
  Japanese: {
    text: (chars) =>
      inLines(repeated("ファイルを読みましたがテストは失敗しています次に価格の規則を直します", chars), 40),
    costs: [
      { pattern: "[\\u3040-\\u30ff]+", tokens: 2.6 },
      { pattern: "[\\u4e00-\\u9fff]+", tokens: 3 },
    ],
  },
  Korean: {
    text: (chars) => inLines(repeated("파일을읽었지만시험은실패했습니다다음에가격규칙을고칩니다", chars, " "), 60),
    costs: [{ pattern: "[\\uac00-\\ud7a3]+", tokens: 3 }],
  },
  Arabic: {
    text: (chars) => inLines(repeated("قرأتالملفلكنالاختبارفشلسأصلحالقواعد", chars, " "), 60),
    costs: [{ pattern: "[\\u0600-\\u06ff]+", tokens: 1.4 }],
  },
  Thai: {
    text: (chars) => inLines(repeated("อ่านไฟล์แล้วแต่การทดสอบล้มเหลวจะแก้ไขกฎราคา", chars), 60),
    costs: [{ pattern: "[\\u0e00-\\u0e7f]+", tokens: 2.5 }],
  },
  emoji: {
    text: (chars) => inLines(repeated("🙂🚀🎉🐛✅🔥💡📦", chars / 2), 30),
    costs: [{ pattern: "[\\u{1f300}-\\u{1faff}\\u2705]+", tokens: 2 }],
  },
  base64: {
    text: (chars) => inLines(repeated("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", chars), 76),
    costs: [{ pattern: "[A-Za-z0-9+/]{60,}", tokens: 0.9 }],
  },
  "minified code": {
    text: (chars) =>
      inLines(
        "function(e,t){return n[e]||(n[e]=t.map((r)=>r.id===e?r:o(r,{k:!0}))),i&&a(e,[1,2,3])};".repeat(chars / 88),
        400,
      ),
    costs: [{ pattern: "[^\\s]{40,}", tokens: 0.6 }],
  },
};

const isRefused = (tokens: number | undefined, window: number): boolean => (tokens ?? 0) > window;
const askMark = compactionText("ask").slice(0, 40);

async function rigFor(wire: "ollama" | "openai", window: number, kind: Kind): Promise<ModelRig> {
  const read = (offset: number) => ({ name: "read", arguments: { path: "notes.txt", offset, limit: 400 } });
  const turns = Array.from({ length: 10 }, (_, step) => ({
    text: step % 4 === 3 ? kind.text(60) : "",
    toolCalls: step % 3 === 1 ? [read(step * 3 + 1), read(step * 5 + 2), read(step * 7 + 1)] : [read(step * 4 + 1)],
  }));
  const side = { when: askMark, turn: { text: `The notes were read. ${kind.text(80)}` } };
  const rig = await makeModelRig({
    models: ["m:8b"],
    capabilities: ["completion", "tools"],
    context: window,
    costs: kind.costs,
    side,
    turns: [{ text: "Good morning. What shall I do?" }, ...turns, { text: "Read." }, ...turns],
  });
  writeFileSync(join(rig.root, "notes.txt"), kind.text(30_000));
  if (wire === "openai") {
    const saved = rig.access.connections.save({
      name: "Cellar",
      preset: "custom",
      baseUrl: `${rig.model.url}/v1`,
      model: "m:8b",
      numCtx: window,
    });
    if (!saved.ok) throw new Error(saved.error.code);
    rig.settings.current = { ...rig.settings.current, connection: saved.value.id };
    await rig.access.connections.ready(saved.value.id);
  } else await rig.access.models.refresh(new AbortController().signal);
  return rig;
}

async function sessionIn(rig: ModelRig): Promise<Session> {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  return rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
}

async function say(session: Session, text: string): Promise<void> {
  const sent = session.send(text, "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  await sent.value.done;
}

const cases = Object.keys(kinds).flatMap((name) =>
  (["ollama", "openai"] as const).flatMap((wire) =>
    [4_096, 8_192, 16_384].map((window): readonly [string, "ollama" | "openai", number] => [name, wire, window]),
  ),
);

describe("the lesson of a refusal", () => {
  test("applies to the next session on this model, and does not raise the estimate of other texts", async () => {
    const chinese = kinds.Chinese;
    if (chinese === undefined) throw new Error("Chinese");
    const rig = await rigFor("ollama", 8_192, chinese);
    const first = await sessionIn(rig);
    await say(first, chinese.text(2_800));
    const sizes = (): readonly number[] =>
      rig.model.requests.flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]));
    expect(sizes().filter((tokens) => isRefused(tokens, 8_192))).toHaveLength(1);
    const scale = rig.access.models.known.note(rig.access.models.keyOf("m:8b")).tokenScale ?? {};
    expect(scale.han?.ratio).toBeGreaterThan(3.5);
    expect(scale.words?.ratio).toBeLessThan(1.6);
    const second = await sessionIn(rig);
    await say(second, chinese.text(2_800));
    // The program detects by itself that the prompt cannot fit.
    expect(sizes().filter((tokens) => isRefused(tokens, 8_192))).toHaveLength(1);
    expect(pathEntries(second.view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []))).toEqual([
      "message_too_large",
    ]);
  });
});

describe("after the first count of a conversation", () => {
  test.each(lawCases(cases))("no request with %s exceeds the window: %s, %i tokens", async (name, wire, window) => {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(name);
    const rig = await rigFor(wire, window, kind);
    const session = await sessionIn(rig);
    await say(session, "Good morning.");
    await say(session, "Read the notes from the start to the end.");
    await say(session, `${kind.text(Math.floor(window / 40))} and once more, please.`);
    const sizes = rig.model.requests.flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]));
    expect(sizes.length).toBeGreaterThan(18);
    expect(sizes.filter((tokens) => isRefused(tokens, window))).toEqual([]);
    expect(pathEntries(session.view).some((entry) => entry.kind === "error")).toBe(false);
    // The window is used: not too much is held back.
    expect(Math.max(...sizes)).toBeGreaterThan(window * 0.5);
    const report = await session.context(neverAborted);
    const last = pathEntries(session.view).findLast((entry) => entry.kind === "message" && entry.usage !== undefined);
    if (!report.ok || last?.kind !== "message") throw new Error("no count");
    expect(report.value.total - (last.usage?.promptTokens ?? 0)).toBeGreaterThanOrEqual(0);
    expect(report.value.total).toBeLessThan(window);
  });
});
