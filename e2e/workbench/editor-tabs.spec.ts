/** Tabs of the editor: the preview that the next file replaces, and the path above the text. */
import type { Locator, Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";

test.use({
  files: {
    "src/box.ts": "export class Box {\n  open() {\n    return 1;\n  }\n}\n",
    "src/lid.ts": "export const lid = 1;\n",
    "src/deep/pin.ts": "",
    "one.txt": "one\n",
  },
});

const rowIn = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);
const tabs = (page: Page): Locator => page.getByRole("tablist", { name: "Open files" }).locator("..").getByRole("tab");

test.beforeEach(async ({ page }) => {
  await expect(page.locator("[data-connection]").first()).toHaveAttribute("data-connection", "online");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Files" }).first().click();
  await rowIn(page, "src").click();
});

test("a click replaces the preview; a double click, typing and the menu keep a tab", async ({ page }) => {
  await rowIn(page, "one.txt").click();
  await expect(page.getByRole("tab", { name: "one.txt" }).locator(".italic")).toBeVisible();
  await rowIn(page, "src/box.ts").click();
  await expect(tabs(page)).toHaveCount(1);
  await rowIn(page, "src/lid.ts").dblclick();
  await expect(tabs(page)).toHaveCount(1);
  await expect(page.getByRole("tab", { name: "lid.ts" }).locator(".italic")).toHaveCount(0);

  await rowIn(page, "src/box.ts").click();
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", "src/box.ts");
  await expect(page.locator(".cm-content")).toContainText("class Box");
  await page.locator(".cm-content").click();
  await page.keyboard.type("// typed");
  await rowIn(page, "one.txt").click();
  await expect(tabs(page)).toHaveCount(3);
  await page.getByRole("tab", { name: "one.txt" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Keep open" }).click();
  await rowIn(page, "src/deep").click();
  await rowIn(page, "src/deep/pin.ts").click();
  await expect(tabs(page)).toHaveCount(4);

  await page.getByRole("tab", { name: "box.ts" }).click();
  await expect(page.locator(".cm-content")).toContainText("// typed");
  await page.reload();
  await expect(tabs(page)).toHaveCount(4);
  await expect(page.getByRole("tab", { name: "pin.ts" }).locator(".italic")).toBeVisible();
});

test("the path lists what is beside its parts, and the declarations around the caret", onlyInFull, async ({ page }) => {
  await rowIn(page, "src/box.ts").click();
  const path = page.getByRole("navigation", { name: "Path" });
  await page.getByText("return", { exact: true }).click();
  await expect(path.getByRole("button", { name: "Box › open" })).toBeVisible();
  await path.getByRole("button", { name: "Box › open" }).click();
  await page.getByRole("menuitem", { name: "Box" }).click();
  await expect(page.locator("[data-caret]")).toHaveText("Ln 1, Col 1");

  await path.getByRole("button", { name: "box.ts" }).click();
  await page.getByRole("menuitemradio", { name: "lid.ts" }).click();
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", "src/lid.ts");
  await path.getByRole("button", { name: "lid.ts" }).click();
  await page.getByRole("menuitemradio", { name: "deep/" }).click();
  await expect(rowIn(page, "src/deep/pin.ts")).toBeVisible();
});

test("after a tab was closed by its key the focus is in the next one, at last in the message field", async ({
  page,
}) => {
  for (const path of ["one.txt", "src/lid.ts"]) {
    await rowIn(page, path).dblclick();
    await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", path);
  }
  await page.locator(".cm-content").click();
  await page.keyboard.press("Alt+w");
  await expect(tabs(page)).toHaveCount(1);
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("Alt+w");
  await expect(tabs(page)).toHaveCount(0);
  await expect(page.locator("[data-composer] textarea")).toBeFocused();
});

test("unsaved text is there again after the browser ended the tab", async ({ page, context, server }) => {
  await rowIn(page, "src/box.ts").click();
  await page.locator(".cm-content").click();
  await page.keyboard.type("// unsaved");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("// unsaved");
  await page.close({ runBeforeUnload: false });
  const next = await context.newPage();
  await next.goto(server.origin);
  await expect(next.locator(".cm-content")).toContainText("// unsaved");
  await expect(next.getByRole("button", { name: "Save", exact: true })).toBeVisible();
});

test("the menu of a tab closes others, asks about each file with unsaved text, and finds the file", async ({
  page,
}) => {
  const typeInto = async (path: string): Promise<void> => {
    await rowIn(page, path).dblclick();
    await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", path);
    await expect(page.locator(".cm-content")).toBeVisible();
    await page.locator(".cm-content").click();
    await page.keyboard.type("// typed");
    await expect(page.getByRole("tab", { name: /unsaved/i }).and(page.locator(`[data-path="${path}"]`))).toBeVisible();
  };
  const choose = async (tab: string, item: string): Promise<void> => {
    await page.getByRole("tab", { name: tab }).click({ button: "right" });
    await page.getByRole("menuitem", { name: item }).click();
  };
  const question = page.getByRole("dialog", { name: "Save changes?" });
  await rowIn(page, "one.txt").dblclick();
  await typeInto("src/box.ts");
  await typeInto("src/lid.ts");
  await rowIn(page, "src/deep").click();
  await rowIn(page, "src/deep/pin.ts").dblclick();
  await expect(tabs(page)).toHaveCount(4);

  await choose("one.txt", "Close others");
  await expect(question).toContainText("src/box.ts");
  await question.getByRole("button", { name: "Cancel" }).last().click();
  await expect(question).toHaveCount(0);
  await expect(tabs(page)).toHaveCount(3);
  await choose("one.txt", "Close all");
  await expect(question).toContainText("src/box.ts");
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(question).toContainText("src/lid.ts");
  await question.getByRole("button", { name: "Save", exact: true }).click();
  await expect(tabs(page)).toHaveCount(0);

  await rowIn(page, "one.txt").dblclick();
  await rowIn(page, "src").click();
  await rowIn(page, "src").click();
  await choose("one.txt", "Show in file tree");
  await expect(rowIn(page, "one.txt")).toHaveAttribute("aria-selected", "true");
});
