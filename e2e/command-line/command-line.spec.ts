// The command line for users and scripts: starts, hand-over, `run`, exit codes, signals. No browser.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { Envelope } from "@/lib/events/event";
import type { CommandAnswer } from "@/lib/protocol/socket";
import packageFile from "@/package.json" with { type: "json" };
import {
  ProductCommand,
  type ProductEnvironment,
  findProcesses,
  productProgram,
  type ServerReadyLine,
  readServerJson,
  startProductServer,
} from "../fixtures/server";
import { expect, test } from "../fixtures/test";

const nonEmptyLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
const parseEnvelopes = (stdout: string): readonly Envelope[] =>
  nonEmptyLines(stdout).map((line): Envelope => JSON.parse(line));

/** Calls a command over HTTP, as a script would. */
async function callByHttp<N extends CommandName>(
  home: string,
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  const { token, port } = readServerJson(home);
  const response = await fetch(`http://127.0.0.1:${port}/api/call`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ name, input }),
  });
  const answer: CommandAnswer<N> = await response.json();
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}

/** Ends the server that a run started; it would exit by itself some seconds later. */
async function endBackgroundServer(place: ProductEnvironment): Promise<void> {
  for (const { pid } of findProcesses(place.home)) process.kill(pid, "SIGTERM");
  await waitForNoProcesses(place.root);
}

const waitForNoProcesses = (root: string) =>
  expect.poll(() => findProcesses(root).map(({ command }) => command)).toEqual([]);

test.describe("commands without a server", () => {
  test("npm start resolves folders from where npm was called", async ({ place }) => {
    const { code, stdout, stderr } = await new ProductCommand(place, ["no-such-folder"], {
      script: "scripts/start.mjs",
      cwd: dirname(dirname(productProgram)),
      environment: { INIT_CWD: place.root },
    }).done();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(nonEmptyLines(stderr).at(-1)).toBe(`gopi-web: Folder not found: ${join(place.root, "no-such-folder")}`);
  });

  test("--help explains the two commands and --version prints the version", async ({ place }) => {
    const help = await new ProductCommand(place, ["--help"]).done();
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("gopi-web [folder]");
    expect(help.stdout).toContain('gopi-web run "prompt"');
    expect(await new ProductCommand(place, ["--version"]).done()).toEqual({
      code: 0,
      stdout: `${packageFile.version}\n`,
      stderr: "",
    });
  });

  const wrong: readonly [args: readonly string[], words: string][] = [
    [["--prot", "80"], "did you mean --port?"],
    [["--port", "many"], "--port needs a number"],
    [["--host", "203.0.113.9"], "--host 203.0.113.9 isn't an address of this machine"],
    [["no-such-folder"], "Folder not found"],
    [["README.md"], "is a file"],
    [["run", "two", "words"], "Put the prompt in quotes"],
    [["run", ""], "The prompt is empty"],
    [["run"], "The prompt is empty"],
    [["run", "hi", "--approve", "maybe"], "--approve needs one of"],
  ];
  for (const [args, words] of wrong) {
    test(`${args.join(" ")}: one line and exit 2`, async ({ place }) => {
      const { code, stdout, stderr } = await new ProductCommand(place, args).done();
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(nonEmptyLines(stderr)).toEqual([expect.stringContaining(words)]);
      expect(findProcesses(place.home)).toEqual([]);
    });
  }
});

