/** The evals over a scripted model server, with the product's own agent, a real store, real files and real programs. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Script, ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import type { EvalRun } from "@/lib/evals/evals";
import { createEvalResults } from "@/server/store/models/eval-results";
import { neverAborted } from "@/server/base/abort";
import { findServedModel } from "@/server/models/access/find-model";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { noCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { makeSandbox } from "@/server/workspace/shell/sandbox";
import { checkTask } from "./check-task";
import { builtInEvalsFolder, readEvalTasks } from "./eval-task";
import { evalsFeature } from "./evals-feature";
import { runEvalTask } from "./run-eval-task";
import { referenceSolutions } from "./test-reference-solutions";

const base: Script = { models: ["m:8b", "n:8b"], capabilities: ["completion", "tools"], context: 16_384 };
const { tasks: builtIn, problems: builtInProblems } = readEvalTasks(builtInEvalsFolder(), "built-in");
const ids = builtIn.map(({ id }) => id);
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test" } as const;

/** The feature over a scripted server, until the end of the test. */
async function makeEvals(script: Script) {
  const rig = await makeModelRig({ ...base, ...script });
  const stop = new AbortController();
  const runs: EvalRun[] = [];
  const waiting = new Set<() => void>();
  const { commands, ...feature } = evalsFeature({
    ...rig,
    environment,
    push(push) {
      if (push.type === "evals") runs.push(push.run);
      for (const check of [...waiting]) check();
    },
    reportBug: (_name, error) => void rig.logged.push(String(error)),
    now: Date.now,
  });
  const stopped = feature.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  return {
    rig,
    runs,
    feature,
    commands,
    /** Resolves with the run when it has ended. */
    ended: () =>
      new Promise<EvalRun>((resolve) => {
        const check = (): void => {
          const last = runs.at(-1);
          if (last === undefined || last.current !== null) return;
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
        check();
      }),
  };
}

type Evals = Awaited<ReturnType<typeof makeEvals>>;

async function runTask({ commands, ended }: Evals, task: string, models = [{ name: "m:8b" }]): Promise<EvalRun> {
  expect(await commands["evals.start"]({ models, tasks: [task] })).toMatchObject({ ok: true });
  return ended();
}

const calls = (name: string, input: object): ScriptedTurn => ({ text: "", toolCalls: [{ name, arguments: input }] });
const sandbox = makeSandbox({ environment, home: "/nonexistent", setting: () => ({ network: false }) });

describe("the built-in tasks", () => {
  test("are twenty, all valid, each with a reference solution", () => {
    expect(builtInProblems).toEqual([]);
    expect(ids).toHaveLength(20);
    expect(Object.keys(referenceSolutions).sort()).toEqual(ids);
    expect(builtIn.filter(({ titles }) => titles["zh-CN"] === undefined)).toEqual([]);
  });

  test.each(builtIn)("$id: fails with its files as they are", async (task) => {
    const root = mkdtempSync(join(tmpdir(), "gopi-eval-start-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    if (task.folder !== null) cpSync(task.folder, root, { recursive: true });
    expect(
      await checkTask(task, { root, answer: "", environment, leftovers: noCleanupJournal, sandbox }, neverAborted),
    ).not.toBeNull();
  });

  test.each(ids)("%s: is solved by its reference solution", async (id) => {
    const evals = await makeEvals({ turns: referenceSolutions[id] });
    const run = await runTask(evals, id);
    expect(run.problems).toEqual([]);
    expect(run.results.map(({ failure }) => failure)).toEqual([undefined]);
    expect(evals.rig.logged).toEqual([]);
  });
});

describe("a run", () => {
  test("counts requests and repairs, and stores the result and the session by digest", async () => {
    const text = `<tool_call>\n${JSON.stringify({ name: "edit", arguments: { path: "pages.js", old_string: "page * size", new_string: "(page - 1) * size" } })}\n</tool_call>`;
    const loose = calls("edit", { path: "pages.js", old_string: "    from + size - 1", new_string: "    from + size" });
    const evals = await makeEvals({ turns: [{ text }, loose] });
    const run = await runTask(evals, "off-by-one");
    const [result] = run.results;
    expect(result).toMatchObject({ task: "off-by-one", model: { name: "m:8b" }, steps: 3 });
    expect(result?.slips).toMatchObject({ textCalls: 1, retries: 0 });
    expect(result?.promptTokens).toBeGreaterThan(1_000);
    expect(result?.outputTokens).toBeGreaterThan(0);
    const digest = evals.rig.access.models.state().models[0]?.digest;
    expect(createEvalResults(evals.rig.store.database).list()).toEqual([{ key: digest, result }]);
    expect(await evals.commands["evals.list"]()).toMatchObject({ value: { results: [result] } });
    const transcript = evals.commands["evals.transcript"]({ model: { name: "m:8b" }, task: "off-by-one" });
    expect(transcript).toMatchObject({ ok: true, value: { text: expect.stringContaining("pageOf in pages.js") } });
    expect(evals.commands["evals.transcript"]({ model: { name: "n:8b" }, task: "off-by-one" })).toMatchObject({
      error: { code: "not_found" },
    });
    expect(evals.rig.store.sessions.list({ limit: 10 }).rows).toEqual([]);
  });

  test.each<[what: string, turns: ScriptedTurn[], task: string, failure: object]>([
    [
      "a check that fails",
      [{ text: "Done." }],
      "off-by-one",
      { why: "check", detail: expect.stringContaining("Assert") },
    ],
    [
      "a file that is not as expected",
      [{ text: "Done." }],
      "edit-config",
      { why: "files", detail: "config/server.ini" },
    ],
    ["an answer without the line", [{ text: "In limits.js." }], "find-definition", { why: "answer" }],
    [
      "a changed test, which is restored",
      [calls("write", { path: "median.test.js", content: "" })],
      "fix-failing-test",
      { why: "check" },
    ],
    ["a run that ends with an error", Array.from({ length: 12 }, () => ({ text: "" })), "off-by-one", { why: "error" }],
  ])("%s gives the reason", async (_what, turns, task, failure) => {
    const run = await runTask(await makeEvals({ turns }), task);
    expect(run.results).toMatchObject([{ failure }]);
  });

  test("ends a task at the step limit", async () => {
    const looking = Array.from({ length: 41 }, (_each, index) => calls("grep", { pattern: `word${index}` }));
    const run = await runTask(await makeEvals({ turns: looking }), "off-by-one");
    expect(run.results).toMatchObject([{ steps: 40, failure: { why: "steps" } }]);
  });

  test("leaves a model out whose server ends the connection in an answer", async () => {
    const evals = await makeEvals({ turns: [{ text: "one two three", disconnectAfter: 2 }] });
    evals.rig.settings.current = { ...evals.rig.settings.current, retries: 0 };
    const run = await runTask(evals, "off-by-one");
    expect(run.results).toEqual([]);
    expect(run.problems).toMatchObject([{ error: { code: "connection_lost" } }]);
  });

  test("ends a task whose model hangs at the time limit, with the request", async () => {
    const rig = await makeModelRig({ ...base, turns: [{ text: "one two three", hangAfter: 1 }] });
    await findServedModel(rig.access, "ollama", "m:8b", neverAborted);
    const choice = rig.services.chooseModel({ name: "m:8b" });
    const task = builtIn.find(({ id }) => id === "off-by-one");
    if (choice === null || task === undefined) throw new Error("not found");
    const options = { services: rig.services, environment, leftovers: rig.leftovers, sandbox, now: Date.now };
    const ran = await runEvalTask({ ...task, limitMs: 1_000 }, choice, options, neverAborted);
    expect(ran).toMatchObject({ result: { failure: { why: "time" } }, serverError: null });
    await rig.model.waitFor((requests) => requests.every(({ closed }) => closed));
  });

  test("runs all tasks with each model, and leaves a model out whose server fails", async () => {
    const evals = await makeEvals({ turns: [...(referenceSolutions["edit-config"] ?? []), { text: "Done." }] });
    const models = [{ name: "m:8b" }, { name: "n:8b" }];
    const started = evals.commands["evals.start"]({ models, tasks: ["edit-config", "chinese-text"] });
    expect(await started).toMatchObject({ ok: true, value: { models, tasks: ["chinese-text", "edit-config"] } });
    expect(await evals.commands["evals.start"]({ models })).toMatchObject({ error: { code: "busy" } });
    expect(evals.feature.keepsAlive()).toBe(true);
    const run = await evals.ended();
    expect(run.results.map(({ model, task }) => [model.name, task])).toEqual([
      ["m:8b", "chinese-text"],
      ["m:8b", "edit-config"],
      ["n:8b", "chinese-text"],
      ["n:8b", "edit-config"],
    ]);
    expect(evals.feature.keepsAlive()).toBe(false);
    const error = "model requires more system memory (9.4 GiB) than is available (4.1 GiB)";
    evals.rig.model.setScript({ ...base, defaults: { status: 500, error } });
    const failed = await runTask(evals, "edit-config");
    expect(failed.results).toEqual([]);
    expect(failed.problems).toMatchObject([{ model: { name: "m:8b" }, error: { code: "out_of_memory" } }]);
  });

  test("stops at once, and leaves no folder", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "gopi-eval-test-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    const evals = await makeEvals({ turns: [{ text: "one two three", holdAfter: 1 }] });
    await evals.commands["evals.start"]({ models: [{ name: "m:8b" }] });
    await evals.rig.model.waitFor((requests) =>
      requests.some(({ path, events }) => path === "/api/chat" && events === 1),
    );
    evals.commands["evals.stop"]();
    expect(await evals.ended()).toMatchObject({ isStopped: true, results: [] });
    expect(readdirSync(temporary).filter((name) => name.startsWith("gopi-eval"))).toEqual([]);
    await evals.rig.model.waitFor((requests) => requests.every(({ closed }) => closed));
  });

  test("does not start with an unknown model or task", async () => {
    const { commands } = await makeEvals({});
    expect(await commands["evals.start"]({ models: [{ name: "none:1b" }] })).toMatchObject({
      error: { code: "model_missing" },
    });
    expect(await commands["evals.start"]({ models: [{ name: "m:8b" }], tasks: ["none"] })).toMatchObject({
      error: { code: "not_found", detail: "none" },
    });
  });
});

describe("tasks of the user", () => {
  test("are read from the home folder, and errors name the file and the field", async () => {
    const evals = await makeEvals({ turns: [calls("write", { path: "a.txt", content: "hello\n" })] });
    const folder = join(evals.rig.home, "evals");
    mkdirSync(folder);
    const task = (name: string, text: string): void => writeFileSync(join(folder, `${name}.yaml`), text);
    task("hello", "title: Hello\nprompt: Write a.txt\ncheck:\n  files:\n    a.txt: { contains: [hello] }\n");
    task("no-prompt", "title: A\ncheck: { run: [node --version] }\n");
    task("unknown-field", "title: A\nprompt: B\ncheck: { runs: [node --version] }\n");
    task("no-check", "title: A\nprompt: B\ncheck: {}\n");
    task("outside", "title: A\nprompt: B\ncheck: { restore: [../x], run: [node --version] }\n");
    task("syntax", "title: [A\nprompt: B\n");
    task("no-file", "title: A\nprompt: B\ncheck: { files: { a.txt: { replaced: [] } } }\n");
    task("here", "title: A\nprompt: B\ncheck: { restore: [.], run: [node --version] }\n");
    const doubled = (name: string): string => `[${`*${name}, `.repeat(9)}]`;
    const bomb = [
      "a: &a [x]",
      ...["b", "c", "d", "e"].map((name, index) => `${name}: &${name} ${doubled("abcd"[index] ?? "")}`),
    ];
    task("bomb", `${bomb.join("\n")}\n`);
    mkdirSync(join(folder, "folder.yaml"));
    symlinkSync("/nonexistent/x.yaml", join(folder, "link.yaml"));
    writeFileSync(join(folder, "hello.yml"), "title: Again\nprompt: B\ncheck: { answer: [x] }\n");
    execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
    const listed = await evals.commands["evals.list"]();
    if (!listed.ok) throw new Error("not listed");
    const { problems, tasks } = listed.value;
    expect(tasks.filter(({ source }) => source === "user").map(({ id }) => id)).toEqual(["hello"]);
    expect(problems.map(({ file, field, detail }) => [file.slice(folder.length + 1), field, detail])).toEqual([
      ["bomb.yaml", "", expect.stringContaining("cannot be read: ")],
      ["folder.yaml", "", "is not a file"],
      ["hello.yml", "", "hello exists twice"],
      ["here.yaml", "check.restore.0", "must be a path inside the task's folder"],
      ["link.yaml", "", expect.stringContaining("cannot be read: ENOENT")],
      ["no-check.yaml", "check", "needs at least one of run, script, files and answer"],
      ["no-file.yaml", "check", "the file a.txt is missing from the folder no-file"],
      ["no-prompt.yaml", "prompt", "is missing"],
      ["outside.yaml", "check.restore.0", "must be a path inside the task's folder"],
      ["pipe.yaml", "", "is not a file"],
      ["syntax.yaml", "", expect.stringContaining("line")],
      ["unknown-field.yaml", "check", "has the unknown field runs"],
    ]);
    expect((await runTask(evals, "hello")).results).toMatchObject([{ task: "hello" }]);
    expect(evals.runs.at(-1)?.results[0]?.failure).toBeUndefined();
  });
});
