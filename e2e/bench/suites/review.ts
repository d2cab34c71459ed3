/**
 * Measures the review of the agent's changes: a large file with one decision after the other, and a session with many files of
 * which one changed. Git compares the same files in the same rounds.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@/lib/events/id";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pauseFor } from "../bench";
import { type BenchRow, formatMs, median } from "../bench-row";
import {
  type BenchProduct,
  freshBenchCommandId,
  newSession,
  runBenchPrompt,
  startProduct,
} from "../server/bench-product";
import { makeLoopProbe } from "../server/loop-probe";

const lines = 10_000;
/** The command of the agent changes every 50th line but the first. */
const changedHunks = lines / 50 - 1;
const files = 300;
const budgets = { reviewMs: 100, filesMs: 100, longestTaskMs: 50 };
const largeFile = "large.ts";
/** The times of files that changed less than 2 s ago are not relied upon. */
const settledMs = 2_500;

type ScriptedServer = Awaited<ReturnType<typeof startScriptedModel>>;

export async function review(bench: Bench): Promise<readonly BenchRow[]> {
  const project = bench.folder("project");
  const original = join(bench.folder("original"), largeFile);
  makeFiles(project);
  copyFileSync(join(project, largeFile), original);
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "first"],
  ])
    runGit(project, words);
  const model = await startScriptedModel();
  const { environment, longestTask } = makeLoopProbe(bench);
  const product = await startProduct(bench, { home: bench.folder("home"), project, modelUrl: model.url, environment });
  const rounds = bench.quick ? 7 : 21;
  try {
    const [opened] = (await product.call("project.list", {})).projects;
    await product.call("project.trust", { projectId: opened?.id, trusted: true });
    const large = await changeFiles({ product, model }, largeFile);
    const reviewed = await measureLarge(product, large, project, original, rounds, () => longestTask(product));
    const many = await changeFiles({ product, model }, "many/*.ts");
    await pauseFor(settledMs);
    return [...reviewed, await measureMany(product, many, project, rounds)];
  } finally {
    await product.end();
    await model.close();
  }
}

function makeFiles(project: string): void {
  const text = (count: number): string =>
    Array.from({ length: count }, (_, index) => `const value${index} = compute(${index}); // text\n`).join("");
  writeFileSync(join(project, largeFile), text(lines));
  mkdirSync(join(project, "many"));
  for (let index = 0; index < files; index += 1) writeFileSync(join(project, "many", `${index}.ts`), text(200));
}

const runGit = (cwd: string, words: readonly string[]): Buffer =>
  spawnSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.org", ...words], {
    cwd,
    maxBuffer: 64_000_000,
  }).stdout;

async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
}

/** Lets the agent change some lines of the files, by a command in a session of its own. */
async function changeFiles(
  { product, model }: { readonly product: BenchProduct; readonly model: ScriptedServer },
  pattern: string,
): Promise<SessionId> {
  const sessionId = await newSession(product, "full");
  const command = `sed -i 's/compute(\\([0-9]*[05]0\\))/calculate(\\1)/' ${pattern}`;
  model.setScript({ turns: [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { text: "Done." }] });
  await runBenchPrompt(product, sessionId, "Rename it");
  return sessionId;
}

async function measureLarge(
  product: BenchProduct,
  sessionId: SessionId,
  project: string,
  original: string,
  rounds: number,
  longestTask: () => Promise<number>,
): Promise<readonly BenchRow[]> {
  const [own, git]: [number[], number[]] = [[], []];
  await pauseFor(settledMs);
  await longestTask();
  for (let round = 0; round <= rounds; round += 1) {
    const compared = await timed(() => runGit(project, ["diff", "--no-index", original, largeFile]));
    const state = await timed(() => product.call("review.state", { sessionId }));
    const [file] = state.value.files;
    const verdict = round % 2 === 0 ? "accept" : "reject";
    const decisions = [{ path: largeFile, hash: file?.hash, verdict, hunks: [{ hunk: 3 }] }];
    const commandId = freshBenchCommandId();
    const decided = await timed(() => product.call("review.decide", { sessionId, commandId, decisions }));
    if (decided.value.failed.length > 0 || file?.hunks.length !== changedHunks - round)
      throw new Error("the hunk was not decided");
    // The first round compiles the code.
    if (round === 0) continue;
    own.push(state.ms + decided.ms);
    git.push(compared.ms);
  }
  const longestMs = await longestTask();
  return [
    row("file", "10,000-line file reviewed: its hunks and one decision", budgets.reviewMs, own, "git diff", git),
    {
      id: "review-loop",
      what: "longest task of the server: reviewing a 10,000-line file",
      measured: formatMs(longestMs),
      yardstick: "-",
      budget: `≤ ${budgets.longestTaskMs} ms`,
      met: longestMs <= budgets.longestTaskMs,
      figures: { longestMs },
    },
  ];
}

async function measureMany(
  product: BenchProduct,
  sessionId: SessionId,
  project: string,
  rounds: number,
): Promise<BenchRow> {
  const [own, git]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    appendFileSync(join(project, "many", `${round}.ts`), "// mine\n");
    const status = await timed(() => runGit(project, ["status", "--porcelain"]));
    const state = await timed(() => product.call("review.state", { sessionId }));
    if (state.value.files.length !== files) throw new Error("not all files are listed");
    if (round === 0) continue;
    own.push(state.ms);
    git.push(status.ms);
  }
  return row("files", `review of ${files} files, of which one changed`, budgets.filesMs, own, "git status", git);
}

const row = (
  id: string,
  label: string,
  budgetMs: number,
  own: readonly number[],
  yardstick: string,
  git: readonly number[],
): BenchRow => ({
  id: `review-${id}`,
  what: label,
  measured: formatMs(median(own)),
  yardstick: `${yardstick} ${formatMs(median(git))}`,
  budget: `≤ ${budgetMs} ms`,
  met: median(own) <= budgetMs,
  figures: { medianMs: median(own), worstMs: Math.max(...own), gitMedianMs: median(git), rounds: own.length },
});