test.describe("gopi-web [folder]", () => {
  test("a taken port: the next one is used and reported", async ({ place }) => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const server = new ProductCommand(place, ["--json", "--no-open", "--port", `${port}`]);
    // Two pipes: the line on one may arrive before the note on the other.
    await server.until(({ stdout, stderr }) => stdout.includes("\n") && stderr.includes("\n"));
    const ready: ServerReadyLine = JSON.parse(server.stdout);
    expect(ready.port).toBeGreaterThan(port);
    expect(server.stderr).toContain(`Port ${port} is in use, so gopi-web is using ${ready.port}.`);
    server.child.kill("SIGTERM");
    await server.done();
    blocker.close();
  });

  test("a second start passes its folder to the running server and prints a fresh link", async ({ server, place }) => {
    const other = join(place.root, "other");
    mkdirSync(other);
    const second = await new ProductCommand(place, [other, "--json", "--no-open"]).done();
    expect(second.code).toBe(0);
    const ready: ServerReadyLine = JSON.parse(second.stdout);
    expect(Object.keys(ready)).toEqual(["url", "port", "pid", "home", "version"]);
    expect(ready).toMatchObject({
      port: server.port,
      pid: server.pid,
      home: server.home,
      version: packageFile.version,
    });
    expect(ready.url).not.toBe(server.url);
    const { projects } = await callByHttp(server.home, "project.list", {});
    expect(projects.map(({ path }) => path).sort()).toEqual([other, place.project]);
    const again = await new ProductCommand(place, [other, "--no-open"]).done();
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/http:\/\/localhost:\d+\/#token=\S+\n$/) });
  });

  test("a second start of another version reports that and still works", async ({ server, place }) => {
    const path = join(server.home, "server.json");
    writeFileSync(path, JSON.stringify({ ...readServerJson(server.home), version: "0.0.1" }));
    const { code, stderr } = await new ProductCommand(place, ["--json", "--no-open"]).done();
    expect(code).toBe(0);
    expect(stderr).toContain(`Version 0.0.1 is running; this is ${packageFile.version}`);
  });

  test("a server that holds the home and does not answer is named, exit 1", async ({ server, place }) => {
    process.kill(server.pid, "SIGSTOP");
    const { code, stdout, stderr } = await new ProductCommand(place, ["--json", "--no-open"]).done();
    process.kill(server.pid, "SIGCONT");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`process ${server.pid}`);
    expect(stderr).toContain(server.home);
  });

  test("a killed server leaves nothing that blocks the next one", async ({ server, place }) => {
    await server.kill("SIGKILL");
    const next = await startProductServer(place);
    expect(next.pid).not.toBe(server.pid);
    await next.kill("SIGTERM");
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} ends it cleanly, also during a run`, async ({ server, model, place }) => {
      model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
      const run = new ProductCommand(place, ["run", "hi"]);
      await run.until(({ stdout }) => stdout.includes("one"));
      const { code } = await server.kill(signal);
      expect(code).toBe(signal === "SIGTERM" ? 0 : 130);
      expect(() => readServerJson(server.home)).toThrow();
      run.child.kill("SIGINT");
      run.child.kill("SIGINT");
      await run.done();
      await endBackgroundServer(place);
    });
  }
});

test.describe("gopi-web run", () => {
  test.afterEach(({ place }) => endBackgroundServer(place));

  test("prints the answer on stdout and a line for each call on stderr", async ({ model, place }) => {
    model.setScript({
      turns: [
        { text: "I look at it.", toolCalls: [{ name: "read", arguments: { path: "README.md" } }] },
        { text: "It is a project.\nNothing more." },
      ],
    });
    const done = await new ProductCommand(place, ["run", "What is this?"]).done();
    expect(done).toEqual({
      code: 0,
      stdout: "I look at it.\n\nIt is a project.\nNothing more.\n",
      stderr: "· read README.md\n",
    });
  });

  test("--json prints every envelope, in order and without a gap", async ({ model, place }) => {
    model.setScript({ turns: [{ text: "Hello.", toolCalls: [{ name: "ls", arguments: {} }] }, { text: "Done." }] });
    const { code, stdout, stderr } = await new ProductCommand(place, ["run", "hi", "--json"]).done();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const envelopes = parseEnvelopes(stdout);
    const seqs = envelopes.flatMap((envelope) => ("seq" in envelope ? [envelope.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(envelopes.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(["agent_start", "message_delta", "tool_call_start", "tool_call_end"]),
    );
    expect(envelopes.at(-1)?.event).toMatchObject({ type: "agent_end", reason: "done" });
  });

  test("reads the prompt from standard input", async ({ model, place }) => {
    for (const args of [["run"], ["run", "-"]]) {
      const { code } = await new ProductCommand(place, args, { input: "Say 你好.\n" }).done();
      expect(code).toBe(0);
    }
    const chats = model.requests.filter(({ path }) => path === "/api/chat");
    expect(chats.map(({ raw }) => raw.includes('Say 你好."'))).toEqual([true, true]);
  });

  const edit = { name: "write", arguments: { path: "new.txt", content: "new\n" } };
  const approvals: readonly [approve: string, written: boolean, reason: string][] = [
    ["ask", false, "nobody could answer"],
    ["none", false, "everything that asks is denied here"],
    ["edits", true, ""],
    ["all", true, ""],
  ];
  for (const [approve, written, reason] of approvals) {
    test(`--approve ${approve} without a terminal: a write ${written ? "happens" : "is denied, with a reason"}`, async ({
      model,
      place,
    }) => {
      model.setScript({ turns: [{ text: "", toolCalls: [edit] }, { text: "Well." }] });
      const done = await new ProductCommand(place, ["run", "write it", "--approve", approve]).done();
      expect(done).toMatchObject({ code: 0, stdout: "Well.\n" });
      const denied = approve === "ask" ? "denied new.txt: it needs your approval; allow it once" : "denied new.txt\n";
      expect(done.stderr).toContain(written ? "wrote new.txt" : denied);
      const last = model.requests.filter(({ path }) => path === "/api/chat").at(-1);
      expect(last?.raw).toContain(reason);
      const read = (): string => readFileSync(join(place.project, "new.txt"), "utf8");
      if (written) expect(read()).toBe("new\n");
      else expect(read).toThrow();
    });
  }

  test("a card of a subagent is denied without a terminal, and the run ends", async ({ model, place }) => {
    const spawn = { tool: "spawn", input: { task: "run it", look: false } };
    const unclear = { name: "bash", arguments: { command: 'eval "$(cat run.txt)"' } };
    model.setScript({
      turns: [
        { text: "", toolCalls: [{ name: "toolbox", arguments: spawn }] },
        { text: "", toolCalls: [unclear] },
        { text: "It was denied." },
        { text: "Well." },
      ],
    });
    const done = await new ProductCommand(place, ["run", "run it", "--approve", "all"]).done();
    expect(done).toMatchObject({ code: 0, stdout: "Well.\n" });
    expect(done.stderr).toContain("· subagent: run it");
    expect(JSON.stringify(model.requests)).toContain("It was denied.");
    const { rows } = await callByHttp(place.home, "session.list", {});
    expect(rows).toMatchObject([{ subagents: 1, status: "idle" }]);
  });

  test("--continue continues the newest session of the folder, --session a given one", async ({ model, place }) => {
    const first = await new ProductCommand(place, ["run", "first prompt", "--json"]).done();
    const id = parseEnvelopes(first.stdout)[0]?.sessionId ?? "";
    await new ProductCommand(place, ["run", "second prompt", "--continue"]).done();
    await new ProductCommand(place, ["run", "third prompt", "--session", id]).done();
    const last = model.requests.filter(({ path }) => path === "/api/chat").at(-1);
    for (const prompt of ["first prompt", "second prompt", "third prompt"]) expect(last?.raw).toContain(prompt);
    const { rows } = await callByHttp(place.home, "session.list", {});
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  test("a session that does not exist, or none to continue: exit 1", async ({ place }) => {
    for (const args of [["--session", "snothing"], ["--continue"]]) {
      const { code, stdout, stderr } = await new ProductCommand(place, ["run", "hi", ...args]).done();
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(nonEmptyLines(stderr)).toHaveLength(1);
    }
  });

  test("exit 1 when the model server refuses, exit 1 when there is no model", async ({ model, place }) => {
    model.setScript({ turns: [{ status: 400, error: "bad request" }] });
    const refused = await new ProductCommand(place, ["run", "hi"]).done();
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("gopi-web: ") });
    model.setScript({ models: [] });
    const missing = await new ProductCommand(place, ["run", "hi", "--model", "nothing:1b"]).done();
    expect(missing).toMatchObject({ code: 1, stdout: "" });
  });

  test("a model server that does not answer is named, exit 1", async ({ model, place }) => {
    await model.close();
    const { code, stderr } = await new ProductCommand(place, ["run", "hi"]).done();
    expect(code).toBe(1);
    const advice = "start one, or set OLLAMA_HOST or OPENAI_BASE_URL";
    expect(stderr).toBe(`gopi-web: no model server responds; ${advice} (tried ${model.url})\n`);
    const named = await new ProductCommand(place, ["run", "hi", "--model", "scripted"]).done();
    expect(named).toEqual({ code: 1, stdout: "", stderr });
  });

  test("exit 3 when the run stops at its step limit", async ({ model, place }) => {
    await new ProductCommand(place, ["run", "hi"]).done();
    await callByHttp(place.home, "settings.write", { patch: { maxSteps: 3 } });
    const turn = (path: string) => ({ text: "On.", toolCalls: [{ name: "ls", arguments: { path } }] });
    mkdirSync(join(place.project, "b"));
    model.setScript({ turns: [turn("."), turn("b"), turn("."), turn("b"), turn(".")] });
    expect((await new ProductCommand(place, ["run", "go on"]).done()).code).toBe(3);
  });

  for (const times of [1, 2]) {
    test(`Ctrl+C pressed ${times === 1 ? "once ends the run" : "twice leaves at once"}, exit 130`, async ({
      model,
      place,
    }) => {
      model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
      const run = new ProductCommand(place, ["run", "hi"]);
      await run.until(({ stdout }) => stdout.includes("one"));
      for (let press = 0; press < times; press += 1) run.child.kill("SIGINT");
      expect((await run.done()).code).toBe(130);
      if (times === 1) {
        const { rows } = await callByHttp(place.home, "session.list", {});
        expect(rows[0]?.status).not.toBe("running");
      }
      model.release();
    });
  }

  test("closing the reader of stdout ends the run", async ({ model, place }) => {
    model.setScript({ turns: [{ text: "one", tokens: 100_000, tps: 200 }] });
    const run = new ProductCommand(place, ["run", "hi"]);
    await run.until(({ stdout }) => stdout.includes("word"));
    run.child.stdout?.destroy();
    expect((await run.done()).code).toBe(130);
    await model.waitFor((requests) => requests.some(({ end }) => end === "aborted"));
  });

  test("three runs at once without a server all succeed, on one server", async ({ place }) => {
    const runs = ["one", "two", "three"].map((prompt) => new ProductCommand(place, ["run", prompt]));
    const servers = new Set<number>();
    for (const run of runs) {
      expect(await run.done()).toMatchObject({ code: 0, stdout: "Done.\n" });
      servers.add(readServerJson(place.home).pid);
    }
    expect(servers.size).toBe(1);
    const { rows } = await callByHttp(place.home, "session.list", {});
    expect(rows.map(({ title }) => title).sort()).toEqual(["one", "three", "two"]);
  });

  test("the background server exits by itself and leaves the home tidy", async ({ place }) => {
    expect((await new ProductCommand(place, ["run", "hi"]).done()).code).toBe(0);
    await waitForNoProcesses(place.root);
    expect(() => readServerJson(place.home)).toThrow();
    expect(readFileSync(join(place.home, "server.log"), "utf8")).toBe("");
  });

  test("a run survives the end of its server: it reconnects and reports how the run ended", async ({
    model,
    place,
  }) => {
    model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
    const run = new ProductCommand(place, ["run", "hi"]);
    await run.until(({ stdout }) => stdout.includes("one"));
    process.kill(readServerJson(place.home).pid, "SIGKILL");
    const { code, stderr } = await run.done();
    expect(code).toBe(1);
    expect(stderr).toContain("reconnecting");
  });

  test("on a terminal it asks there, showing the whole effect, and y allows it", async ({ model, place }) => {
    test.skip(process.platform !== "linux", "needs util-linux script for a terminal");
    model.setScript({ turns: [{ text: "", toolCalls: [edit] }, { text: "Well." }] });
    const { spawn } = await import("node:child_process");
    const terminal = spawn(
      "script",
      ["-qfec", `"${process.execPath}" "${productProgram}" run "write it"`, "/dev/null"],
      {
        cwd: place.project,
        env: { ...place.environment, GOPI_HOME: place.home, TERM: "xterm" },
        detached: true,
      },
    );
    let seen = "";
    const cardShown = new Promise<void>((resolve) =>
      terminal.stdout.on("data", (part: Buffer) => {
        seen += part.toString();
        if (seen.includes("y yes")) resolve();
      }),
    );
    await cardShown;
    expect(seen).toContain("Create new.txt, +1 -0");
    expect(seen).toContain("+new");
    terminal.stdin.write("y\n");
    const [code]: unknown[] = await once(terminal, "exit");
    expect(code).toBe(0);
    expect(readFileSync(join(place.project, "new.txt"), "utf8")).toBe("new\n");
  });
});

test("a run beside an open server is in its session list while it runs, and the server stays", async ({
  server,
  model,
  place,
}) => {
  model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
  const run = new ProductCommand(place, ["run", "a live one"]);
  await run.until(({ stdout }) => stdout.includes("one"));
  const during = await callByHttp(server.home, "session.list", {});
  expect(during.rows.map(({ title, status }) => ({ title, status }))).toEqual([
    { title: "a live one", status: "running" },
  ]);
  model.release();
  expect(await run.done()).toMatchObject({ code: 0, stdout: "one two three\n" });
  await expect
    .poll(async () => (await callByHttp(server.home, "session.list", {})).rows.map(({ status }) => status))
    .toEqual(["idle"]);
  expect(readServerJson(server.home).pid).toBe(server.pid);
});
