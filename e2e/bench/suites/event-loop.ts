/**
 * Measures the longest task of the server in each of its larger jobs, which blocks all other requests. Uses perf_hooks
 * inside the server.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@/lib/events/id";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { longAnswer } from "../data/answers";
import { type Bench, pauseFor } from "../bench";
import {
  freshBenchCommandId,
  newSession,
  type BenchProduct,
  runBenchPrompt,
  startProduct,
} from "../server/bench-product";
import { formatMs, type BenchRow } from "../bench-row";
import { makeLoopProbe } from "../server/loop-probe";
import { seedSession } from "../data/seed-session";

const budgetMs = 50;
const idleMs = 2_000;
const limitMs = 120_000;
const jobSizes = { messages: 10_000, files: 20_000, tokens: 10_000, editedBytes: 2_400_000, readBytes: 100_000_000 };

type ScriptedServer = Awaited<ReturnType<typeof startScriptedModel>>;

interface EventLoopContext {
  readonly product: BenchProduct;
  readonly model: ScriptedServer;
  readonly project: string;
  readonly long: SessionId;
}

export async function eventLoop(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const options = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
  const long = await seedSession({ ...options, messages: jobSizes.messages, mark: "END" });
  fillProject(options.project);
  const { environment, longestTask } = makeLoopProbe(bench);
  const product = await startProduct(bench, { ...options, environment });
  try {
    const longest = (): Promise<number> => longestTask(product);
    await pauseFor(idleMs);
    await longest();
    await pauseFor(idleMs);
    const quietMs = await longest();
    const rows: BenchRow[] = [];
    for (const [id, label, work] of measuredJobs) {
      await work({ product, model, project: options.project, long });
      rows.push(longestTaskRow(id, label, await longest(), quietMs));
      bench.progress(`  ${label}: ${rows.at(-1)?.measured}`);
    }
    return rows;
  } finally {
    await product.end();
    await model.close();
  }
}

const longestTaskRow = (id: string, label: string, longestMs: number, quietMs: number): BenchRow => ({
  id: `loop-${id}`,
  what: `longest task of the server: ${label}`,
  measured: formatMs(longestMs),
  yardstick: `the same server idle ${formatMs(quietMs)}`,
  budget: `≤ ${budgetMs} ms`,
  met: longestMs <= budgetMs,
  figures: { longestMs, quietMs },
});

const sourceLine = (index: number): string => `  const value${index} = compute(${index}, "text"); // note\n`;

function fillProject(project: string): void {
  for (let index = 0; index < jobSizes.files; index += 1)
    writeFileSync(join(project, `file${index}.ts`), sourceLine(index));
  const lines = Math.ceil(jobSizes.editedBytes / sourceLine(10_000).length);
  writeFileSync(join(project, "large.ts"), Array.from({ length: lines }, (_, index) => sourceLine(index)).join(""));
  writeFileSync(
    join(project, "huge.log"),
    "x"
      .repeat(99)
      .concat("\n")
      .repeat(jobSizes.readBytes / 100),
  );
}

type MeasuredJob = readonly [id: string, what: string, work: (place: EventLoopContext) => Promise<void>];

/** Returns work that runs one tool call in a session of its own. */
const toolCallJob =
  (name: string, input: Readonly<Record<string, unknown>>) =>
  async ({ product, model }: EventLoopContext): Promise<void> => {
    const sessionId = await newSession(product, "full");
    model.setScript({ turns: [{ toolCalls: [{ name, arguments: input }] }, { text: "Done." }] });
    await runBenchPrompt(product, sessionId, `Call ${name}`, limitMs);
  };

const measuredJobs: readonly MeasuredJob[] = [
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
      model.setScript({ turns: [{ pieces: longAnswer(jobSizes.tokens, "END") }] });
      await runBenchPrompt(product, sessionId, "Write it all", limitMs);
    },
  ],
  ["tree", "a list of a folder of 20,000 files", toolCallJob("ls", { path: "." })],
  [
    "pages",
    "a list of it for the tree, all pages",
    async ({ product }) => {
      const { projects } = await product.call("project.list", {});
      const input = { projectId: projects[0]?.id, path: "" };
      let page = await product.call("files.list", input);
      for (let left = page.total - page.nodes.length; left > 0; left -= page.nodes.length)
        page = await product.call("files.list", {
          ...input,
          after: { name: page.nodes.at(-1)?.name, isFolder: false },
        });
    },
  ],
  ["find", "a search for names in it", toolCallJob("find", { pattern: "*9.ts" })],
  ["grep", "a search for a text in it", toolCallJob("grep", { pattern: "value1999" })],
  [
    "edit",
    "an edit of a 2.4 MB file",
    toolCallJob("edit", { path: "large.ts", old_string: "value777 ", new_string: "value " }),
  ],
  [
    "edit-far",
    "an edit of it that matches nowhere",
    toolCallJob("edit", { path: "large.ts", old_string: "const value777 = compile(778, 'text');", new_string: "x" }),
  ],
  [
    "write",
    "a write of all its lines",
    toolCallJob("write", { path: "large.ts", content: `${sourceLine(1)}${sourceLine(2)}` }),
  ],
  ["read", "reading a 100 MB file", toolCallJob("read", { path: "huge.log", offset: 900_000 })],
  ["bash", "a command that prints 50 MB", toolCallJob("bash", { command: "head -c 50000000 huge.log", timeout: 60 })],
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
      await product.importFile(
        { projectId: projects[0]?.id, commandId: freshBenchCommandId(), name: "long.jsonl" },
        text,
      );
    },
  ],
  [
    "history",
    "searching the history",
    async ({ product }) => void (await product.call("history.search", { query: "parser" })),
  ],
];
