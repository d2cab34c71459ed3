/** Find and replace in the editor, going to a line, words of open files, and several carets. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { openFileByName } from "../pages/open-file";
import { expect, test } from "../fixtures/test";

test.use({
  files: {
    "a.ts": "const one = 1;\nconst two = one + One;\nconst someone = two;\n",
    "b.ts": "const fromAnotherFile = 1;\n",
  },
});

const field = (page: Page) => page.getByRole("textbox", { name: "Find", exact: true });
const status = (page: Page) => page.getByRole("search").getByRole("status");

test("matches are counted as one types, found with Enter, and replaced", async ({ page, project }) => {
  await openFileByName(page, "a.ts");
  await page.keyboard.press("Control+f");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("one");
  await expect(status(page)).toHaveText("1 of 4");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText("2 of 4");
  await page.keyboard.press("Shift+Enter");
  await expect(status(page)).toHaveText("1 of 4");
  await page.keyboard.press("Alt+c");
  await expect(status(page)).toHaveText("1 of 3");
  await page.getByRole("button", { name: "Whole words" }).click();
  await expect(status(page)).toHaveText("1 of 2");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await field(page).fill("(");
  await expect(status(page)).toHaveText("Not a valid regular expression");
  await field(page).fill("(o)ne");
  await expect(status(page)).toHaveText("1 of 2");

  await page.keyboard.press("Control+h");
  await page.getByRole("textbox", { name: "Replace" }).fill("$1nly");
  await page.getByRole("button", { name: "Replace all" }).click();
  await expect(status(page)).toHaveText("No matches");
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("Control+s");
  const text = () => readFile(join(project, "a.ts"), "utf8");
  await expect.poll(text).toBe("const only = 1;\nconst two = only + One;\nconst someone = two;\n");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+s");
  await expect.poll(text).toContain("const one = 1;");
});

test.describe("an expression that needs exponential time", () => {
  test.use({ files: { "hostile.txt": `${"a".repeat(60)}!\n${"b ".repeat(200)}\nand a tail\n` } });

  test("is ended with a sentence, and the page stays usable", onlyInFull, async ({ page, project }) => {
    await openFileByName(page, "hostile.txt");
    await page.keyboard.press("Control+h");
    await page.getByRole("button", { name: "Regular expression" }).click();
    await field(page).fill("(a+)+$");
    // The field takes keys and the text can be edited while the search runs.
    await page.getByRole("textbox", { name: "Replace" }).fill("x");
    await expect(status(page)).toHaveText("The expression takes too long. Make it simpler.");
    for (const name of ["Next match", "Previous match", "Select all matches", "Replace all"])
      await page.getByRole("button", { name, exact: true }).click();
    await expect(status(page)).toHaveText("The expression takes too long. Make it simpler.");
    await field(page).fill("b ");
    await expect(status(page)).toHaveText("1 of 200");
    await page.getByRole("button", { name: "Replace", exact: true }).last().click();
    await expect(status(page)).toHaveText("1 of 199");
    await page.getByRole("button", { name: "Replace all" }).click();
    await expect(status(page)).toHaveText("No matches");
    await page.keyboard.press("Control+s");
    const text = () => readFile(join(project, "hostile.txt"), "utf8");
    await expect.poll(text).toBe(`${"a".repeat(60)}!\n${"x".repeat(200)}\nand a tail\n`);
    // The keys of the text do not run it in the page either.
    await field(page).fill("(a+)+$");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("F3");
    await page.keyboard.press("Control+f");
    await expect(status(page)).toHaveText("The expression takes too long. Make it simpler.");
  });
});

test("a line is reached with a key and with a click on the caret", onlyInFull, async ({ page }) => {
  await openFileByName(page, "a.ts");
  await page.keyboard.press("Control+g");
  await expect(page.getByRole("combobox")).toHaveValue(":");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("3:5");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-caret]")).toHaveText("Ln 3, Col 5");
  await page.locator("[data-caret]").click();
  await expect(page.getByRole("combobox")).toHaveValue(":");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-caret]")).toHaveText("Ln 2, Col 1");
});

test("words of other open files are offered, and several carets type at once", onlyInFull, async ({ page }) => {
  await openFileByName(page, "b.ts");
  await page.getByRole("tab", { name: "b.ts" }).dblclick();
  await openFileByName(page, "a.ts");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("fromA");
  // The list takes no key for its first moment.
  await page.locator(".cm-tooltip-autocomplete").getByRole("option", { name: "fromAnotherFile" }).click();
  await expect(page.locator(".cm-line").nth(3)).toHaveText("fromAnotherFile");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+Alt+ArrowDown");
  await expect(page.locator("[data-caret]")).toHaveText("2 cursors");
  await page.keyboard.type("x");
  await expect(page.locator(".cm-line").nth(1)).toHaveText(/^xconst two/);
});

test("a message of the page is above the find panel", onlyInFull, async ({ page }) => {
  await openFileByName(page, "a.ts");
  await page.keyboard.press("Control+\\");
  const message = page.getByText(/^The editor is too narrow to split/);
  await expect(message).toBeVisible();
  await page.keyboard.press("Control+h");
  await expect(field(page)).toBeVisible();
  const panel = await page.locator(".cm-panels").boundingBox();
  // The upper edge of the panel, where the message crosses it.
  await expect
    .poll(() =>
      message.evaluate((element, top) => {
        const { left, right, bottom } = element.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, Math.min(top, bottom) + 1);
        return { overlaps: bottom > top, isInFront: element === at || element.parentElement === at };
      }, panel?.y ?? 0),
    )
    .toEqual({ overlaps: true, isInFront: true });
});
