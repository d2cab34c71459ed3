/** Text files that are too large to edit: read-only, in pieces. */
import { appendFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { expectDrawn } from "../pages/open-file";

const lines = 400_000;
const lineOf = (index: number): string => `line ${index} 漢字 €`;

test.use({
  files: {
    "large.log": `${Array.from({ length: lines }, (_, index) => lineOf(index + 1)).join("\n")}\n`,
    "one-line.txt": "漢字🙂 ".repeat(4_000_000),
    "limit.txt": "漢\r\n".repeat(1_000_000),
    "large.bin": `\0${"x".repeat(6_000_000)}`,
  },
});

async function openLarge(page: Page, name: string): Promise<void> {
  await expectDrawn(page);
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await page.keyboard.press("Enter");
}

const scrollTo = (page: Page, place: "top" | "bottom"): Promise<void> =>
  page.locator(".cm-scroller").evaluate((element, at) => {
    element.scrollTop = at === "top" ? 0 : element.scrollHeight;
  }, place);
const loadedHeight = (page: Page): Promise<number> =>
  page.locator(".cm-scroller").evaluate((element) => element.scrollHeight);

test("a large file is read by scrolling and jumping, and a change on disk is reported", async ({ page, project }) => {
  await openLarge(page, "large.log");
  const text = page.locator(".cm-content");
  await expect(page.getByText("This file is read-only because of its size")).toBeVisible();
  await expect(text).toContainText(lineOf(1));
  await expect(text).toBeFocused();
  await page.keyboard.type("typed");
  await expect(text).not.toContainText("typed");

  const first = await loadedHeight(page);
  const height: number[] = [];
  for (let step = 0; step < 12; step += 1) {
    const before = await page.locator(".cm-line").last().textContent();
    // The editor may put back a position that was set while it places a loaded part; a reader scrolls again.
    await expect(async () => {
      await scrollTo(page, "bottom");
      await expect(page.locator(".cm-line").last()).not.toHaveText(before ?? "", { timeout: 1_000 });
    }).toPass();
    height.push(await loadedHeight(page));
  }
  expect(Math.max(...height)).toBeLessThan(8 * first);
  await expect(async () => {
    const numbered = await readNumberedLine(page);
    expect(Number(numbered.number)).toBeGreaterThan(50_000);
    expect(numbered.line).toBe(lineOf(Number(numbered.number)));
  }).toPass();

  await page.keyboard.press("Control+End");
  await expect(text).toContainText(lineOf(lines));
  const last = await page.locator(".cm-line").nth(3).textContent();
  await scrollTo(page, "top");
  await expect(page.locator(".cm-line").first()).not.toHaveText(last ?? "");
  await page.getByRole("button", { name: "Go to start" }).click();
  await expect(text).toContainText(lineOf(1));
  await expect(text).toBeFocused();
  await page.getByRole("button", { name: "Go to end" }).click();
  await expect(text).toContainText(lineOf(lines));

  await appendFile(join(project, "large.log"), "one more line\n");
  await expect(page.getByText("This file changed on disk.")).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText("This file changed on disk.")).toHaveCount(0);
  await page.keyboard.press("Control+End");
  await expect(text).toContainText("one more line");
});

/** Returns the first line below the top of the page with the number beside it, which is drawn a frame later. */
const readNumberedLine = (page: Page) =>
  page.evaluate(() => {
    const line = [...document.querySelectorAll(".cm-line")].find((element) => {
      const { top } = element.getBoundingClientRect();
      return top > 300;
    });
    const top = line?.getBoundingClientRect().top ?? 0;
    const number = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find(
      (element) => Math.abs(element.getBoundingClientRect().top - top) < 2,
    );
    return { line: line?.textContent, number: number?.textContent };
  });

/** Drags on the scroll bar between two places, shares of its height. */
async function drag(page: Page, bar: Locator, from: number, to: number): Promise<void> {
  const box = await bar.boundingBox();
  if (box === null) throw new Error("The scroll bar is not visible.");
  const x = box.x + box.width / 2;
  await page.mouse.move(x, box.y + box.height * from);
  await page.mouse.down();
  await page.mouse.move(x, box.y + box.height * to, { steps: 5 });
  await page.mouse.up();
}

const firstVisibleNumber = (page: Page): Promise<number> =>
  page.locator(".cm-scroller").evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const line = [...element.querySelectorAll(".cm-line")].find((one) => one.getBoundingClientRect().bottom > top + 1);
    return Number(/line (\d+)/.exec(line?.textContent ?? "")?.[1]);
  });

