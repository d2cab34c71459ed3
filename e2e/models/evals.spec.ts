/** Comparing models by coding tasks: from the page, by keyboard and by pointer, and from the terminal. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalResult } from "@/lib/evals/evals";
import type { Script, ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { findProcesses, ProductCommand } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

const edit = (path: string, from: string, to: string): ScriptedTurn => ({
  text: "",
  toolCalls: [{ name: "edit", arguments: { path, old_string: from, new_string: to } }],
});
const solution = [
  edit("pages.js", "page * size", "(page - 1) * size"),
  edit("pages.js", "from + size - 1", "from + size"),
  { text: "The pages are right now." },
];
const base: Script = {
  models: ["m:8b", "n:8b"],
  capabilities: ["completion", "tools"],
  context: 16_384,
};

test.use({ hasOwnServer: true, script: { ...base, turns: [...solution, { text: "I changed nothing." }] } });

test("two models are compared by one task, live, and the task shows what failed", async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/model`);
  await page.getByRole("link", { name: "Compare models" }).last().click();
  await page.getByRole("checkbox", { name: "All tasks" }).uncheck();
  await expect(page.getByText("Choose at least one model and one task.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Include the task Correct an off-by-one error" }).check();
  await page.getByRole("checkbox", { name: "m:8b" }).check();
  await page.getByRole("checkbox", { name: "n:8b" }).check();
  const start = page.getByRole("button", { name: "Run 1 task with 2 models" });
  await start.focus();
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /off-by-one/ });
  await expect(row.getByText("Solved", { exact: true })).toBeAttached();
  await expect(row.getByText("Not solved")).toBeAttached();
  await expect(start).toBeFocused();
  const totals = page.getByRole("region", { name: "Totals" });
  await expect(totals.getByRole("row", { name: /^m:8b/ }).getByText("1/1", { exact: true })).toBeVisible();
  await expect(totals.getByRole("row", { name: /^n:8b/ }).getByText("0/1", { exact: true })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("evals.csv");

  await page.getByRole("button", { name: "Correct an off-by-one error" }).click();
  const failed = page.getByRole("article", { name: "n:8b" });
  await expect(failed.getByText("The check of the task failed.")).toBeVisible();
  await failed.getByRole("button", { name: "Show the session" }).click();
  await expect(failed.getByText("I changed nothing.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("article", { name: "m:8b" })).toBeVisible();
  await page.getByRole("button", { name: "Compare models" }).click();
  await expect(row.getByText("Solved", { exact: true })).toBeAttached();
});

test("a run is stopped on a phone, and finished tasks are kept", async ({ page, server, model }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  model.setScript({ ...base, turns: [{ text: "Nothing." }, { text: "one two three", holdAfter: 1 }] });
  await page.goto(`${server.origin}/settings/evals`);
  await page.getByRole("button", { name: "Run 20 tasks with 1 model" }).click();
  await expect(page.getByText("1 of 20 done. The model is busy meanwhile.")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText("The run was stopped. Finished tasks are kept.")).toBeVisible();
  await expect(page.getByText("Not solved")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Run 20 tasks with 1 model" })).toBeEnabled();
});

test("a task of the user appears, and a bad task file is named with its field", async ({ page, place, server }) => {
  const folder = join(place.home, "evals");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.yaml"), "title: My task\nprompt: Write a.txt\ncheck: { answer: [done] }\n");
  writeFileSync(join(folder, "bad.yaml"), "title: Bad\ncheck: { answer: [done] }\n");
  await page.goto(`${server.origin}/settings/evals`);
  await expect(page.getByRole("row", { name: /My task/ }).getByText("yours")).toBeVisible();
  await expect(page.getByText("prompt is missing")).toBeVisible();
});

test("gopi-web eval prints results and a table, and --json one result per line", async ({ place, model }) => {
  const run = (...words: string[]) => new ProductCommand(place, ["eval", "--task", "off-by-one", ...words]).done();
  const { code, stdout, stderr } = await run("m:8b", "n:8b");
  // Where no sandbox works, the first line says so.
  const notes = stderr.replace(/^gopi-web: the sandbox does not work here: .*\n/, "");
  expect({ code, notes }).toEqual({ code: 0, notes: "" });
  expect(stdout).toMatch(
    /^m:8b:\n {2}off-by-one +solved {2}.*\nn:8b:\n {2}off-by-one +failed .*\(its check failed\)$/m,
  );
  expect(stdout).toMatch(/^m:8b +1\/1 +3 /m);
  model.setScript({ ...base, turns: solution });
  const lines = (await run("--json")).stdout.trim().split("\n");
  expect(lines.map((line): EvalResult => JSON.parse(line))).toMatchObject([{ task: "off-by-one", steps: 3 }]);
  // Where no sandbox works, that is printed first.
  const isMissing = /^(?:gopi-web: the sandbox does not work here: .+\n)?gopi-web: this model isn't installed\n$/;
  expect(await run("none:1b")).toMatchObject({ code: 1, stderr: expect.stringMatching(isMissing) });
  const unknown = await new ProductCommand(place, ["eval", "--task", "none"]).done();
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no task none; the tasks are") });
  for (const { pid } of findProcesses(place.home)) process.kill(pid, "SIGTERM");
  await expect.poll(() => findProcesses(place.home)).toEqual([]);
});
