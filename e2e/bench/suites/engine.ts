/**
 * Measures the built-in engine with a tiny model: its start beside a bare llama-server, the memory of the product without the
 * engine's process, and how much of each prompt the real server has in its cache.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Usage } from "@/lib/events/content";
import { engineConnectionId } from "@/lib/models/engine";
import { findLlamaServer } from "../../fixtures/find-llama-server";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { writeTinyModel } from "../../fixtures/tiny-model.mjs";
import { type Bench, endProcess, pauseFor, pollFor } from "../bench";
import { type BenchRow, formatMegabytes, formatMs, median, unmeasuredRow } from "../bench-row";
import {
  type BenchProduct,
  freePort,
  freshBenchCommandId,
  newSession,
  runBenchPrompt,
  startProduct,
} from "../server/bench-product";
import { type ProcessMemory, readMemory, readOwnMemory } from "../server/process-tree";

const startBudgetMs = 500;
const idleBudgetBytes = 35 * 1_048_576;
const settleMs = 10_000;
const keptShare = 0.98;
const windowTokens = 32_768;
const startLimitMs = 30_000;

const toolCalls = [
  { name: "read", arguments: { path: "main.ts" } },
  { name: "bash", arguments: { command: "echo one" } },
  { name: "edit", arguments: { path: "main.ts", old_string: "1", new_string: "2" } },
  { name: "grep", arguments: { pattern: "answer" } },
  { name: "write", arguments: { path: "more.ts", content: "export const more = 2;\n" } },
  { name: "bash", arguments: { command: "ls" } },
];
const lastAnswer = "All done.";
const tinyAnswers = [...toolCalls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`), lastAnswer];

export async function engine(bench: Bench): Promise<readonly BenchRow[]> {
  const label = "the built-in engine with a tiny model";
  if (process.platform !== "linux") return [unmeasuredRow("engine", label, "needs /proc")];
  const { program, why } = await findLlamaServer();
  if (program === null) return [unmeasuredRow("engine", label, why)];
  const file = join(bench.folder("models"), "tiny.gguf");
  writeTinyModel(file, { answers: tinyAnswers.map((text) => ({ text })) });
  // New sessions have another server, so that the engine is unused at first.
  const ollama = await startScriptedModel();
  const project = bench.folder("project");
  writeFileSync(join(project, "main.ts"), "export const answer = 1;\n");
  const home = bench.folder("home");
  const environment = { GOPI_LLAMA_SERVER: program };
  const product = await startProduct(bench, { home, project, modelUrl: ollama.url, environment });
  try {
    await pauseFor(settleMs);
    const unused = readOwnMemory(product.pid);
    // The costs that the task has with any server are measured first.
    ollama.setScript({ turns: [...toolCalls.map((call) => ({ toolCalls: [call] })), { text: lastAnswer }] });
    await runBenchPrompt(product, await newSession(product, "full"), "Change the answer.");
    await pauseFor(settleMs);
    const elsewhere = readOwnMemory(product.pid);
    await product.call("engine.add", { file });
    await runTask(product);
    await pauseFor(settleMs);
    const loaded = readOwnMemory(product.pid);
    const child = readMemory(product.pid).ussBytes - loaded.ussBytes;
    const bare: number[] = [];
    const tasks: (readonly Usage[])[] = [];
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      await product.call("engine.unload", {});
      bare.push(await bareStartMs(program, file));
      tasks.push(await runTask(product));
    }
    const starts = tasks.map(([first]) => first?.loadMs ?? Number.NaN);
    const memory = [unusedRow(unused), loadedRow(loaded, { unused, elsewhere }, child)];
    return [startRow(starts, bare), ...memory, prefixRow(tasks.at(-1) ?? [])];
  } finally {
    await product.end();
    await ollama.close();
  }
}

/** From the start of the process to the first 200 of /health, ms. */
async function bareStartMs(program: string, file: string): Promise<number> {
  const port = await freePort();
  const use = ["--jinja", "--parallel", "1", "--ctx-size", `${windowTokens}`, "--port", `${port}`, "--no-webui"];
  // As the engine has it: both decide how much memory is prepared.
  use.push("--batch-size", "256", "--ubatch-size", "256");
  const startedAt = performance.now();
  const child = spawn(program, ["--model", file, ...use], { detached: true, stdio: "ignore" });
  try {
    await pollFor("the start of llama-server", startLimitMs, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
      return answer?.ok === true ? answer : undefined;
    });
    return performance.now() - startedAt;
  } finally {
    await endProcess(child);
  }
}

