/** Terminals in Chromium: real shells, by keyboard and pointer, on a desktop and on a phone. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { openFileByName } from "../pages/open-file";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";
import { uiNames } from "../pages/ui-names";
import { expect, test as base } from "../pages/mime-stage";

const test = base.extend<{ readonly terminal: TerminalPageObject }>({
  terminal: async ({ page, bench: _bench }, use) => use(new TerminalPageObject(page)),
});

test.beforeEach(async ({ page }) => {
  await withoutWebgl(page);
  await page.reload();
});

test("opens in the project's folder by its shortcut; every other key belongs to the shell", async ({
  terminal,
  place,
  page,
  bench,
}) => {
  await terminal.open();
  await terminal.type("pwd; cat -v");
  await expect.poll(() => terminal.text()).toContain(place.project);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Alt+2");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect.poll(() => terminal.text()).toContain("^K^[2^[");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+Backquote");
  await expect(terminal.screens).toHaveCount(0);
  await expect(bench.session.composer).toBeFocused();
  await page.keyboard.press("Control+Backquote");
  await expect.poll(() => terminal.text()).toContain("^K^[2^[");
});

test("the panel takes no height from conversation and files; moved to the right, it is there after a reload", async ({
  terminal,
  page,
  bench,
}) => {
  await openFileByName(page, "mime.js");
  const composer = () => bench.session.composer.boundingBox();
  const before = await composer();
  await bench.session.composer.focus();
  await terminal.open();
  const editor = page.locator("[data-editor]");
  const below = async () => {
    const [text, panel] = await Promise.all([editor.boundingBox(), terminal.screens.boundingBox()]);
    return text !== null && panel !== null && text.y + text.height <= panel.y && text.x === panel.x;
  };
  expect(await below()).toBe(true);
  expect(await composer()).toEqual(before);
  await terminal.choose("Move panel to the right");
  const isBeside = async () => {
    const [text, panel] = await Promise.all([editor.boundingBox(), terminal.screens.boundingBox()]);
    return text !== null && panel !== null && text.x + text.width < panel.x;
  };
  await expect.poll(isBeside).toBe(true);
  await page.reload();
  await terminal.expectPrompt();
  await expect.poll(isBeside).toBe(true);
});

test("the shortcut on a settings page opens it with the focus", onlyInFull, async ({ terminal, page, bench }) => {
  await terminal.open();
  await page.keyboard.press("Control+Backquote");
  await expect(bench.session.composer).toBeFocused();
  await page.keyboard.press("Control+,");
  await expect(page).toHaveURL(/\/settings/);
  await page.keyboard.press("Control+Backquote");
  await expect(terminal.input).toBeFocused();
});

test("a reload and a second tab show what was there, and both show what either types", async ({
  terminal,
  page,
  context,
  server,
}) => {
  await terminal.open();
  await terminal.type("echo fir''st");
  await expect.poll(() => terminal.text()).toContain("\nfirst");
  // Longer than a row: the shell ends the row itself, at the width of the screen.
  const long = Array.from({ length: 60 }, (_, index) => `word${index}`).join("");
  await terminal.type(`: ${long}`);
  await expect.poll(async () => (await terminal.text()).replaceAll("\n", "")).toContain(`${long}`);
  await page.reload();
  await expect.poll(() => terminal.text()).toContain("\nfirst");
  await expect.poll(async () => (await terminal.text()).replaceAll("\n", "")).toContain(long);
  const other = await context.newPage();
  await withoutWebgl(other);
  await other.goto(server.origin);
  const second = new TerminalPageObject(other);
  await expect.poll(() => second.text()).toContain("\nfirst");
  await second.type("echo sec''ond");
  await expect.poll(() => terminal.text()).toContain("\nsecond");
});

test(
  "tabs are opened, renamed, split and closed; the last one closes the panel",
  onlyInFull,
  async ({ terminal, page }) => {
    await terminal.open();
    await terminal.button(uiNames.newTerminal).click();
    await expect(terminal.tabs).toHaveCount(2);
    await terminal.tabs.nth(1).dblclick();
    await page.getByRole("textbox", { name: uiNames.renameTerminal }).fill("server");
    await page.keyboard.press("Enter");
    await expect(terminal.tabs.nth(1)).toHaveText("server");
    await expect(terminal.input).toBeFocused();
    await terminal.button(uiNames.splitTerminal).click();
    await expect(terminal.screens).toHaveCount(2);
    await expect(terminal.tabs).toHaveCount(2);
    await page.reload();
    await expect(terminal.screens).toHaveCount(2);
    await terminal.tabs.nth(0).click();
    await expect(terminal.screens).toHaveCount(1);
    await terminal.button("Close bash").click();
    await expect(terminal.tabs).toHaveCount(1);
    await page.getByRole("button", { name: /^Close server/ }).click();
    await expect(page.getByRole("tablist", { name: uiNames.terminals })).toHaveCount(0);
  },
);

test("a shell that is killed is reported, and starts again", onlyInFull, async ({ terminal, page }) => {
  await terminal.open();
  await terminal.type("kill -9 $$");
  await expect(page.getByText("The shell was ended by signal 9.")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(terminal.button(uiNames.startAgain)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The shell was ended by signal 9.")).toHaveCount(0);
  await terminal.type("echo ag''ain");
  await expect.poll(() => terminal.text()).toContain("\nagain");
  expect(await terminal.text()).not.toContain("kill");
});

/** Shows its size on the alternate screen, until q is pressed. */
const fullScreenProgram = `
const draw = () => process.stdout.write("\\x1b[2J\\x1b[Hsize " + process.stdout.columns + "x" + process.stdout.rows);
process.stdin.setRawMode(true);
process.stdout.write("\\x1b[?1049h");
process.stdout.on("resize", draw);
process.stdin.on("data", (key) => {
  if (key.toString() !== "q") return process.stdout.write(" key " + JSON.stringify(key.toString()));
  process.stdout.write("\\x1b[?1049l");
  process.exit();
});
draw();
`;

