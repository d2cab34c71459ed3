/** Replace in the files of a project, in Chromium: by keyboard and pointer, on a desktop and on a phone. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../pages/mime-stage";

const field = (page: Page) => page.getByRole("searchbox", { name: "Search files" });
const replacement = (page: Page) => page.getByRole("textbox", { name: "Replace with" });
const rows = (page: Page) => page.getByRole("tree", { name: "Search results" }).getByRole("treeitem");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the keyboard replaces groups in all files, and one Undo restores them", async ({
  page,
  bench: _bench,
  place,
}) => {
  const file = (name: string) => join(place.project, name);
  const before = "call(one, two)\r\n中文 call(a, b) 😀\r\n";
  await writeFile(file("a.txt"), before);
  await writeFile(file("b.txt"), "call(x, y)\n");
  await page.keyboard.press("Control+Shift+H");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Alt+R");
  await page.keyboard.type("call\\((\\w+), (\\w+)\\)");
  await expect(page.getByText("3 results in 2 files")).toBeVisible();
  // The query has the focus; the shortcut again moves it to the replacement.
  await page.keyboard.press("Control+Shift+H");
  await expect(replacement(page)).toBeFocused();
  await page.keyboard.type("$2.call($1)");
  await expect(rows(page).nth(1).locator("del")).toHaveText("call(one, two)");
  await expect(rows(page).nth(1).locator("ins")).toHaveText("two.call(one)");
  await page.keyboard.press("Control+Shift+Enter");
  await expect(page.getByText("Replaced 3 results in 2 files.")).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  expect(await readFile(file("a.txt"), "utf8")).toBe("two.call(one)\r\n中文 b.call(a) 😀\r\n");
  expect(await readFile(file("b.txt"), "utf8")).toBe("y.call(x)\n");
  await button(page, "Undo").click();
  await expect(page.getByText("Undone: 2 files")).toBeVisible();
  expect(await readFile(file("a.txt"), "utf8")).toBe(before);
  await expect(rows(page)).toHaveCount(5);
});

test("a file with unsaved text and one that changed stay as they are and are named", async ({
  page,
  bench: _bench,
  place,
}) => {
  const names = ["changed.txt", "clean.txt", "draft.txt", "skipped.txt"];
  for (const name of names) await writeFile(join(place.project, name), "needle\n");
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("needle");
  await expect(rows(page)).toHaveCount(8);
  await page.locator("[data-path='draft.txt'][data-line]").click();
  const draft = page.locator("[data-editor='draft.txt'] .cm-content");
  await expect(draft).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" my text");
  await button(page, "Toggle replace").click();
  await replacement(page).fill("thread");
  await rows(page).filter({ hasText: "skipped.txt" }).hover();
  await button(page, "Dismiss skipped.txt").click();
  await writeFile(join(place.project, "changed.txt"), "a line before\nneedle\n");
  await button(page, "Replace all").click();
  await expect(page.getByText("Replaced 1 result in 1 file.")).toBeVisible();
  const unchanged = page.getByRole("list", { name: "Files left as they were" }).getByRole("listitem");
  await expect(unchanged).toHaveText([/draft\.txt has unsaved changes/, /changed\.txt has changed since/]);
  await expect(draft).toContainText("needle my text");
  const read = (name: string) => readFile(join(place.project, name), "utf8");
  expect(await Promise.all(names.map(read))).toEqual(["a line before\nneedle\n", "thread\n", "needle\n", "needle\n"]);
  await page.getByRole("status").getByRole("button", { name: "Search again" }).click();
  await expect(rows(page)).toHaveCount(6);
});

test("a phone replaces one line and undoes it", onlyInFull, async ({ page, bench: _bench, place }) => {
  await writeFile(join(place.project, "notes.txt"), "needle\nneedle\n");
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, "Search").click();
  await field(page).fill("needle");
  await expect(rows(page)).toHaveCount(3);
  await button(page, "Toggle replace").click();
  await replacement(page).fill("thread");
  await rows(page).last().hover();
  await button(page, "Replace in line 2").click();
  await expect(page.getByText("Replaced 1 result in 1 file.")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  expect(await readFile(join(place.project, "notes.txt"), "utf8")).toBe("needle\nthread\n");
  await button(page, "Undo").click();
  await expect(rows(page)).toHaveCount(3);
});
