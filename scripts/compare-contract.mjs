// `node scripts/compare-contract.mjs FOLDER`: compares this checkout with another built one, for a change that must not
// change behaviour: command line, requests to the model, configuration files, database, exports and documents. Both run
// the same jobs in the same folders; ids, times and ports are replaced. Prints the differing lines; exits with 1 if any.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import Database from "better-sqlite3";
import { startScriptedModel } from "../e2e/fixtures/scripted-model.mjs";
import { root } from "./base/root.mjs";

const place = realpathSync(mkdtempSync(join(tmpdir(), "gopi-contract-")));
const project = join(place, "project");
const files = { "README.md": "# A project\n", "AGENTS.md": "Use tabs.\n", "src/sum.ts": "export const sum = 1;\n" };

const call = (name, values) => ({ toolCalls: [{ name, arguments: values }] });
const asText = (name, values) => ({
  text: `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`,
});
/** Each tool once, a wrong path, an edit that does not match, an unknown tool, and a call written as text. */
const turns = [
  call("ls", { path: "." }),
  call("read", { path: "src/sum.ts" }),
  call("read", { path: "src/none.ts" }),
  call("grep", { pattern: "sum" }),
  call("find", { pattern: "**/*.ts" }),
  call("edit", { path: "src/sum.ts", edits: [{ oldText: "sum = 1", newText: "sum = 2" }] }),
  call("edit", { path: "src/sum.ts", edits: [{ oldText: "sum = 7", newText: "sum = 3" }] }),
  call("write", { path: "src/new.ts", content: "export {};\n" }),
  call("bash", { command: "printf 'one\\ntwo\\n'; exit 3" }),
  call("open_file", { file: "README.md" }),
  asText("read", { path: "README.md" }),
  { thinking: "Let me see.", text: "All **done**." },
];

/** `instructions` = the profile of the prompts, in models.yaml. */
const jobs = ["small", "default", "full"].flatMap((instructions) => [
  { name: instructions, instructions },
  { name: `${instructions}, calls as text`, instructions, capabilities: ["completion"] },
]);

/** Replaces what differs between two runs of the same build. */
const stable = (text) =>
  text
    .replaceAll(/\b[a-z]{0,3}[0-9a-f]{16,64}\b/g, "ID")
    .replaceAll(/(127\.0\.0\.1|localhost):\d+|process \d+|[\d.]+ MB/g, "SERVER")
    .replaceAll(/\b\d{13}\b/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: UTC|Z)?)?/g, "DATE")
    .replaceAll(/"(at|[a-z]*At|[a-zA-Z]*Ms|tokensPerSecond|estimatedPromptTokens)":\s*[\d.]+/g, '"$1":0')
    .replaceAll(/\b[\d.]+ (?:ms|s|tok\/s)\b/g, "DURATION");

async function run(build, args, environment, input = "") {
  const child = spawn(process.execPath, [join(build, "bin/gopi-web.mjs"), ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: place, LANG: "C.UTF-8", GOPI_HOME: join(place, "home"), ...environment },
    stdio: "pipe",
  });
  child.stdin.end(input);
  const written = await Promise.all([child.stdout, child.stderr].map((stream) => stream.setEncoding("utf8").toArray()));
  return written.map((parts) => parts.join("")).join("\n--- stderr\n");
}

/** Ends the server that a command left running in the home, and waits for its end. */
async function endServer(home) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = readTextOr(`/proc/${pid}/cmdline`, "");
    if (words.includes(home)) process.kill(Number(pid), "SIGTERM");
    while (words.includes(home) && readTextOr(`/proc/${pid}/cmdline`, "") !== "")
      await new Promise((done) => setTimeout(done, 20));
  }
}

function readTextOr(path, absent) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return absent;
  }
}

const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** The schema and the kinds of stored events. */
function describeStore(home) {
  const store = new Database(join(home, listFiles(home).find((name) => name.endsWith(".db")) ?? ""), {
    readonly: true,
  });
  const schema = store.prepare("select sql from sqlite_master where sql is not null order by name").pluck().all();
  store.close();
  return schema.join("\n");
}

async function runJob(build, job, results, model) {
  const home = join(place, "home");
  rmSync(place, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "models.yaml"), `scripted:latest:\n  instructions: ${job.instructions}\n`);
  model.reset({ turns, capabilities: job.capabilities });
  const environment = { OLLAMA_HOST: model.url };
  const keep = (name, text) => results.set(`${job.name}: ${name}`, stable(text));
  keep("run", await run(build, ["run", "--approve", "all", "Do it."], environment));
  keep(
    "requests",
    model.requests
      .filter(({ method }) => method === "POST")
      .map(({ path, raw }) => `${path} ${raw}`)
      .join("\n"),
  );
  const sessions = await run(build, ["get", "sessions", "--json"], environment);
  const { id } = JSON.parse(sessions.split("\n")[0]);
  keep("sessions", sessions);
  for (const format of ["md", "html", "jsonl"])
    keep(format, await run(build, ["export", id, "--format", format], environment));
  for (const words of [
    ["config", "list"],
    ["get", "models"],
    ["get", "rules"],
    ["status"],
    ["run", "--nothing"],
    ["export", "none"],
  ])
    keep(words.join(" "), await run(build, words, environment));
  await run(build, ["config", "set", "agent.max_steps", "7"], environment);
  keep("config.yaml", readTextOr(join(home, "config.yaml"), ""));
  await endServer(home);
  keep(
    "files of the home",
    listFiles(home)
      .filter((name) => !/-(?:wal|shm)$|^logs?\//.test(name))
      .join("\n"),
  );
  keep("schema", describeStore(home));
  return id;
}

async function collect(build, model) {
  const results = new Map();
  results.set("help", await run(build, ["--help"], {}).catch(String));
  for (const job of jobs) await runJob(build, job, results, model);
  results.set("docs/protocol.md", readFileSync(join(build, "docs/protocol.md"), "utf8"));
  for (const [folder, ending] of [
    ["migrations", ".sql"],
    ["prompts", ".md"],
  ])
    for (const name of listFiles(join(build, "dist/server", folder)).filter((one) => one.endsWith(ending)))
      results.set(name, readFileSync(join(build, "dist/server", folder, name), "utf8"));
  return results;
}

/** Prints the surroundings of the first difference. */
function printDifference(name, before, after) {
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 80), at + 120));
  console.log(`${name} differs at ${at}\n- ${around(before)}\n+ ${around(after)}`);
}

const other = resolve(process.argv[2] ?? "");
const model = await startScriptedModel();
mkdirSync(project, { recursive: true });
const before = await collect(other, model);
// The home that the other build leaves is opened by this one.
const { id } = JSON.parse((await run(root, ["get", "sessions", "--json"], { OLLAMA_HOST: model.url })).split("\n")[0]);
const opened = stable(await run(root, ["export", id, "--format", "md"], { OLLAMA_HOST: model.url }));
await endServer(join(place, "home"));
const after = await collect(root, model);
after.set("its home", before.get(`${jobs.at(-1).name}: md`));
before.set("its home", opened);
await model.close();
rmSync(place, { recursive: true, force: true });
const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
  (name) => before.get(name) !== after.get(name),
);
for (const name of differing) printDifference(name, before.get(name) ?? "", after.get(name) ?? "");
console.log(`${before.size} parts compared, ${differing.length} differ`);
process.exitCode = differing.length === 0 ? 0 : 1;
