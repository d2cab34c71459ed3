/** Settings of the editor and `.editorconfig`, which apply to an open file at once. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { openFileByName } from "../pages/open-file";
import { expect, test } from "../fixtures/test";

const content = (page: Page) => page.locator(".cm-content");

test.use({
  hasOwnServer: true,
  files: {
    ".editorconfig": "root = true\n[*.py]\nindent_size = 3\ntrim_trailing_whitespace = true\nmax_line_length = 40\n",
    "a.py": "def f():\n  return 1\n",
    "long.txt": `${"word ".repeat(200)}\n\tx\n`,
  },
});

test("an .editorconfig sets indentation, ruler and cleaning of a file, also when it changes", async ({
  page,
  project,
}) => {
  await openFileByName(page, "a.py");
  await expect(page.getByRole("button", { name: "Spaces: 3" })).toBeVisible();
  await expect(content(page)).toHaveClass(/cm-ruler/);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("if x:   \n");
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFile(join(project, "a.py"), "utf8")).toBe("def f():\n  return 1\nif x:\n");

  await writeFile(join(project, ".editorconfig"), "[*.py]\nindent_style = tab\n");
  await expect(page.getByRole("button", { name: "Tabs" })).toBeVisible();
  await expect(content(page)).not.toHaveClass(/cm-ruler/);
});

test("a change of the settings applies to the open file", onlyInFull, async ({ page, place }) => {
  await openFileByName(page, "long.txt");
  const size = () => content(page).evaluate((element) => getComputedStyle(element).fontSize);
  await expect.poll(size).toBe("13px");
  await expect(content(page)).not.toHaveClass(/cm-lineWrapping/);
  await writeFile(
    join(place.home, "config.yaml"),
    "editor:\n  font_size: 20\n  wrap_lines: true\n  rulers: [30, 60]\n  whitespace: all\n",
  );
  await expect.poll(size).toBe("20px");
  await expect(content(page)).toHaveClass(/cm-lineWrapping/);
  await expect(content(page)).toHaveClass(/cm-ruler/);
  await expect(page.locator(".cm-highlightTab")).toHaveCount(1);
  // The caret is at the height of its line.
  const caret = page.locator(".cm-cursor").first();
  await expect.poll(() => caret.evaluate((element) => element.getBoundingClientRect().height)).toBeGreaterThan(16);
});

test("a file is saved a second after the last key, and the undo history stays", async ({
  page,
  place,
  project,
  server,
}) => {
  await page.goto(`${server.origin}/settings/editor`);
  await page.getByText("After a second").click();
  await page.getByRole("switch", { name: "End with a line break" }).click();
  await expect
    .poll(() => readFile(join(place.home, "config.yaml"), "utf8").catch(() => ""))
    .toMatch(/autosave: delay[^]*insert_final_newline: true/);
  await page.goto(server.origin);
  await openFileByName(page, "a.py");
  const file = () => readFile(join(project, "a.py"), "utf8");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("x");
  await expect.poll(file).toBe("def f():\n  return 1\nx\n");
  await expect(page.getByRole("tab", { name: "a.py" })).not.toContainText("unsaved");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(file).toBe("def f():\n  return 1\n");
});
