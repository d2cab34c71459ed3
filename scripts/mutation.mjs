// `npm run mutation [-- core … --count N --seed N]`: changes one expression of a pure core at a time and runs the tests
// of that core; a change that no test notices is printed. Works on a copy of the checkout in the temporary folder. Exits
// with 1 when fewer than 85 % of the changes of a core are noticed.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { listMutants } from "./base/mutants.mjs";
import { root } from "./base/root.mjs";
import { endGroup, isEnding, spawnGroup } from "./base/step.mjs";

const requiredShare = 0.85;
/** A change may cause an endless loop: a run ends after this many times the time of the unchanged code. */
const timeoutFactor = 5;
const minTimeoutMs = 60_000;
const slowestRunMs = 600_000;

/** Folders, or files, whose code is changed, and the filters of the tests that must notice it. */
const reader = "server/agent/reader";
const context = "server/agent/context";
const cores = {
  fold: { sources: ["lib/view"], tests: ["lib/view/", "server/session/loading/cached-view"] },
  decide: {
    sources: ["server/security/decisions"],
    tests: ["server/security/decisions/", "server/security/rules/", "server/security/commands/"],
  },
  reader: { sources: [reader, `${reader}/grammars`, `${reader}/verdict`], tests: [`${reader}/`] },
  edit: { sources: ["server/tools/edit-match"], tests: ["server/tools/edit-match/"] },
  compile: {
    sources: ["compile", "context-blocks", "prompt-pieces", "text-mode"].map((name) => `${context}/${name}.ts`),
    tests: [`${context}/`],
  },
  redactor: { sources: ["server/security/redaction"], tests: ["server/security/redaction/"] },
};

const sourceFiles = (path) =>
  path.endsWith(".ts")
    ? [path]
    : readdirSync(join(root, path))
        .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^test-/.test(name))
        .map((name) => `${path}/${name}`);

/** mulberry32: a small generator whose numbers depend only on the seed. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function sample(items, count, random) {
  const rest = [...items];
  const chosen = [];
  while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return chosen;
}

function copyCheckout() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-mutation-"));
  const left = new Set(["node_modules", ".git", ".next", "dist", "test-results"]);
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** The test files of a core: the quick ones, and the laws, which take many times longer. */
function testFiles(filters) {
  const all = ["lib", "server"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith(".test.ts") && filters.some((filter) => path.startsWith(filter)));
  return [all.filter((path) => !path.endsWith(".laws.test.ts")), all.filter((path) => path.endsWith(".laws.test.ts"))];
}

/** Resolves with whether the tests succeed within the time. */
function runTests(folder, { files, timeoutMs }) {
  return new Promise((resolve) => {
    const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--bail=1", "--maxWorkers=1", ...files];
    const child = spawnGroup(process.execPath, args, { cwd: folder, stdio: "ignore" });
    const timer = setTimeout(() => void endGroup(child), timeoutMs);
    child.once("close", (code) => {
      clearTimeout(timer);
      if (!isEnding()) resolve(code === 0);
    });
  });
}

/** Returns the runs of a core, each with its time limit. Throws if a test fails without a change. */
async function prepareRuns(folder, filters) {
  const runs = [];
  for (const files of testFiles(filters).filter((list) => list.length > 0)) {
    const startedAt = performance.now();
    if (!(await runTests(folder, { files, timeoutMs: slowestRunMs })))
      throw new Error("The unchanged code fails a test.");
    runs.push({ files, timeoutMs: Math.max(minTimeoutMs, timeoutFactor * (performance.now() - startedAt)) });
  }
  return runs;
}

async function succeed(folder, runs) {
  for (const run of runs) if (!(await runTests(folder, run))) return false;
  return true;
}

/** Tests the mutants of one core in a copy of its own; returns those that survived. */
async function testMutants(folder, mutants, runs) {
  const survivors = [];
  for (;;) {
    const mutant = mutants.pop();
    if (mutant === undefined) return survivors;
    const path = join(folder, mutant.file);
    const original = readFileSync(path, "utf8");
    writeFileSync(path, original.slice(0, mutant.from) + mutant.text + original.slice(mutant.to));
    const survived = await succeed(folder, runs);
    writeFileSync(path, original);
    if (survived) survivors.push(mutant);
  }
}

async function testCore(name, { count, seed, folders }) {
  const { sources, tests } = cores[name];
  const files = sources.flatMap(sourceFiles);
  const all = files.flatMap((file) => listMutants(file, readFileSync(join(root, file), "utf8")));
  const chosen = sample(all, count, randomNumbers(seed));
  const waiting = [...chosen];
  const runs = await prepareRuns(folders[0], tests);
  const survivors = (await Promise.all(folders.map((folder) => testMutants(folder, waiting, runs)))).flat();
  const share = (chosen.length - survivors.length) / chosen.length;
  process.stdout.write(`${name}: ${chosen.length - survivors.length} of ${chosen.length} noticed (of ${all.length})\n`);
  for (const { file, line, column, was, text } of survivors)
    process.stdout.write(`  ${file}:${line}:${column}  ${was}  ->  ${text}\n`);
  return share >= requiredShare;
}

const { values, positionals } = parseArgs({
  options: { count: { type: "string", default: "40" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in cores));
if (unknown !== undefined) {
  process.stderr.write(`No core is named "${unknown}". There are: ${Object.keys(cores).join(", ")}\n`);
  process.exit(1);
}
const folders = Array.from({ length: availableParallelism() }, copyCheckout);
process.on("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
let passed = true;
for (const name of positionals.length > 0 ? positionals : Object.keys(cores)) {
  passed = (await testCore(name, { count: Number(values.count), seed: Number(values.seed), folders })) && passed;
}
process.exitCode = passed ? 0 : 1;
