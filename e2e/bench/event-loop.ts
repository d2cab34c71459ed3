/**
 * Measures the longest task of the server in each of its larger jobs, which blocks all other requests. Uses perf_hooks
 * inside the server.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { SessionId } from "@/lib/id";
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import { longAnswer } from "./answers";
import { type Bench, pause, until } from "./bench";
import { freshCommandId, newSession, type Product, runPrompt, startProduct } from "./product";
import { ms, type Row } from "./row";
import { seedSession } from "./seed";

const budgetMs = 50;
const idleMs = 2_000;
const limitMs = 120_000;
const sizes = { messages: 10_000, files: 20_000, tokens: 10_000, editedBytes: 2_400_000, readBytes: 100_000_000 };

type Model = Awaited<ReturnType<typeof startScriptedModel>>;

interface Place {
  readonly product: Product;
  readonly model: Model;
  readonly project: string;
  readonly long: SessionId;
}

export async function eventLoop(bench: Bench): Promise<readonly Row[]> {
  const model = await startScriptedModel();
  const options = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
  const long = await seedSession({ ...options, messages: sizes.messages, mark: "END" });
  fill(options.project);
  const file = join(bench.folder("loop"), "longest");
  const probe = pathToFileURL(fileURLToPath(new URL("loop-probe.mjs", import.meta.url)));
  const environment = { NODE_OPTIONS: `--import ${probe.href}`, GOPI_BENCH_LOOP: file };
  const product = await startProduct(bench, { ...options, environment });
  try {
    const longest = (): Promise<number> => longestSince(product.pid, file);
    await pause(idleMs);
    await longest();
    await pause(idleMs);
    const quietMs = await longest();
    const rows: Row[] = [];
    for (const [id, what, work] of jobs) {
      await work({ product, model, project: options.project, long });
      rows.push(rowOf(id, what, await longest(), quietMs));
      bench.say(`  ${what}: ${rows.at(-1)?.measured}`);
    }
    return rows;
  } finally {
    await product.end();
    await model.close();
  }
}

/** Returns the longest delay since the last query, ms. */
async function longestSince(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  await until("the answer of the probe", limitMs, async () => existsSync(file) || undefined);
  return Number(readFileSync(file, "utf8"));
}

const rowOf = (id: string, what: string, longestMs: number, quietMs: number): Row => ({
  id: `loop-${id}`,
  what: `longest task of the server: ${what}`,
  measured: ms(longestMs),
  yardstick: `the same server idle ${ms(quietMs)}`,
  budget: `≤ ${budgetMs} ms`,
  met: longestMs <= budgetMs,
  figures: { longestMs, quietMs },
});

const line = (index: number): string => `  const value${index} = compute(${index}, "text"); // note\n`;

function fill(project: string): void {
  for (let index = 0; index < sizes.files; index += 1) writeFileSync(join(project, `file${index}.ts`), line(index));
  const lines = Math.ceil(sizes.editedBytes / line(10_000).length);
  writeFileSync(join(project, "large.ts"), Array.from({ length: lines }, (_, index) => line(index)).join(""));
  writeFileSync(
    join(project, "huge.log"),
    "x"
      .repeat(99)
      .concat("\n")
      .repeat(sizes.readBytes / 100),
  );
}

type Job = readonly [id: string, what: string, work: (place: Place) => Promise<void>];

/** Returns work that runs one tool call in a session of its own. */
const tool =
  (name: string, input: Readonly<Record<string, unknown>>) =>
  async ({ product, model }: Place): Promise<void> => {
    const sessionId = await newSession(product, "full");
    model.setScript({ turns: [{ toolCalls: [{ name, arguments: input }] }, { text: "Done." }] });
    await runPrompt(product, sessionId, `Call ${name}`, limitMs);
  };

const jobs: readonly Job[] = [
  [
    "open",
    "opening a session of 10,000 messages",
    async ({ product, long }) => void (await product.call("session.open", { sessionId: long })),
  ],
  [
    "answer",
    "an answer of 10,000 tokens at full speed",
    async ({ product, model }) => {
      const sessionId = await newSession(product);
      model.setScript({ turns: [{ pieces: longAnswer(sizes.tokens, "END") }] });
      await runPrompt(product, sessionId, "Write it all", limitMs);
    },
  ],
  ["tree", "a list of a folder of 20,000 files", tool("ls", { path: "." })],
  ["find", "a search for names in it", tool("find", { pattern: "*9.ts" })],
  ["grep", "a search for a text in it", tool("grep", { pattern: "value1999" })],
  [
    "edit",
    "an edit of a 2.4 MB file",
    tool("edit", { path: "large.ts", old_string: "value777 ", new_string: "value " }),
  ],
  [
    "edit-far",
    "an edit of it that matches nowhere",
    tool("edit", { path: "large.ts", old_string: "const value777 = compile(778, 'text');", new_string: "x" }),
  ],
  ["write", "a write of all its lines", tool("write", { path: "large.ts", content: `${line(1)}${line(2)}` })],
  ["read", "reading a 100 MB file", tool("read", { path: "huge.log", offset: 900_000 })],
  ["bash", "a command that prints 50 MB", tool("bash", { command: "head -c 50000000 huge.log", timeout: 60 })],
  [
    "export",
    "exporting it as HTML and JSONL",
    async ({ product, long }) => {
      for (const format of ["html", "jsonl"] as const)
        await product.call("session.export", { sessionId: long, format });
    },
  ],
  [
    "import",
    "importing its JSONL",
    async ({ product, long }) => {
      const { projects } = await product.call("project.list", {});
      const { text } = await product.call("session.export", { sessionId: long, format: "jsonl" });
      await product.importFile({ projectId: projects[0]?.id, commandId: freshCommandId(), name: "long.jsonl" }, text);
    },
  ],
  [
    "history",
    "searching the history",
    async ({ product }) => void (await product.call("history.search", { query: "parser" })),
  ],
];
