/** Writes many sessions in English and Chinese into a home, through the store's own code, and indexes them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type MessageId, type RunId, type SessionId } from "@/lib/events/id";
import { openSeedStore } from "./seed-session";

interface SeedHistoryOptions {
  readonly home: string;
  readonly project: string;
  readonly messages: number;
}

export interface SeededHistory {
  readonly indexMs: number;
  readonly stepP95Ms: number;
  readonly indexBytes: number;
}

const sessionMessages = 500;
const stepMs = 2.5;

const sentenceNouns =
  "parser session token stream folder index error socket button request answer window column buffer thread".split(" ");
const sentenceVerbs = "reads writes keeps closes opens splits joins checks moves finds sends drops folds counts".split(
  " ",
);
const syllables = "ra li to me san vo ker dun pel mir tas non gul fey".split(" ");
const chineseCharacters =
  "修复会话列表错误搜索历史记录模型文件打开关闭窗口按钮请求回答测试通过失败内存时间数据索引中英文混合短语项目目录权限规则";

/** Returns a pseudo-random generator with the same numbers in every bench. */
function makeRandomPick(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function makeTexts(pick: (below: number) => number): (message: number) => string {
  const pickFrom = (list: readonly string[]): string => list[pick(list.length)] ?? "";
  // A few common words are frequent and many words are rare, as in real text.
  const name = (): string => Array.from({ length: 2 + pick(3) }, () => pickFrom(syllables)).join("");
  const sentence = (): string =>
    `The ${pickFrom(sentenceNouns)} ${pickFrom(sentenceVerbs)} ${name()} and ${name()}${pickFrom(sentenceNouns)} in src/${name()}.ts.`;
  const chinese = (): string =>
    `${Array.from({ length: 14 }, () => chineseCharacters.charAt(pick(chineseCharacters.length))).join("")}，${name()}${Array.from({ length: 8 }, () => chineseCharacters.charAt(pick(chineseCharacters.length))).join("")}。`;
  return (message) => {
    const rare = message % 50_000 === 17 ? " zanzibar 独角鲸" : "";
    const lines = Array.from({ length: 3 }, () => (message % 3 === 0 ? chinese() : sentence()));
    return `${lines.join(" ")}${rare}`;
  };
}

/** Seeds the home. No other process may have it open. */
export async function seedHistory({ home, project, messages }: SeedHistoryOptions): Promise<SeededHistory> {
  const store = await openSeedStore(home);
  const { id: projectId } = store.projects.open({ path: project, name: "project" }, Date.now());
  const textOf = makeTexts(makeRandomPick());
  const betweenMs = 20_000;
  const start = Date.now() - messages * betweenMs;
  for (let first = 0; first < messages; first += sessionMessages) {
    const id = asId<SessionId>(`ses_find_${first}`);
    const at = start + first * betweenMs;
    const events = sessionEvents(first, textOf);
    const updatedAt = at + events.length * (betweenMs / 2);
    store.events.create({
      session: {
        id,
        projectId,
        cwd: project,
        title: `Session ${first}`,
        status: "idle",
        mode: "ask",
        model: "scripted:latest",
        createdAt: at,
        updatedAt,
        added: 0,
        removed: 0,
      },
      rows: events.map((event, index) => ({ seq: index + 1, at: at + index * (betweenMs / 2), event })),
    });
  }
  const history = await store.history();
  const steps: number[] = [];
  const startedAt = performance.now();
  for (let goesOn = true; goesOn; ) {
    const before = performance.now();
    goesOn = history.step(stepMs);
    steps.push(performance.now() - before);
  }
  const indexMs = performance.now() - startedAt;
  store.close();
  steps.sort((a, b) => a - b);
  const stepP95Ms = steps[Math.floor(steps.length * 0.95)] ?? Number.NaN;
  return { indexMs, stepP95Ms, indexBytes: statSync(join(home, "history.db")).size };
}

function sessionEvents(first: number, textOf: (message: number) => string): readonly DurableEvent[] {
  const runId = asId<RunId>(`r${first}`);
  const messages = Array.from({ length: sessionMessages }, (_, index): readonly DurableEvent[] => {
    const messageId = asId<MessageId>(`m${first + index}`);
    const blocks = [{ type: "text" as const, text: textOf(first + index) }];
    return [
      { type: "message_start", messageId, role: index % 2 === 0 ? "user" : "assistant" },
      { type: "message_end", messageId, blocks, stop: "done" },
    ];
  });
  return [{ type: "agent_start", runId }, ...messages.flat(), { type: "agent_end", runId, reason: "done" }];
}