test("Ctrl+F in a large file searches that file", onlyInFull, async ({ page }) => {
  await openLarge(page, "large.log");
  const text = page.locator(".cm-content");
  await expect(text).toContainText(lineOf(1));
  await expect(text).toBeFocused();
  await page.keyboard.press("Control+f");
  const query = page.getByRole("searchbox", { name: "Search files" });
  await expect(query).toBeFocused();
  await page.keyboard.type(lineOf(lines));
  await expect(page.getByRole("treeitem").filter({ hasText: lineOf(lines) })).toHaveCount(1);
  await expect(page.getByRole("group", { name: "Only in" })).toContainText("large.log");
  await page.getByRole("button", { name: "Find in this file" }).click();
  await expect(query).toBeFocused();
  await page.getByRole("button", { name: "Search all files" }).click();
  await expect(page.getByRole("group", { name: "Only in" })).toHaveCount(0);
  await expect(query).toBeFocused();
});

test(
  "the scroll bar moves through the whole file, and the text around the place is loaded",
  onlyInFull,
  async ({ page }) => {
    await openLarge(page, "large.log");
    const bar = page.getByRole("scrollbar", { name: "Position in the file" });
    const text = page.locator(".cm-content");
    await expect(text).toContainText(lineOf(1));
    await expect(bar).toHaveAttribute("aria-valuenow", "0");
    await drag(page, bar, 0.5, 0.5);
    await expect(bar).toHaveAttribute("aria-valuenow", "50");
    await expect.poll(() => firstVisibleNumber(page)).toBeGreaterThan(190_000);
    await expect.poll(() => firstVisibleNumber(page)).toBeLessThan(215_000);
    // Text that is loaded above the place moves it until the scroll position is corrected.
    let before = 0;
    await expect
      .poll(async () => {
        const previous = before;
        before = await firstVisibleNumber(page);
        return before - previous;
      })
      .toBe(0);
    await page.locator(".cm-scroller").hover();
    const lineHeight = await page
      .locator(".cm-line")
      .first()
      .evaluate((line) => line.getBoundingClientRect().height);
    await page.mouse.wheel(0, -20 * lineHeight);
    await expect.poll(() => firstVisibleNumber(page)).toBe(before - 20);
    await drag(page, bar, 0.5, 1.2);
    await expect(bar).toHaveAttribute("aria-valuenow", "100");
    await expect(text).toContainText(lineOf(lines));
    await drag(page, bar, 0.99, -0.2);
    await expect(bar).toHaveAttribute("aria-valuenow", "0");
    await expect(text).toContainText(lineOf(1));
    await page.keyboard.press("PageDown");
    await expect.poll(() => firstVisibleNumber(page)).toBeGreaterThan(20);
  },
);

test(
  "a file that shrinks, grows or vanishes while it is open is shown as it is",
  onlyInFull,
  async ({ page, project }) => {
    const path = join(project, "large.log");
    await openLarge(page, "large.log");
    await expect(page.locator(".cm-content")).toContainText(lineOf(1));
    await truncate(path, 6_000_000);
    await expect(page.getByText("This file changed on disk.")).toBeVisible();
    await truncate(path, 3_000);
    await expect(page.getByText("This file is read-only because of its size")).toHaveCount(0);
    await expect(page.locator(".cm-content")).toContainText(lineOf(1));
    await appendFile(path, "more\n".repeat(1_500_000));
    await expect(page.getByText("This file is read-only because of its size")).toBeVisible();
    await expect(page.locator(".cm-content")).toContainText(lineOf(1));
    await rm(path);
    await expect(page.getByText("Not found.")).toBeVisible();
  },
);

test("a file of exactly 5 MB can be edited", onlyInFull, async ({ page }) => {
  await openLarge(page, "limit.txt");
  await page.locator(".cm-content").press("Control+End");
  await page.keyboard.type("typed");
  await expect(page.locator(".cm-content")).toContainText("typed");
});

test("one line of 50 MB does not block the page, and no character is cut", async ({ page }) => {
  await openLarge(page, "one-line.txt");
  const text = page.locator(".cm-content");
  await expect(text).toContainText("漢字🙂 漢字🙂");
  for (let step = 0; step < 4; step += 1) {
    await scrollTo(page, "bottom");
    await expect.poll(() => page.evaluate(() => 1)).toBe(1);
  }
  await page.getByRole("button", { name: "Go to end" }).click();
  await expect(text).toContainText("漢字🙂 漢字🙂");
  expect(await text.textContent()).not.toContain("\ufffd");
});

test("a large file that is no text is refused", onlyInFull, async ({ page }) => {
  await openLarge(page, "large.bin");
  await expect(page.getByText("Too large.")).toBeVisible();
});
