/** Search in the files of a project, in Chromium: by keyboard and pointer, on a desktop and on a phone. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../pages/mime-stage";

const field = (page: Page) => page.getByRole("searchbox", { name: "Search files" });
const results = (page: Page) => page.getByRole("tree", { name: "Search results" });
const lines = (page: Page) => results(page).locator("[data-line]");

test("the keyboard finds a line and opens it with the match selected", async ({ page, bench: _bench, place }) => {
  await writeFile(join(place.project, "notes.txt"), "one\n  中文 😀 needle here\n");
  // The pane takes what is typed before it is drawn.
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("needle");
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue("needle");
  await expect(page.getByText("1 result in 1 file")).toBeVisible();
  await expect(lines(page).locator("mark")).toHaveText("needle");
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  const editor = page.locator("[data-editor='notes.txt']");
  await expect(editor.locator(".cm-content")).toBeFocused();
  await expect.poll(() => page.evaluate("String(getSelection())")).toBe("needle");
  // The selected text is the next query, and the results are there again after another pane was shown.
  await page.keyboard.press("Control+Shift+E");
  await expect(results(page)).toHaveCount(0);
  await page.keyboard.press("Control+Shift+F");
  await expect(field(page)).toHaveValue("needle");
  await expect(lines(page)).toHaveCount(1);
});

test(
  "context lines surround the results and open the file, also of a legacy encoding",
  onlyInFull,
  async ({ page, bench: _bench, place }) => {
    // "中文中文…" in GBK.
    const chinese = Buffer.concat(Array.from({ length: 12 }, () => Buffer.from([0xd6, 0xd0, 0xce, 0xc4])));
    const ascii = (text: string): Buffer => Buffer.from(text, "latin1");
    const content = [ascii("before\n"), chinese, ascii(" needle\nafter\n"), chinese, ascii("\n")];
    await writeFile(join(place.project, "gbk.txt"), Buffer.concat(content));
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("needle");
    await expect(lines(page)).toHaveText([/文 needle/]);
    await expect(results(page).locator("[data-context]")).toHaveCount(0);
    await page.getByLabel("Context lines").selectOption("1");
    await expect(results(page).locator("[data-context]")).toHaveCount(2);
    await expect(lines(page).locator("mark")).toHaveText("needle");
    await lines(page).click();
    const editor = page.locator("[data-editor='gbk.txt']");
    await expect(editor).toContainText("中文");
    await expect.poll(() => page.evaluate("String(getSelection())")).toBe("needle");
    await results(page).locator("[data-context]").last().click();
    await expect(page.locator("[data-caret]")).toHaveText("Ln 3, Col 1");
  },
);

test(
  "a project of 20,000 files stays responsive while it is searched",
  onlyInFull,
  async ({ page, bench: _bench, place }) => {
    for (let folder = 0; folder < 100; folder += 1) {
      const path = join(place.project, `many/${folder}`);
      await mkdir(path, { recursive: true });
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => writeFile(join(path, `f${index}.txt`), "a common word\n")),
      );
    }
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("common");
    await expect(page.getByText("Only the first 10,000 lines are listed.")).toBeVisible();
    await expect.poll(() => lines(page).count()).toBeGreaterThan(5);
    // Rows outside the view are not in the page.
    await expect.poll(() => lines(page).count()).toBeLessThan(100);
    await field(page).fill("nowhere to be found");
    await expect(page.getByText("No results")).toBeVisible();
    await expect(lines(page)).toHaveCount(0);
  },
);

test("a phone searches in a tab of its own and shows the file", onlyInFull, async ({ page, bench: _bench, place }) => {
  await writeFile(join(place.project, "notes.txt"), "needle\n");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await field(page).fill("needle");
  await lines(page).click();
  await expect(page.locator("[data-editor='notes.txt']")).toBeVisible();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(lines(page)).toHaveCount(1);
});