/** Runs the tool turns in a new session; returns the usage of each answer. */
async function runTask(product: BenchProduct): Promise<readonly Usage[]> {
  const sessionId = await newSession(product, "full");
  const model = { model: "tiny", connection: engineConnectionId, numCtx: windowTokens };
  await product.call("session.model", { sessionId, commandId: freshBenchCommandId(), ...model });
  await runBenchPrompt(product, sessionId, "Change the answer.");
  const { snapshot } = await product.call("session.open", { sessionId });
  return snapshot.entries.flatMap((entry) =>
    entry.kind === "message" && entry.usage !== undefined ? [entry.usage] : [],
  );
}

function startRow(starts: readonly number[], bare: readonly number[]): BenchRow {
  const [medianMs, bareMedianMs] = [median(starts), median(bare)];
  return {
    id: "engine-start",
    what: "start of the engine with a tiny model, to /health 200",
    measured: formatMs(medianMs),
    yardstick: `bare llama-server ${formatMs(bareMedianMs)}`,
    budget: `≤ ${startBudgetMs} ms`,
    met: medianMs <= startBudgetMs,
    figures: { medianMs, bareMedianMs, rounds: starts.length },
  };
}

const unusedRow = ({ ussBytes, rssBytes }: ProcessMemory): BenchRow => ({
  id: "engine-memory-unused",
  what: "idle memory with the engine unused: private (USS)",
  measured: `${formatMegabytes(ussBytes)} (RSS ${formatMegabytes(rssBytes)})`,
  yardstick: "-",
  budget: `≤ ${formatMegabytes(idleBudgetBytes)}`,
  met: ussBytes <= idleBudgetBytes,
  figures: { ussBytes, rssBytes },
});

function loadedRow(
  { ussBytes, rssBytes }: ProcessMemory,
  { unused, elsewhere }: { readonly unused: ProcessMemory; readonly elsewhere: ProcessMemory },
  childUssBytes: number,
): BenchRow {
  return {
    id: "engine-memory-loaded",
    what: "the same after a task of six tool turns, a tiny model loaded, llama-server apart",
    measured: `${formatMegabytes(ussBytes)} (RSS ${formatMegabytes(rssBytes)}), llama-server ${formatMegabytes(childUssBytes)}`,
    yardstick: `unused ${formatMegabytes(unused.ussBytes)}, after the task on another server ${formatMegabytes(elsewhere.ussBytes)}`,
    budget: "≤ 1.5 × that",
    met: ussBytes <= 1.5 * elsewhere.ussBytes,
    figures: {
      ussBytes,
      rssBytes,
      childUssBytes,
      unusedUssBytes: unused.ussBytes,
      elsewhereUssBytes: elsewhere.ussBytes,
    },
  };
}

/** By the server's own count. */
function prefixRow(usages: readonly Usage[]): BenchRow {
  const shares = usages
    .slice(1)
    .map(({ cachedTokens = 0 }, index) => cachedTokens / (usages[index]?.promptTokens ?? Number.NaN));
  const least = Math.min(...shares);
  if (shares.length < toolCalls.length)
    return unmeasuredRow("engine-prefix", "cached tokens over six tool turns", `${usages.length} answers`);
  return {
    id: "engine-prefix",
    what: "cached tokens / tokens of the previous prompt over six tool turns, least",
    measured: `${(least * 100).toFixed(1)} %`,
    yardstick: "-",
    budget: `≥ ${keptShare * 100} %`,
    met: least >= keptShare,
    figures: { leastShare: least, lastPromptTokens: usages.at(-1)?.promptTokens ?? 0 },
  };
}
