/** The formatter of the project, on request and when a file is saved. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { expect, ownServerTest, test } from "../fixtures/test";
import { openFileByName } from "../pages/open-file";

const content = (page: Page) => page.locator(".cm-content");

/** Installs a program that ends each line with a semicolon, and fails for a text with "broken". */
async function installPrettier(project: string): Promise<void> {
  const program = join(project, "node_modules/.bin/prettier");
  await mkdir(join(project, "node_modules/.bin"), { recursive: true });
  const script = `text=$(cat); case "$text" in *broken*) echo "a.ts: broken (1:1)" >&2; exit 2;; esac`;
  await writeFile(program, `#!/bin/sh\n${script}\nprintf '%s\\n' "$text" | sed 's/;*$/;/'\n`);
  await chmod(program, 0o755);
}

test.use({ files: { "a.ts": "first()\nsecond()\n", "notes.txt": "text\n" } });

test("a file is formatted by the project's formatter, once the folder is trusted", async ({ page, project }) => {
  await installPrettier(project);
  await openFileByName(page, "a.ts");
  await page.keyboard.press("Alt+Shift+F");
  await page
    .getByRole("dialog", { name: /^Trust / })
    .getByRole("button", { name: "Trust", exact: true })
    .click();
  await expect(content(page)).toContainText("first();second();");
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(content(page)).toContainText("first()second()");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Alt+Shift+F");
  await expect(content(page)).toContainText("first();second();");
  await expect(page.getByText("Ln 2, Col 1")).toBeVisible();
  expect(await readFile(join(project, "a.ts"), "utf8")).toBe("first()\nsecond()\n");
});

ownServerTest(
  "saving formats a file if the setting is on; an error is shown, and the file is saved as it is",
  onlyInFull,
  async ({ page, place, project, server }) => {
    await trustProject(server);
    await installPrettier(project);
    await openFileByName(page, "a.ts");
    await writeFile(join(place.home, "config.yaml"), "editor:\n  format_on_save: true\n  font_size: 20\n");
    await expect(content(page)).toHaveCSS("font-size", "20px");
    const text = () => readFile(join(project, "a.ts"), "utf8");
    await page.keyboard.press("Control+s");
    await expect.poll(text).toBe("first();\nsecond();\n");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("broken ");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Not formatted. prettier: a.ts: broken (1:1)")).toBeVisible();
    await expect.poll(text).toBe("broken first();\nsecond();\n");
  },
);
