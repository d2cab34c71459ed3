/**
 * Compares quick open with a plain filter of the same paths, and the first results of the code search with ripgrep
 * itself.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { rgPath } from "@vscode/ripgrep";
import type { Socket } from "socket.io-client";
import type { CommandOutput } from "@/lib/protocol/command";
import type { SentPush } from "@/lib/protocol/push";
import { emptyCodeSearchQuery } from "@/lib/workspace/code-search";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, formatRatio, median, percentile } from "../bench-row";
import { makeTree } from "../data/make-tree";
import { startProduct } from "../server/bench-product";
import { connectSocket } from "../server/bench-socket";

const keystrokeBudgetMs = 16;
const firstHitBudget = 1.2;
const needle = "needle_";
/** Texts as they are typed, letter by letter. */
const typedTexts = ["file9950", "part7 file", "area3/part", "fts", "zzz"];

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { code: string } };

async function call<T>(socket: Socket, name: string, input: object): Promise<T> {
  const answer: Answer<T> = await socket.emitWithAck("call", name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`);
  return answer.value;
}

export async function findFiles(bench: Bench): Promise<readonly BenchRow[]> {
  const files = bench.quick ? 20_000 : 100_000;
  const [home, project] = [bench.folder("home"), bench.folder("project")];
  makeTree(project, { files, lines: 5 });
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home, project, modelUrl: model.url });
  const socket = await connectSocket(product, home);
  try {
    const { projects } = await product.call("project.list", {});
    const projectId = projects[0]?.id;
    if (projectId === undefined) throw new Error("no project");
    return [
      await quickOpenRow(socket, projectId, project, files, bench.quick ? 3 : 10),
      await codeSearchRow(socket, projectId, project, files, bench.quick ? 7 : 25),
    ];
  } finally {
    socket.close();
    await product.end();
    await model.close();
  }
}

async function quickOpenRow(
  socket: Socket,
  projectId: string,
  folder: string,
  files: number,
  rounds: number,
): Promise<BenchRow> {
  const find = (query: string, refresh: boolean) =>
    call<CommandOutput<"files.find">>(socket, "files.find", { projectId, query, max: 60, refresh });
  let listed = await find("", true);
  while (!listed.isComplete) listed = await find("", false);
  if (listed.files < files) throw new Error(`${listed.files} of ${files} files are listed`);
  const paths = readdirSync(folder, { recursive: true }).map(String);
  const [ownMs, plainMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1)
    for (const text of typedTexts)
      for (let length = 1; length <= text.length; length += 1) {
        const typed = text.slice(0, length);
        const startedAt = performance.now();
        await find(typed, false);
        const answeredAt = performance.now();
        paths.filter((path) => path.toLowerCase().includes(typed)).sort();
        ownMs.push(answeredAt - startedAt);
        plainMs.push(performance.now() - answeredAt);
      }
  const worstMs = percentile(ownMs, 0.95);
  return {
    id: "quick-open",
    what: `quick open: one keystroke over ${files.toLocaleString("en")} files`,
    measured: `p50 ${formatMs(median(ownMs))}, p95 ${formatMs(worstMs)}`,
    yardstick: `filter and sort of the paths p95 ${formatMs(percentile(plainMs, 0.95))}`,
    budget: `≤ ${keystrokeBudgetMs} ms p95`,
    met: worstMs <= keystrokeBudgetMs,
    figures: { p50Ms: median(ownMs), p95Ms: worstMs, plainP95Ms: percentile(plainMs, 0.95), keystrokes: ownMs.length },
  };
}

/** Resolves with the time until ripgrep's first output, ms. */
function measureRipgrep(cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(rgPath, ["--line-number", "--ignore-case", "--hidden", "--no-require-git", needle, "."], {
      cwd,
    });
    child.stdout.once("data", () => {
      resolve(performance.now() - startedAt);
      child.kill("SIGKILL");
    });
    child.once("error", reject);
  });
}

async function measureSearch(socket: Socket, projectId: string): Promise<number> {
  const query = { ...emptyCodeSearchQuery, query: needle };
  const found = new Promise<number>((resolve) => {
    socket.on("push", (push: SentPush, confirm?: () => void) => {
      confirm?.();
      if (push.type === "code_search" && push.files.length > 0) resolve(performance.now());
    });
  });
  const startedAt = performance.now();
  const { searchId } = await call<CommandOutput<"search.start">>(socket, "search.start", { projectId, ...query });
  await call(socket, "topic.subscribe", { topic: "code_search", subject: searchId });
  const tookMs = (await found) - startedAt;
  socket.off("push");
  await call(socket, "search.cancel", { searchId });
  return tookMs;
}

async function codeSearchRow(
  socket: Socket,
  projectId: string,
  folder: string,
  files: number,
  rounds: number,
): Promise<BenchRow> {
  const [ownMs, bareMs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await measureRipgrep(folder);
    const own = await measureSearch(socket, projectId);
    // The first round warms the file cache for both.
    if (round === 0) continue;
    bareMs.push(bare);
    ownMs.push(own);
  }
  const ratio = median(ownMs) / median(bareMs);
  return {
    id: "code-search",
    what: `code search: first results in ${files.toLocaleString("en")} files`,
    measured: `${formatMs(median(ownMs))}, ${formatRatio(ratio)}`,
    yardstick: `first output of rg ${formatMs(median(bareMs))}`,
    budget: `≤ ${firstHitBudget} ×`,
    met: ratio <= firstHitBudget,
    figures: { medianMs: median(ownMs), rgMedianMs: median(bareMs), ratio, rounds },
  };
}
