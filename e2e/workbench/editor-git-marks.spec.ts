/** Marks of lines that differ from the last git commit, and reverting them, in a trusted folder only. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { openFileByName } from "../pages/open-file";

test.use({ files: { "a.txt": "one\ntwo\nthree\nfour\n" } });

const lines = (page: Page) => page.locator(".cm-line");
const peek = (page: Page) => page.getByRole("region", { name: "In the last commit" });

function commitAll(project: string): void {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: project, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
}

async function openFile(page: Page): Promise<void> {
  await page.reload();
  await openFileByName(page, "a.txt");
}

test("changed lines are marked; the committed lines are shown and restored", async ({ page, project, server }) => {
  commitAll(project);
  await trustProject(server);
  await writeFile(join(project, "a.txt"), "one\nTWO\nthree\n");
  await openFile(page);
  await expect(page.locator(".cm-change-changed")).toHaveCount(1);
  await expect(page.locator(".cm-change-deleted")).toHaveCount(1);

  await page.keyboard.press("Control+Home");
  await page.keyboard.type("zero\n");
  await expect(page.locator(".cm-change-added")).toHaveCount(1);

  await page.locator(".cm-change-changed").click();
  await expect(peek(page).locator("pre")).toHaveText("two");
  await peek(page).getByRole("button", { name: "Revert this change" }).click();
  await expect(lines(page)).toHaveText(["zero", "one", "two", "three", ""]);
  await expect(peek(page)).toHaveCount(0);
  await expect(page.locator(".cm-change-changed")).toHaveCount(0);

  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Alt+F3");
  await expect(peek(page).locator("pre")).toHaveText("four");
  await page.keyboard.press("Escape");
  await expect(peek(page)).toHaveCount(0);
  await page.locator(".cm-change-deleted").click();
  await page.getByRole("button", { name: "Revert this change" }).click();
  await expect(lines(page)).toHaveText(["zero", "one", "two", "three", "four", ""]);
  await page.keyboard.press("Control+z");
  await expect(lines(page)).toHaveText(["zero", "one", "two", "three", ""]);
  expect(await readFile(join(project, "a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
});

test("an untrusted folder has no marks", onlyInFull, async ({ page, project }) => {
  commitAll(project);
  await writeFile(join(project, "a.txt"), "other\n");
  await openFile(page);
  await expect(lines(page).first()).toHaveText("other");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("x");
  await expect(lines(page)).toHaveText(["other", "x"]);
  await expect(page.locator(".cm-change-changed, .cm-change-added")).toHaveCount(0);
});
