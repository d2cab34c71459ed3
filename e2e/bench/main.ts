/**
 * `npm run bench [-- --quick] [--json file] [--only name,name]`: runs the suites one after the other and prints their
 * rows. Exits with 1 when a suite could not run; budgets do not affect the exit code.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Bench, makeBench, pauseFor } from "./bench";
import { automations } from "./suites/automations";
import { commandLine } from "./suites/command-line";
import { engine } from "./suites/engine";
import { eventLoop } from "./suites/event-loop";
import { historySearch } from "./suites/history-search";
import { openLargeFile } from "./suites/open-large-file";
import { openLongSession } from "./suites/open-long-session";
import { largeProject } from "./suites/large-project";
import { latency } from "./suites/latency";
import { pageLoad } from "./suites/page-load";
import { memory } from "./suites/memory";
import { prompt } from "./suites/prompt";
import { formatMs, unmeasuredRow, percentile, type BenchRow, formatTable } from "./bench-row";
import { findFiles } from "./suites/find-files";
import { hubStart } from "./suites/hub-start";
import { largeFolder } from "./suites/large-folder";
import { grepSpeed } from "./suites/grep-speed";
import { heldAnswers } from "./suites/held-answers";
import { review } from "./suites/review";
import { routerModels } from "./suites/router-models";
import { sourceControl } from "./suites/source-control";
import { startUp } from "./suites/start-up";
import { streaming } from "./suites/streaming";
import { telegram } from "./suites/telegram";
import { terminalFlood } from "./suites/terminal-flood";
import { terminalThroughput } from "./suites/terminal-throughput";
import { mcp } from "./suites/mcp";
import { openapi } from "./suites/openapi";
import { thinking } from "./suites/thinking";
import { toolbox } from "./suites/toolbox";
import { viewers } from "./suites/viewers";
import { webPage } from "./suites/web-page";

const suites: Readonly<Record<string, (bench: Bench) => Promise<readonly BenchRow[]>>> = {
  start: startUp,
  memory,
  latency,
  streaming,
  prompt,
  thinking,
  toolbox,
  mcp,
  openapi,
  page: webPage,
  load: pageLoad,
  history: openLongSession,
  search: grepSpeed,
  find: historySearch,
  large: largeProject,
  source: sourceControl,
  review,
  viewers,
  loop: eventLoop,
  terminal: terminalThroughput,
  flood: terminalFlood,
  files: findFiles,
  folder: largeFolder,
  file: openLargeFile,
  engine,
  router: routerModels,
  hub: hubStart,
  telegram,
  automations,
  held: heldAnswers,
  commands: commandLine,
};

const reasonChars = 160;
const failureReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1).join("").slice(0, reasonChars);

/** Returns the p95 delay of short timers, ms: the noise that other programs on this machine add to every figure. */
async function noiseMs(): Promise<number> {
  const samples: number[] = [];
  const timerMs = 2;
  for (let round = 0; round < 300; round += 1) {
    const startedAt = performance.now();
    await pauseFor(timerMs);
    samples.push(performance.now() - startedAt - timerMs);
  }
  return percentile(samples, 0.95);
}

function readArguments() {
  try {
    return parseArgs({
      options: { quick: { type: "boolean", default: false }, json: { type: "string" }, only: { type: "string" } },
    }).values;
  } catch (error) {
    process.stderr.write(
      `bench: ${failureReason(error)}\nUse: npm run bench -- [--quick] [--only start,load] [--json FILE]\n`,
    );
    process.exit(2);
  }
}
const values = readArguments();
const chosen = values.only?.split(",") ?? Object.keys(suites);
const unknown = chosen.filter((name) => !(name in suites));
if (unknown.length > 0) {
  process.stderr.write(`bench: no suite ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}\n`);
  process.exit(2);
}

const bench = makeBench(values);
process.on("exit", () => bench.close());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const rows: BenchRow[] = [];
let exitCode = 0;
const loadBefore = loadavg()[0] ?? 0;
const timersLateMs = await noiseMs();
for (const name of chosen) {
  const startedAt = performance.now();
  bench.progress(`${name} …`);
  try {
    rows.push(...((await suites[name]?.(bench)) ?? []));
  } catch (error) {
    exitCode = 1;
    rows.push(unmeasuredRow(name, `suite ${name}`, failureReason(error)));
  }
  bench.progress(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

const machine = {
  node: process.version,
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? "",
  loadBefore,
  timersLateMs,
  loadAfter: loadavg()[0] ?? 0,
  quick: values.quick,
};
process.stdout.write(`${formatTable(rows)}\n\n`);
process.stdout.write(
  `Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after, timers up to ${formatMs(timersLateMs)} late${values.quick ? ", quick" : ""}\n`,
);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
process.exit(exitCode);
