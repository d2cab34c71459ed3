// `gopi-web run` where no server runs: it starts one in the background, whose end it reports.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { hasTerminals, TerminalCommand } from "../../fixtures/terminal-command";
import { findProcesses, findRunningServer, ProductCommand, readServerJson } from "../../fixtures/server";

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

test("a model server that does not answer is named, exit 1", async ({ model, place }) => {
  await model.close();
  const { code, stderr } = await new ProductCommand(place, ["run", "hi"]).done();
  expect(code).toBe(1);
  const advice =
    "start one, set OLLAMA_HOST or OPENAI_BASE_URL, or run gopi-web init, which finds one or downloads one with a model";
  expect(stderr).toBe(`gopi-web: no model server responds; ${advice} (tried ${model.url})\n`);
  const named = await new ProductCommand(place, ["run", "hi", "--model", "scripted"]).done();
  expect(named).toEqual({ code: 1, stdout: "", stderr });
});

test("a server that cannot start is reported with its reason, exit 1", async ({ place }) => {
  mkdirSync(join(place.home, "gopi.db"), { recursive: true });
  const { code, stderr } = await new ProductCommand(place, ["run", "hi"]).done();
  expect(code).toBe(1);
  const log = readFileSync(join(place.home, "server.log"), "utf8");
  const reason = log.trimEnd().split("\n").at(-1);
  expect(reason).toContain("Can't open the data");
  expect(stderr).toBe(`gopi-web: couldn't start a server: ${reason}; see ${join(place.home, "server.log")}\n`);
});

test("three runs at once without a server all succeed, on one server", async ({ place }) => {
  const runs = ["one", "two", "three"].map((prompt) => new ProductCommand(place, ["run", prompt]));
  const servers = new Set<number>();
  for (const run of runs) {
    expect(await run.done()).toMatchObject({ code: 0, stdout: "Done.\n" });
    servers.add(readServerJson(place.home).pid);
  }
  expect(servers.size).toBe(1);
  const { rows } = await callCommand(findRunningServer(place.home), "session.list", {});
  expect(rows.map(({ title }) => title).sort()).toEqual(["one", "three", "two"]);
});

test("the background server exits by itself and leaves the home tidy", async ({ place }) => {
  expect((await new ProductCommand(place, ["run", "hi"]).done()).code).toBe(0);
  await expect.poll(() => findProcesses(place.root)).toEqual([]);
  expect(() => readServerJson(place.home)).toThrow();
  expect(readFileSync(join(place.home, "server.log"), "utf8")).toBe("");
});

test("a run survives the end of its server: it reconnects and reports how the run ended", async ({ model, place }) => {
  model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
  const run = new ProductCommand(place, ["run", "hi"]);
  await run.until(({ stdout }) => stdout.includes("one"));
  killProcess(readServerJson(place.home).pid);
  const { code, stderr } = await run.done();
  expect(code).toBe(1);
  expect(stderr).toContain("reconnecting");
});

test.runIf(hasTerminals)("a chat survives the end of its server, with what is being typed", async ({ place }) => {
  const chat = new TerminalCommand(place, "chat");
  onTestFinished(() => chat.end());
  await chat.until("> ");
  chat.type("still ");
  await chat.until("still ");
  killProcess(readServerJson(place.home).pid);
  await chat.until("reconnecting");
  await chat.until("> still ");
  chat.type("here\r");
  await chat.until("Done.");
  await chat.until("> ");
  chat.type("\u0004");
  expect(await chat.done()).toBe(0);
  const { rows } = await callCommand(findRunningServer(place.home), "session.list", {});
  expect(rows.map(({ title }) => title)).toEqual(["still here"]);
});
