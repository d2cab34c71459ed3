/** Display of the editor beside the text, and movements in it: rulers, sticky scroll, changes, a conflict with the disk. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { expect, ownServerTest, test } from "../fixtures/test";
import { openFileByName } from "../pages/open-file";

const body = Array.from({ length: 120 }, (_, index) => `    this.step(${index});`).join("\n");

test.use({ files: { "a.ts": `class Stock {\n  run() {\n${body}\n  }\n}\n`, "notes.txt": "one\ntwo\nthree\n" } });

ownServerTest(
  "rulers and sticky scroll are set on the page and apply to the text",
  onlyInFull,
  async ({ page, server }) => {
    await page.goto(`${server.origin}/settings/editor`);
    await page.getByRole("textbox", { name: "Add a column" }).fill("120 80 0");
    await expect(page.getByRole("button", { name: "Add", exact: true })).toBeDisabled();
    await page.getByRole("textbox", { name: "Add a column" }).fill("120 80");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Rulers" })).toHaveText("80120");
    const sticky = page.locator(".cm-sticky-line");
    const stickySwitch = page.getByRole("switch", { name: "Sticky scroll" });
    await stickySwitch.click();
    await expect(stickySwitch).toBeChecked();
    await page.goto(server.origin);
    await openFileByName(page, "a.ts");
    const rulers = () => page.locator(".cm-content").evaluate((element) => getComputedStyle(element).backgroundImage);
    await expect.poll(async () => (await rulers()).split("linear-gradient").length - 1).toBe(2);

    await expect(sticky).toHaveCount(0);
    await page.locator(".cm-content").hover();
    await page.mouse.wheel(0, 600);
    await expect(sticky).toHaveText(["class Stock {", "  run() {"]);
    // A line that is drawn again between press and release of the button is clicked all the same.
    const drawn = await sticky.nth(1).locator("span").first().elementHandle();
    await sticky.nth(1).hover();
    await page.mouse.down();
    await page.locator(".cm-scroller").dispatchEvent("scroll");
    await expect.poll(() => drawn?.evaluate((part) => part.isConnected)).toBe(false);
    await page.mouse.up();
    await expect(page.getByTitle("Go to line", { exact: true })).toContainText("Ln 2, Col 1");
    await expect(page.locator(".cm-content")).toBeFocused();
    // The line of the caret is below the lines above the text.
    await page.keyboard.press("Control+End");
    for (let count = 0; count < 60; count += 1) await page.keyboard.press("ArrowUp");
    await expect(sticky).toHaveCount(2);
    await expect(async () => {
      const caret = await page.locator(".cm-cursor").first().boundingBox();
      const last = await sticky.last().boundingBox();
      expect(caret?.y ?? 0).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0) - 3);
    }).toPass();
  },
);

test(
  "the keys and the palette go to the next and the previous change",
  onlyInFull,
  async ({ page, project, server }) => {
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: project, stdio: "ignore" });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    await trustProject(server);
    await page.reload();
    await openFileByName(page, "notes.txt");
    await page.keyboard.press("Alt+F3");
    await expect(page.getByText("No line of this file differs from the last commit.")).toBeVisible();
    await writeFile(join(project, "notes.txt"), "ONE\ntwo\nTHREE\n");
    await expect(page.locator(".cm-change-changed")).toHaveCount(2);
    const committed = page.getByRole("region", { name: "In the last commit" }).locator("pre");
    await page.keyboard.press("Alt+F3");
    await expect(committed).toHaveText("three");
    await page.keyboard.press("Shift+Alt+F3");
    await expect(committed).toHaveText("one");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("Next change");
    await page.getByRole("option", { name: "Next change since the last commit" }).click();
    await expect(committed).toHaveText("three");
    await expect(page.locator(".cm-content")).toBeFocused();
  },
);

test("saving during a conflict says what to do, and saves after the choice", async ({ page, project }) => {
  await openFileByName(page, "notes.txt");
  await page.keyboard.type("mine ");
  await writeFile(join(project, "notes.txt"), "theirs\n");
  await expect(page.getByText("This file changed on disk while you were editing.")).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Not saved: the file changed on disk as well.", { exact: false })).toBeVisible();
  expect(await readFile(join(project, "notes.txt"), "utf8")).toBe("theirs\n");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFile(join(project, "notes.txt"), "utf8")).toBe("mine one\ntwo\nthree\n");
});

test("the menu of the text opens the file that it names, and puts a question into the message field", async ({
  page,
  server,
}) => {
  await page.goto(server.origin);
  await openFileByName(page, "notes.txt");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("see ./a.ts:2");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+F10");
  const menu = page.getByRole("menu");
  await menu.getByRole("menuitem", { name: "Copy path and line" }).focus();
  await page.keyboard.press("Escape");
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Shift+F10");
  await menu.getByRole("menuitem", { name: "Go to a.ts:2" }).click();
  await expect(page.getByTitle("Go to line", { exact: true })).toContainText("Ln 2");
  await page.locator(".cm-line").nth(1).click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Fix" }).click();
  const composer = page.locator("[data-composer]");
  await expect(composer.locator("textarea")).toHaveValue("Find what is wrong in this code and fix it.");
  await expect(composer.locator("textarea")).toBeFocused();
  await expect(composer.getByText("a.ts:2-123")).toBeVisible();
});
