/**
 * `npm run bench [-- --quick] [--json file] [--only name,name]`: runs the suites one after the other and prints their
 * rows. Exits with 1 when a suite could not run; budgets do not affect the exit code.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Bench, makeBench, pause } from "./bench";
import { eventLoop } from "./event-loop";
import { find } from "./find";
import { history } from "./history";
import { largeProject } from "./large-project";
import { latency } from "./latency";
import { load } from "./load";
import { memory } from "./memory";
import { prompt } from "./prompt";
import { ms, notMeasured, percentile, type Row, tableOf } from "./row";
import { search } from "./search";
import { startUp } from "./start-up";
import { streaming } from "./streaming";
import { viewers } from "./viewers";

const suites: Readonly<Record<string, (bench: Bench) => Promise<readonly Row[]>>> = {
  start: startUp,
  memory,
  latency,
  streaming,
  prompt,
  load,
  history,
  search,
  find,
  large: largeProject,
  viewers,
  loop: eventLoop,
};

const reasonChars = 160;
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1).join("").slice(0, reasonChars);

/** Returns the p95 delay of short timers, ms: the noise that other programs on this machine add to every figure. */
async function noiseMs(): Promise<number> {
  const samples: number[] = [];
  const timerMs = 2;
  for (let round = 0; round < 300; round += 1) {
    const startedAt = performance.now();
    await pause(timerMs);
    samples.push(performance.now() - startedAt - timerMs);
  }
  return percentile(samples, 0.95);
}

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "string" }, only: { type: "string" } },
});
const chosen = values.only?.split(",") ?? Object.keys(suites);
const unknown = chosen.filter((name) => !(name in suites));
if (unknown.length > 0) {
  process.stderr.write(`bench: no suite ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}\n`);
  process.exit(2);
}

const bench = makeBench(values);
process.on("exit", () => bench.close());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const rows: Row[] = [];
let exitCode = 0;
const loadBefore = loadavg()[0] ?? 0;
const timersLateMs = await noiseMs();
for (const name of chosen) {
  const startedAt = performance.now();
  bench.say(`${name} …`);
  try {
    rows.push(...((await suites[name]?.(bench)) ?? []));
  } catch (error) {
    exitCode = 1;
    rows.push(notMeasured(name, `suite ${name}`, reasonOf(error)));
  }
  bench.say(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
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
process.stdout.write(`${tableOf(rows)}\n\n`);
process.stdout.write(
  `Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after, timers up to ${ms(timersLateMs)} late${values.quick ? ", quick" : ""}\n`,
);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
process.exit(exitCode);
