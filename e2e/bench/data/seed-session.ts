/** Writes a long conversation into a home's database through the store's own code, which is bundled here for it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import {
  asId,
  type BlobId,
  type CommandId,
  type MessageId,
  type RunId,
  type SessionId,
  type TurnId,
} from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { Result } from "@/lib/events/error";
import { cacheFolder, root } from "../bench";

/** The subset of server/store/open-store that is used here. */
interface SeedStore {
  readonly projects: { open(folder: { path: string; name: string }, at: number): Project };
  readonly blobs: { put(bytes: Uint8Array): BlobId };
  readonly events: {
    create(input: { session: object; rows: readonly object[] }): void;
    commit(input: { sessionId: SessionId; rows: readonly object[]; row?: object }): void;
  };
  readonly automations: { save(automation: object, createdAt: number): void };
  history(): Promise<{ step(forMs: number): boolean }>;
  close(): void;
}
interface StoreModule {
  openStore(options: { home: string; now: () => number; migrations: string }): Result<SeedStore>;
}

interface SeedOptions {
  readonly home: string;
  readonly project: string;
  readonly messages: number;
  /** The last words of the last message. */
  readonly mark: string;
  /** Absent = the only session of the home. */
  readonly id?: string;
}

const batchEvents = 4_000;

/** Seeds the home. No other process may have it open. */
export async function seedSession({
  home,
  project,
  messages,
  mark,
  id = "ses_bench_history",
}: SeedOptions): Promise<SessionId> {
  const store = await openSeedStore(home);
  const sessionId = asId<SessionId>(id);
  const at = Date.now();
  const { id: projectId } = store.projects.open({ path: project, name: "project" }, at);
  const prompt = store.blobs.put(Buffer.from(JSON.stringify({ system: "You are gopi.", tools: [] })));
  const row = { id: sessionId, projectId, cwd: project, title: "A long conversation", status: "idle" };
  store.events.create({
    session: { ...row, mode: "ask", model: "", createdAt: at, updatedAt: at, added: 0, removed: 0 },
    rows: [{ seq: 1, at, event: { type: "session_start", projectId, cwd: project } satisfies DurableEvent }],
  });
  const events = conversationEvents(messages, mark, prompt);
  for (let from = 0; from < events.length; from += batchEvents) {
    const rows = events
      .slice(from, from + batchEvents)
      .map((event, index) => ({ seq: from + index + 2, at: at + from + index, event }));
    store.events.commit({ sessionId, rows });
  }
  store.close();
  return sessionId;
}

/** Opens the store of a home, bundled and imported. */
export async function openSeedStore(home: string): Promise<SeedStore> {
  const { openStore } = await bundleStore();
  const opened = openStore({ home, now: () => Date.now(), migrations: join(root, "server/store/migrations") });
  if (!opened.ok) throw new Error(`the store could not be opened: ${opened.error.code}`);
  return opened.value;
}

async function bundleStore(): Promise<StoreModule> {
  mkdirSync(cacheFolder, { recursive: true });
  const outfile = join(cacheFolder, "store.mjs");
  await build({
    cwd: root,
    input: "server/store/open-store.ts",
    platform: "node",
    external: ["better-sqlite3"],
    logLevel: "silent",
    output: { file: outfile, format: "esm", codeSplitting: false },
  });
  const module: StoreModule = await import(pathToFileURL(outfile).href);
  return module;
}

const answerParagraph =
  "The parser reads **one** line at a time. It keeps `state` between calls, so a line that ends in the middle of a quotation goes on in the next.\n\n- callers: `load`, `check`\n- tests: 14";

/** Returns pairs of question and answer, one run each, as a session writes them. */
function conversationEvents(messages: number, mark: string, prompt: BlobId): readonly DurableEvent[] {
  const events: DurableEvent[] = [
    {
      type: "model_change",
      provider: "ollama",
      model: "scripted:latest",
      toolMode: "native",
      numCtx: 16_384,
      think: false,
      profile: "default",
      prompt,
    },
  ];
  const text = (value: string): readonly Block[] => [{ type: "text", text: value }];
  for (let pair = 0; pair < messages / 2; pair += 1) {
    const [question, answer] = [asId<MessageId>(`m_q${pair}`), asId<MessageId>(`m_a${pair}`)];
    const [runId, turnId] = [asId<RunId>(`r_${pair}`), asId<TurnId>(`t_${pair}`)];
    const last = pair === messages / 2 - 1 ? `\n\n${mark}` : "";
    events.push(
      { type: "agent_start", runId },
      { type: "message_start", messageId: question, role: "user", commandId: asId<CommandId>(`c_${pair}`) },
      { type: "message_end", messageId: question, blocks: text(`Question ${pair}: what does it do?`), stop: "done" },
      { type: "turn_start", turnId, step: 1 },
      { type: "message_start", messageId: answer, role: "assistant" },
      {
        type: "message_end",
        messageId: answer,
        blocks: text(`Answer ${pair}. ${answerParagraph}${last}`),
        stop: "done",
      },
      { type: "turn_end", turnId },
      { type: "agent_end", runId, reason: "done" },
    );
  }
  return events;
}
