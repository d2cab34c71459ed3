/** Comparing models by coding tasks: from the page, by keyboard and by pointer. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { evalScript, evalSolution } from "../fixtures/eval-script";
import { expect, test } from "../fixtures/test";

test.use({ hasOwnServer: true, script: { ...evalScript, turns: [...evalSolution, { text: "I changed nothing." }] } });

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

test("a run is stopped on a phone, and finished tasks are kept", onlyInFull, async ({ page, server, model }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  model.setScript({ ...evalScript, turns: [{ text: "Nothing." }, { text: "one two three", holdAfter: 1 }] });
  await page.goto(`${server.origin}/settings/evals`);
  await page.getByRole("button", { name: "Run 20 tasks with 1 model" }).click();
  await expect(page.getByText("1 of 20 done. The model is busy meanwhile.")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText("The run was stopped. Finished tasks are kept.")).toBeVisible();
  await expect(page.getByText("Not solved")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Run 20 tasks with 1 model" })).toBeEnabled();
});

test(
  "a task of the user appears, and a bad task file is named with its field",
  onlyInFull,
  async ({ page, place, server }) => {
    const folder = join(place.home, "evals");
    mkdirSync(folder);
    writeFileSync(join(folder, "mine.yaml"), "title: My task\nprompt: Write a.txt\ncheck: { answer: [done] }\n");
    writeFileSync(join(folder, "bad.yaml"), "title: Bad\ncheck: { answer: [done] }\n");
    await page.goto(`${server.origin}/settings/evals`);
    await expect(page.getByRole("row", { name: /My task/ }).getByText("yours")).toBeVisible();
    await expect(page.getByText("prompt is missing")).toBeVisible();
  },
);