test(
  "a full-screen program gets its keys and the size of the panel, and leaves the screen as it was",
  onlyInFull,
  async ({ terminal, place, page }) => {
    await writeFile(join(place.project, "full.cjs"), fullScreenProgram);
    await terminal.open();
    await terminal.type("node full.cjs");
    await expect.poll(() => terminal.text()).toMatch(/^size \d+x\d+$/);
    const before = await terminal.text();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => terminal.text()).toContain('key "\\u001b[A"');
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect.poll(() => terminal.text()).toMatch(/^size \d+x\d+$/);
    await expect.poll(() => terminal.text()).not.toBe(before);
    await page.keyboard.press("q");
    await terminal.expectPrompt();
    await expect.poll(() => terminal.text()).toContain("node full.cjs");
  },
);

test("a program that prints without end delays neither another terminal nor the page", async ({
  terminal,
  bench,
  page,
}) => {
  await terminal.open();
  await terminal.type("yes");
  await expect.poll(() => terminal.text()).toContain("y\ny\ny");
  await terminal.button(uiNames.splitTerminal).click();
  await terminal.expectPrompt(1);
  await terminal.type("echo oth''er", 1);
  await expect.poll(() => terminal.text(1)).toContain("\nother");
  await bench.session.composer.fill("still here");
  await expect(bench.session.composer).toHaveValue("still here");
  await terminal.screens.first().click();
  await page.keyboard.press("Control+c");
  await terminal.expectPrompt(0);
});

test("a file reference opens the editor at its line", async ({ terminal, page }) => {
  await terminal.open();
  await terminal.type("clear; echo package.json:3");
  const row = terminal.screens.locator(".xterm-rows > div", { hasText: /^package\.json:3/ });
  // With the prompt below it, nothing draws the row again: that would end the link below the pointer.
  await expect.poll(() => terminal.text()).toMatch(/^package\.json:3\n[^]*[$#%>] *$/);
  const box = await row.boundingBox();
  if (box === null) throw new Error("the row has no place");
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await expect(terminal.screens.locator(".xterm-cursor-pointer")).toHaveCount(1);
  await page.mouse.click(box.x + 20, box.y + box.height / 2);
  await expect(page.getByRole("tab", { name: "package.json" })).toBeVisible();
});

test(
  "a found text is selected; the selection is copied, and added to the message",
  onlyInFull,
  async ({ terminal, bench, page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await terminal.open();
    await terminal.type("echo need''le");
    await expect.poll(() => terminal.text()).toContain("\nneedle");
    await page.keyboard.press("Control+Shift+f");
    await expect(page.getByRole("search").getByRole("textbox")).toBeFocused();
    await page.keyboard.type("needle");
    await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 1");
    await page.keyboard.press("Escape");
    await expect(terminal.input).toBeFocused();
    await page.keyboard.press("Control+Shift+c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("needle");
    await terminal.button(uiNames.addToMessage).click();
    const added = page.getByRole("list", { name: "Added to the message" }).getByRole("listitem");
    await added.getByRole("button", { name: /^Terminal / }).click();
    await expect(page.locator("[data-composer] pre")).toHaveText("needle");
    await expect(bench.session.composer).toHaveValue("");
  },
);

test("a program sets the title of its tab, and not the clipboard", onlyInFull, async ({ terminal, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  await terminal.open();
  await terminal.type("printf '\\033]52;c;c3RvbGVu\\007\\033]0;build \\342\\200\\256 done\\007'; sleep 1000");
  await expect(terminal.tabs.first()).toContainText("build  done");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
});

test("on a phone the terminal is a tab with the keys a phone lacks", onlyInFull, async ({ terminal, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: uiNames.terminal, exact: true }).click();
  await terminal.expectPrompt();
  await terminal.type("echo be''gun; sleep 1000");
  // A shell that has not read the line yet would lose it by Ctrl+C.
  await expect.poll(() => terminal.text()).toContain("\nbegun");
  await terminal.button("Ctrl").click();
  await terminal.button("C").click();
  await expect.poll(() => terminal.text()).toContain("^C");
  await terminal.expectPrompt();
  await terminal.button("↑").click();
  await expect.poll(async () => (await terminal.text()).replaceAll("\n", "")).toMatch(/[$#] echo be''gun; sleep 1000$/);
});

test(
  "on a phone the active of several tabs is in view, also after a reload",
  onlyInFull,
  async ({ terminal, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: uiNames.terminal, exact: true }).click();
    await terminal.expectPrompt();
    for (const count of [2, 3, 4]) {
      await terminal.button(uiNames.newTerminal).click();
      await expect(terminal.tabs).toHaveCount(count);
    }
    await expect(terminal.tabs.nth(3)).toHaveAttribute("aria-selected", "true");
    await expect(terminal.tabs.nth(3)).toBeInViewport({ ratio: 0.99 });
    await expect(terminal.tabs.nth(0)).not.toBeInViewport({ ratio: 0.99 });
    await page.reload();
    await page.getByRole("button", { name: uiNames.terminal, exact: true }).click();
    await expect(terminal.tabs.nth(3)).toHaveAttribute("aria-selected", "true");
    await expect(terminal.tabs.nth(3)).toBeInViewport({ ratio: 0.99 });
  },
);
