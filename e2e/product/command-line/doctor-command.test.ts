// `gopi-web doctor` for users and scripts: its steps, its verdict, its exit codes.
import { once } from "node:events";
import type { DoctorRun } from "@/lib/models/models";
import { doctorScript, doneTurn } from "../../fixtures/doctor-script";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

/** Removes the first line about the sandbox, which machines without a working one print. */
const withoutNote = (stderr: string): string => stderr.replace(/^gopi-web: no sandbox here.*\n/, "");
const outputLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** A model that calls tools natively and drops the start of a long prompt. */
const forgetful = doctorScript([
  { text: "", toolCalls: [{ name: "toolbox", arguments: { tool: "shop__find_order", input: { number: "417" } } }] },
  doneTurn,
  { text: "I cannot say." },
  ...[900, 900, 60, 900, 60].map((ms) => ({ text: "One.", last: { prompt_eval_duration: ms * 1e6 } })),
]);

test.afterEach(({ place }) => endBackgroundServer(place));

test("prints each step and the suitability of the model, exit 0", async ({ model, place }) => {
  model.setScript(forgetful);
  const { code, stdout, stderr } = await new ProductCommand(place, ["doctor"]).done();
  expect({ code, stderr: withoutNote(stderr) }).toEqual({ code: 0, stderr: "" });
  const [title, load, answer, tools, edit, nested, window, conversations, template, verdict, ...more] =
    outputLines(stdout);
  expect(more).toEqual([]);
  expect(title).toBe("Testing m:8b on this machine. This takes about a minute.");
  expect(load).toMatch(/^ {2}load into memory {6}passed \(.* s\): 100 % on the GPU, window 8192 tokens$/);
  expect(answer).toMatch(/^ {2}read and write {8}passed /);
  expect(tools).toMatch(/^ {2}call a tool {11}passed .*: calls: native$/);
  expect(edit).toMatch(/^ {2}change a file {9}passed /);
  expect(nested).toMatch(/^ {2}call in the toolbox {3}passed /);
  expect(conversations).toMatch(
    /^ {2}two conversations {5}passed .*: the server keeps both, read in 0\.9 s at first, in 0\.1 s then$/,
  );
  expect(template).toMatch(/^ {2}place of the tools {4}passed .*: they stay,/);
  expect(window).toMatch(/^ {2}recall a long prompt {2}failed .*, forgot the start$/);
  expect(verdict).toMatch(/^m:8b is good as a helper: .* Window 8192 tokens\. The test took .* s\.$/);
});

test("--json prints every step as it happens, the report in the last line", async ({ model, place }) => {
  model.setScript(forgetful);
  const { code, stdout } = await new ProductCommand(place, ["doctor", "m:8b", "--json"]).done();
  const runs = outputLines(stdout).map((line): DoctorRun => JSON.parse(line));
  expect(code).toBe(0);
  expect(runs.map((run) => run.model)).toEqual(runs.map(() => "m:8b"));
  expect(runs.at(-1)?.report).toMatchObject({ verdict: "helper", toolMode: "native", numCtx: 8_192 });
  expect(runs.slice(0, -1).map((run) => run.report)).toEqual(runs.slice(0, -1).map(() => undefined));
});

test("exit 1 when the model does not fit into memory, is not installed, or its server does not answer", async ({
  model,
  place,
}) => {
  const error = "model requires more system memory (9.4 GiB) than is available (4.1 GiB)";
  model.setScript({ ...forgetful, fixed: { "POST /api/generate": { status: 500, body: { error } } } });
  const full = await new ProductCommand(place, ["doctor"]).done();
  expect(full.code).toBe(1);
  expect(outputLines(full.stdout)[1]).toContain("failed");
  expect(outputLines(full.stdout)[1]).toContain("not enough memory for this model");
  expect(outputLines(full.stdout).at(-1)).toContain("m:8b is not usable here.");
  const missing = await new ProductCommand(place, ["doctor", "none:1b"]).done();
  expect(missing).toEqual({ code: 1, stdout: "", stderr: "gopi-web: this model isn't installed\n" });
  const unknown = await new ProductCommand(place, ["doctor", "engine/tiny"]).done();
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("gopi-web: the built-in engine has no models; download or add tiny in the settings");
  await model.close();
  const silent = await new ProductCommand(place, ["doctor"]).done();
  expect(silent).toMatchObject({ code: 1, stdout: "" });
  expect(silent.stderr).toContain("gopi-web: the model server isn't responding");
});

test("when the reader of the output has gone, the test stops quietly, exit 0", async ({ model, place }) => {
  model.setScript({ ...forgetful, turns: [{ text: "one two three", holdAfter: 1 }] });
  const command = new ProductCommand(place, ["doctor"]);
  await model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 1));
  command.child.stdout?.destroy();
  model.release();
  const { code, stderr } = await command.done();
  expect({ code, stderr: withoutNote(stderr) }).toEqual({ code: 0, stderr: "" });
});

test("Ctrl+C stops the test, exit 130", async ({ model, place }) => {
  model.setScript({ ...forgetful, turns: [{ text: "one two three", holdAfter: 1 }] });
  const command = new ProductCommand(place, ["doctor"]);
  await model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 1));
  command.child.kill("SIGINT");
  await once(command.child, "exit");
  expect((await command.done()).code).toBe(130);
  await model.waitFor((requests) => requests.every(({ closed }) => closed));
});
