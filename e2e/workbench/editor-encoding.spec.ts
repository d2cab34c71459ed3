/** The encoding of a file, changed in the status bar and by the palette. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { openFileByName } from "../pages/open-file";

test.use({ files: { "a.txt": "caf\u00e9 \u4f60\n", "plain.txt": "one\n" } });

const line = (page: Page) => page.locator(".cm-line").first();
const status = (page: Page, name: string) => page.locator("footer").getByRole("button", { name, exact: true });

async function choose(page: Page, purpose: "Reopen" | "Save", current: string, encoding: string): Promise<void> {
  await status(page, current).click();
  await page.getByRole("menuitem", { name: `${purpose} with encoding…` }).click();
  await page.getByRole("dialog").getByRole("button", { name: encoding }).first().click();
}

test("a file is saved and reopened in other encodings by the pointer", async ({ page, project }) => {
  const bytes = async () => (await readFile(join(project, "a.txt"))).toString("hex");
  await openFileByName(page, "a.txt");
  await choose(page, "Save", "UTF-8", "Windows-1252");
  const refusal = page.getByRole("alert").filter({ hasText: "Not saved." });
  await expect(refusal).toContainText("Line 1 contains 你 (U+4F60), which Windows-1252 doesn't have.");
  await page.getByRole("dialog").getByRole("button", { name: "GB18030" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(status(page, "GB18030")).toBeVisible();
  const saved = "636166a8a620c4e30a";
  await expect.poll(bytes).toBe(saved);

  await choose(page, "Reopen", "GB18030", "Windows-1252");
  await expect(line(page)).toHaveText("caf¨¦ Äã");
  await expect(status(page, "Windows-1252")).toBeVisible();
  await choose(page, "Reopen", "Windows-1252", "GB18030");
  await expect(line(page)).toHaveText("café 你");

  // Typed text is saved in the chosen encoding, and a change on disk is read in it.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("x");
  await page.keyboard.press("Control+s");
  await expect.poll(bytes).toBe(`78${saved}`);
  await writeFile(join(project, "a.txt"), Buffer.from(`79${saved}`, "hex"));
  await expect(line(page)).toHaveText("ycafé 你");
  await expect(status(page, "GB18030")).toBeVisible();
});

test("reopening with unsaved text asks first, by the keyboard", onlyInFull, async ({ page, project }) => {
  await openFileByName(page, "plain.txt");
  await page.keyboard.type("typed ");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Reopen with encoding");
  await expect(page.getByRole("option").first()).toContainText("Reopen with encoding");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Reopen with encoding" });
  await expect(dialog.locator("[aria-current=true]")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(dialog.getByRole("button", { name: "Windows-1251" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("discards them");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(line(page)).toHaveText("typed one");
  expect(await readFile(join(project, "plain.txt"), "utf8")).toBe("one\n");

  await choose(page, "Reopen", "UTF-8", "Windows-1252");
  await page.getByRole("button", { name: "Discard changes and reopen" }).click();
  await expect(line(page)).toHaveText("one");
  await expect(status(page, "Windows-1252")).toBeVisible();
});

test(
  "a text that the file cannot store names the character and offers another encoding",
  onlyInFull,
  async ({ page, project }) => {
    await writeFile(join(project, "west.txt"), Buffer.from("El ni\u00f1o comi\u00f3 pi\u00f1as\n", "latin1"));
    await openFileByName(page, "west.txt");
    await expect(status(page, "Windows-1252")).toBeVisible();
    await page.keyboard.type("中");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Line 1 contains 中 (U+4E2D), which Windows-1252 doesn't have.")).toBeVisible();
    await page.getByRole("button", { name: "Save with encoding" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "UTF-8 BOM" }).click();
    await expect.poll(() => readFile(join(project, "west.txt"), "utf8")).toBe("\ufeff中El niño comió piñas\n");
    await expect(page.getByText("Couldn't save the file.")).toHaveCount(0);
  },
);
