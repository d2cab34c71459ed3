/** The split editor: two groups side by side, by keyboard and pointer; one at a time where there is no room. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";

test.use({
  viewport: { width: 1440, height: 900 },
  files: {
    "one.txt": `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join("\n")}\n`,
    "two.txt": "two\n",
    "notes.md": "# Notes\n",
    "large.txt": "a line of the large file\n".repeat(180_000),
  },
});

const left = (page: Page): Locator => page.getByRole("region", { name: "Left editor group" });
const right = (page: Page): Locator => page.getByRole("region", { name: "Right editor group" });
const tabsOf = (group: Locator): Locator => group.getByRole("tab");
const textOf = (group: Locator): Locator => group.locator(".cm-content");
const rowIn = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);
const labelsOf = (group: Locator): Locator => tabsOf(group).locator(".cut");

test.beforeEach(async ({ page }) => {
  await expect(page.locator("[data-connection]").first()).toHaveAttribute("data-connection", "online");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Alt+2");
  await rowIn(page, "one.txt").dblclick();
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", "one.txt");
});

test("by keyboard: split, edit in both, undo, focus the other group, close the group", async ({ page, project }) => {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+\\");
  await expect(textOf(right(page))).toBeFocused();
  await page.keyboard.type("AB");
  await expect(textOf(left(page))).toContainText("ABline 1");
  await expect(page.locator("[data-caret]")).toHaveText("Ln 1, Col 3");

  await page.keyboard.press("Alt+g");
  await expect(textOf(left(page))).toBeFocused();
  await expect(page.locator("[data-caret]")).toHaveText("Ln 1, Col 1");
  await page.keyboard.press("Control+End");
  await expect(page.locator("[data-caret]")).toHaveText("Ln 201, Col 1");
  await page.keyboard.type("end");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(page.locator("[data-caret]")).toHaveText("Ln 1, Col 1");
  await expect(textOf(right(page))).not.toContainText("ABline");
  await page.keyboard.press("Control+y");
  await expect(textOf(right(page))).toContainText("ABline 1");

  // The file stays open in the other group: nothing is asked.
  for (const group of [left(page), right(page)])
    await expect(tabsOf(group).filter({ hasText: "unsaved" })).toHaveCount(1);
  await page.keyboard.press("Alt+g");
  await page.keyboard.press("Alt+w");
  await expect(right(page)).toHaveCount(0);
  await expect(page.locator(".cm-content")).toBeFocused();
  await expect(page.locator(".cm-content")).toContainText("ABline 1");
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFileSync(join(project, "one.txt"), "utf8")).toMatch(/^ABline 1\n/);
});

test(
  "the focused group receives opened files; a reload restores both groups and unsaved text",
  onlyInFull,
  async ({ page }) => {
    await page.getByRole("button", { name: "Split right" }).click();
    await rowIn(page, "two.txt").click();
    await expect(right(page).getByRole("tab", { name: "two.txt" })).toHaveAttribute("aria-selected", "true");
    await expect(tabsOf(left(page))).toHaveCount(1);
    await textOf(left(page)).click();
    await page.keyboard.press("Control+p");
    await page.getByRole("combobox").fill("notes");
    await expect(page.getByRole("option").first()).toContainText("notes.md");
    await page.keyboard.press("Enter");
    await expect(left(page).getByRole("tab", { name: "notes.md" })).toHaveAttribute("aria-selected", "true");
    await textOf(left(page)).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("unsaved text");
    await page.reload();
    await expect(textOf(left(page))).toContainText("unsaved text");
    await expect(textOf(right(page))).toContainText("two");
    await expect(labelsOf(left(page))).toHaveText(["one.txt", "notes.md"]);
    await expect(labelsOf(right(page))).toHaveText(["one.txt", "two.txt"]);
  },
);

test("a tab is moved by its menu and by dragging; dragging to the right half splits", onlyInFull, async ({ page }) => {
  await rowIn(page, "two.txt").dblclick();
  const tabNamed = (name: string): Locator => page.getByRole("tab", { name });
  await expect(tabNamed("two.txt")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".cm-content")).toContainText("two");
  const box = await page.locator("[data-editor]").boundingBox();
  if (box === null) throw new Error("The editor is not shown.");
  await tabNamed("two.txt").dragTo(page.locator("[data-editor]"), { targetPosition: { x: box.width - 40, y: 100 } });
  await expect(textOf(right(page))).toContainText("two");
  await expect(labelsOf(left(page))).toHaveText(["one.txt"]);

  await left(page).getByRole("tab", { name: "one.txt" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move to other group" }).click();
  await expect(left(page)).toHaveCount(0);
  await expect(tabsOf(page.locator("[data-group]"))).toHaveCount(2);

  await tabNamed("two.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Split right" }).click();
  await expect(tabsOf(left(page))).toHaveCount(2);
  await left(page)
    .getByRole("tab", { name: "one.txt" })
    .dragTo(textOf(right(page)));
  await expect(tabsOf(left(page))).toHaveCount(1);
  await expect(right(page).getByRole("tab", { name: "one.txt" })).toHaveAttribute("aria-selected", "true");
  await expect(textOf(right(page))).toContainText("line 1");
});

test("both groups follow the disk: a conflict, a renamed and a deleted file", async ({ page, project }) => {
  await page.getByRole("button", { name: "Split right" }).click();
  await textOf(right(page)).click();
  await page.keyboard.type("typed ");
  writeFileSync(join(project, "one.txt"), "from disk\n");
  for (const group of [left(page), right(page)])
    await expect(group.getByText("This file changed on disk while you were editing.")).toBeVisible();
  await left(page).getByRole("button", { name: "Use disk version" }).click();
  for (const group of [left(page), right(page)]) await expect(textOf(group)).toHaveText("from disk");
  await expect(page.getByText("This file changed on disk while you were editing.")).toHaveCount(0);

  await rowIn(page, "one.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Rename" }).fill("three.txt");
  await page.keyboard.press("Enter");
  for (const group of [left(page), right(page)]) {
    await expect(tabsOf(group).filter({ hasText: "three.txt" })).toHaveCount(1);
    await expect(textOf(group)).toHaveText("from disk");
  }
  renameSync(join(project, "three.txt"), join(project, "gone.txt"));
  for (const group of [left(page), right(page)])
    await expect(group.getByText("This file was deleted on disk. Your text is still here.")).toBeVisible();
});

test(
  "the separator resizes by pointer and keyboard; the preview of a file follows its text",
  onlyInFull,
  async ({ page }) => {
    await rowIn(page, "notes.md").click();
    await expect(page.locator(".cm-content")).toContainText("Notes");
    await page.keyboard.press("Control+\\");
    await expect(textOf(right(page))).toBeFocused();
    await page.keyboard.press("Control+Shift+v");
    await expect(right(page).getByRole("heading", { name: "Notes" })).toBeVisible();
    await textOf(left(page)).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# Second");
    await expect(right(page).getByRole("heading", { name: "Second" })).toBeVisible();

    const separator = page.getByRole("separator", { name: "Resize editor groups" });
    const valueNow = async (): Promise<number> => Number(await separator.getAttribute("aria-valuenow"));
    const before = await valueNow();
    await separator.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(valueNow).toBe(before + 16);
    await page.keyboard.press("Enter");
    await expect.poll(valueNow).toBe(before);
  },
);

test("a split while the file is being read moves the focus to the new group", onlyInFull, async ({ page }) => {
  await rowIn(page, "large.txt").dblclick();
  await page.keyboard.press("Control+\\");
  await expect(textOf(right(page))).toContainText("a line of the large file");
  await expect(textOf(right(page))).toBeFocused();
  await page.keyboard.type("typed ");
  await expect(textOf(right(page))).toContainText("typed a line");
});

test("a find panel belongs to its group", onlyInFull, async ({ page }) => {
  await page.getByRole("button", { name: "Split right" }).click();
  for (const [group, query, found] of [
    [left(page), "line 20", "of 2"],
    [right(page), "line 200", "of 1"],
  ] as const) {
    await textOf(group).click();
    await page.keyboard.press("Control+f");
    await group.getByRole("textbox", { name: "Find" }).fill(query);
    await expect(group.getByRole("status")).toContainText(found);
  }
});

test("a narrow editor shows the focused group, and the other one on request", onlyInFull, async ({ page }) => {
  await page.getByRole("button", { name: "Split right" }).click();
  await rowIn(page, "two.txt").click();
  await page.setViewportSize({ width: 900, height: 800 });
  await expect(left(page)).toHaveCount(0);
  await expect(textOf(right(page))).toContainText("two");
  await page.getByRole("button", { name: "Show other group" }).click();
  await expect(textOf(left(page))).toContainText("line 1");
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(textOf(right(page))).toContainText("two");
  await expect(textOf(left(page))).toContainText("line 1");
});

test.describe("on a phone", () => {
  test("one group is shown at a time", onlyInFull, async ({ page }) => {
    await page.getByRole("button", { name: "Split right" }).click();
    await rowIn(page, "two.txt").click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("navigation", { name: "Side panels" }).getByRole("button", { name: "Files" }).click();
    await expect(textOf(right(page))).toContainText("two");
    await page.getByRole("button", { name: "Show other group" }).click();
    await expect(textOf(left(page))).toContainText("line 1");
    await page.getByRole("button", { name: "Close one.txt" }).click();
    await expect(page.locator(".cm-content")).toContainText("two");
    await expect(page.getByRole("button", { name: "Show other group" })).toHaveCount(0);
  });
});
