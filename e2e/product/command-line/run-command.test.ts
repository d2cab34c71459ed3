// `gopi-web run` for users and scripts: output, approvals, sessions, exit codes, signals.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { describe } from "vitest";
import type { Envelope } from "@/lib/events/event";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { findProcesses, findServer, ProductCommand, productProgram, readServerJson } from "../../fixtures/server";

const nonEmptyLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
const parseEnvelopes = (stdout: string): readonly Envelope[] =>
  nonEmptyLines(stdout).map((line): Envelope => JSON.parse(line));

describe("gopi-web run", () => {
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
    const subagent = { tool: "spawn", input: { task: "run it", look: false } };
    const unclear = { name: "bash", arguments: { command: 'eval "$(cat run.txt)"' } };
    model.setScript({
      turns: [
        { text: "", toolCalls: [{ name: "toolbox", arguments: subagent }] },
        { text: "", toolCalls: [unclear] },
        { text: "It was denied." },
        { text: "Well." },
      ],
    });
    const done = await new ProductCommand(place, ["run", "run it", "--approve", "all"]).done();
    expect(done).toMatchObject({ code: 0, stdout: "Well.\n" });
    expect(done.stderr).toContain("· subagent: run it");
    expect(JSON.stringify(model.requests)).toContain("It was denied.");
    const { rows } = await callCommand(findServer(place.home), "session.list", {});
    expect(rows).toMatchObject([{ subagents: 1, status: "idle" }]);
  });

  test("--continue continues the newest session of the folder, --session a given one", async ({ model, place }) => {
    const first = await new ProductCommand(place, ["run", "first prompt", "--json"]).done();
    const id = parseEnvelopes(first.stdout)[0]?.sessionId ?? "";
    await new ProductCommand(place, ["run", "second prompt", "--continue"]).done();
    await new ProductCommand(place, ["run", "third prompt", "--session", id]).done();
    const last = model.requests.filter(({ path }) => path === "/api/chat").at(-1);
    for (const prompt of ["first prompt", "second prompt", "third prompt"]) expect(last?.raw).toContain(prompt);
    const { rows } = await callCommand(findServer(place.home), "session.list", {});
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
    await callCommand(findServer(place.home), "settings.write", { patch: { maxSteps: 3 } });
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
        const { rows } = await callCommand(findServer(place.home), "session.list", {});
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
    const { rows } = await callCommand(findServer(place.home), "session.list", {});
    expect(rows.map(({ title }) => title).sort()).toEqual(["one", "three", "two"]);
  });

  test("the background server exits by itself and leaves the home tidy", async ({ place }) => {
    expect((await new ProductCommand(place, ["run", "hi"]).done()).code).toBe(0);
    await expect.poll(() => findProcesses(place.root)).toEqual([]);
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

  test("on a terminal it asks there, showing the whole effect, and y allows it", async ({ model, place, skip }) => {
    skip(process.platform !== "linux", "needs util-linux script for a terminal");
    model.setScript({ turns: [{ text: "", toolCalls: [edit] }, { text: "Well." }] });
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
  const during = await callCommand(server, "session.list", {});
  expect(during.rows.map(({ title, status }) => ({ title, status }))).toEqual([
    { title: "a live one", status: "running" },
  ]);
  model.release();
  expect(await run.done()).toMatchObject({ code: 0, stdout: "one two three\n" });
  await expect
    .poll(async () => (await callCommand(server, "session.list", {})).rows.map(({ status }) => status))
    .toEqual(["idle"]);
  expect(readServerJson(server.home).pid).toBe(server.pid);
});
