/** Quick open in Chromium: files, lines and symbols, by keyboard, by pointer and on a phone. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../pages/mime-stage";
import { uiNames } from "../pages/ui-names";

const field = (page: Page) => page.getByRole("combobox", { name: uiNames.quickOpenField });
const rows = (page: Page) => page.getByRole("option");
const editor = (page: Page) => page.locator("[data-editor]");

test.beforeEach(async ({ place, bench: _bench }) => {
  await mkdir(join(place.project, "src", "deep"), { recursive: true });
  await writeFile(
    join(place.project, "src", "deep", "quick-open.py"),
    "# first\n\n\ndef load(path):\n    return path\n",
  );
  await writeFile(join(place.project, "文档.md"), "# 标题\n");
});

test("a few letters and a line open a file there; it is the first one the next time", async ({ page }) => {
  await page.keyboard.press("Control+p");
  await field(page).pressSequentially("qo:4");
  await expect(rows(page).first()).toContainText("quick-open.py");
  await page.keyboard.press("Enter");
  await expect(editor(page)).toHaveAttribute("data-editor", "src/deep/quick-open.py");
  await expect(editor(page).locator(".cm-activeLine")).toHaveText("def load(path):");

  await page.keyboard.press("Control+p");
  await field(page).fill("wd");
  await expect(rows(page).first()).toContainText("文档.md");
  await page.keyboard.press("Enter");
  await expect(editor(page)).toHaveAttribute("data-editor", "文档.md");
  // The focus is in the file, so that text typed next goes into it.
  await expect(editor(page).locator(".cm-content")).toBeFocused();

  await page.keyboard.press("Control+p");
  await expect(rows(page).first()).toContainText("quick-open.py");
  await page.keyboard.press("Enter");
  await expect(editor(page)).toHaveAttribute("data-editor", "src/deep/quick-open.py");
});

test("a file created after the first search is found", onlyInFull, async ({ page, place }) => {
  await page.keyboard.press("Control+p");
  await field(page).fill("brandnew");
  await expect(page.getByText(uiNames.noMatches)).toBeVisible();
  await page.keyboard.press("Escape");
  await writeFile(join(place.project, "src", "brandnew.py"), "");
  await page.keyboard.press("Control+p");
  await field(page).fill("brandnew");
  await expect(rows(page).first()).toContainText("brandnew.py");
});

test("symbols of the open file, and the palette of everything with files", async ({ page }) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("quick-open");
  await rows(page).filter({ hasText: "quick-open.py" }).click();
  await expect(editor(page)).toHaveAttribute("data-editor", "src/deep/quick-open.py");
  await expect(editor(page).locator(".cm-line").first()).toHaveText("# first");
  await page.keyboard.press("Control+p");
  await field(page).fill("@lo");
  await expect(rows(page)).toHaveText([/load/]);
  await page.keyboard.press("Enter");
  await expect(editor(page).locator(".cm-activeLine")).toHaveText("def load(path):");
});

test("the keys of VS Code list the symbols of the open file and the commands, from within the editor", async ({
  page,
}) => {
  await page.keyboard.press("Control+p");
  await field(page).fill("quick-open.py");
  await page.keyboard.press("Enter");
  await expect(editor(page).locator(".cm-content")).toBeFocused();
  await page.keyboard.press("Control+Shift+O");
  await expect(field(page)).toHaveValue("@");
  await page.keyboard.type("lo");
  await expect(rows(page)).toHaveText([/load/]);
  await page.keyboard.press("Enter");
  await expect(editor(page).locator(".cm-activeLine")).toHaveText("def load(path):");
  await page.keyboard.press("Control+Shift+P");
  await expect(page.getByRole("combobox")).toHaveValue(">");
  await expect(rows(page).filter({ hasText: "Go to symbol" })).toContainText("Ctrl+Shift+O");
  await expect(rows(page).filter({ hasText: "quick-open.py" })).toHaveCount(0);
});

test("on a phone the Files tab has a button for it", onlyInFull, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: uiNames.files, exact: true }).click();
  await page.getByRole("button", { name: uiNames.quickOpen }).click();
  await field(page).fill("quick");
  await expect(rows(page).first()).toContainText("quick-open.py");
  await rows(page).first().click();
  await expect(editor(page)).toHaveAttribute("data-editor", "src/deep/quick-open.py");
});

test(
  "the status bar shows where the caret is, and changes the line endings of the file",
  onlyInFull,
  async ({ page, place }) => {
    await page.keyboard.press("Control+p");
    await field(page).fill("quick-open.py");
    await expect(rows(page).first()).toContainText("quick-open.py");
    await page.keyboard.press("Enter");
    await expect(editor(page).locator(".cm-line").first()).toHaveText("# first");
    await editor(page).locator(".cm-line", { hasText: "def load" }).click();
    await page.keyboard.press("Home");
    await expect(page.locator("[data-caret]")).toHaveText("Ln 4, Col 1");
    await page.keyboard.press("Shift+ArrowRight");
    await expect(page.locator("[data-caret]")).toHaveText("Ln 4, Col 2 (1 character selected)");
    await page.getByRole("button", { name: "LF", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "CRLF" }).click();
    await page.keyboard.press("Control+s");
    const file = join(place.project, "src", "deep", "quick-open.py");
    await expect.poll(() => readFile(file, "utf8")).toBe("# first\r\n\r\n\r\ndef load(path):\r\n    return path\r\n");
  },
);
