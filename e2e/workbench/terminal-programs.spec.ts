/** Full-screen programs, many sizes and many terminals in Chromium, with real shells. */
import { existsSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killProcess } from "@/lib/testing/test-process";
import { onlyInFull } from "../fixtures/full-run";
import { callCommand } from "../fixtures/call-command";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";
import { uiNames } from "../pages/ui-names";
import { expect, test as base } from "../pages/mime-stage";

const program = fileURLToPath(new URL("../fixtures/full-screen-program.cjs", import.meta.url));

const test = base.extend<{ readonly terminal: TerminalPageObject }>({
  terminal: async ({ page, bench: _bench, place }, use) => {
    await copyFile(program, join(place.project, "full.cjs"));
    const terminal = new TerminalPageObject(page);
    await terminal.open();
    await use(terminal);
  },
});

test.beforeEach(async ({ page }) => {
  await withoutWebgl(page);
  await page.reload();
});

test("a full-screen program gets mouse, paste and keys, and the last of many sizes", async ({
  terminal,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await terminal.type("node full.cjs");
  await expect.poll(() => terminal.text()).toMatch(/^\n {2}size=\d+x\d+\n {2}mouse=\n/);
  await terminal.screens.first().click();
  await expect.poll(() => terminal.text()).toContain("mouse=released");
  await page.evaluate(() => navigator.clipboard.writeText("one\n\u001b[201~two"));
  await page.keyboard.press("Control+Shift+v");
  await expect.poll(() => terminal.text()).toContain('paste="one\\r[201~two"');
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => terminal.text()).toContain('key="\\u001b[A"');
  const before = /size=\S+/.exec(await terminal.text())?.[0] ?? "";
  for (let step = 1; step <= 30; step += 1)
    await page.setViewportSize({ width: 900 + 10 * step, height: 600 + 5 * step });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.setViewportSize({ width: 1100, height: 900 });
  // Sizes are reported one after the other: the program has the last one when its columns fill the screen.
  const cellWidth = 7.8;
  const missingColumns = async (): Promise<number> => {
    const columns = Number(/size=(\d+)/.exec(await terminal.text())?.[1]);
    const width = await terminal.screens.locator(".xterm-screen").evaluate(({ clientWidth }) => clientWidth);
    return Math.abs(width / cellWidth - columns);
  };
  await expect.poll(() => terminal.text()).not.toContain(before);
  await expect.poll(missingColumns).toBeLessThan(2);
  await page.keyboard.press("q");
  await terminal.expectPrompt();
});

test(
  "a reset repairs the screen that a killed program leaves, also after a reload",
  onlyInFull,
  async ({ terminal, page, place }) => {
    await terminal.type("echo be''fore; bash -c 'echo $$ > pid; exec node full.cjs'");
    await expect.poll(() => terminal.text()).toContain("size=");
    // The program has no time to leave its modes.
    killProcess(Number(await readFile(join(place.project, "pid"), "utf8")));
    await expect.poll(() => terminal.text()).toContain("Killed");
    expect(await terminal.text()).not.toContain("before");
    await terminal.choose(uiNames.resetTerminal);
    await expect.poll(() => terminal.text()).toContain("\nbefore");
    await expect(terminal.input).toBeFocused();
    const expectWorks = async (word: string): Promise<void> => {
      await terminal.type(`stty sane; echo ${word.slice(0, 2)}''${word.slice(2)}`);
      await expect.poll(() => terminal.text()).toContain(`\n${word}`);
      // A click sends no report of the mouse to the shell.
      expect(await terminal.text()).not.toContain("[<");
    };
    await expectWorks("first");
    await page.reload();
    await expect.poll(() => terminal.text()).toContain("\nfirst");
    await expectWorks("second");
  },
);

test("twenty terminals run at once, and each answers", onlyInFull, async ({ terminal, page, server }) => {
  const { projects } = await callCommand(server, "project.list", {});
  const projectId = projects[0]?.id;
  if (projectId === undefined) throw new Error("no project is open");
  const opened = await Promise.all(
    Array.from({ length: 19 }, () => callCommand(server, "terminal.open", { projectId, columns: 80, rows: 24 })),
  );
  await expect(terminal.tabs).toHaveCount(20);
  await Promise.all(
    opened.map(({ terminal: { id } }, index) =>
      callCommand(server, "terminal.write", { terminalId: id, text: `echo num''ber ${index}\r` }),
    ),
  );
  for (const index of [1, 10, 19]) {
    await terminal.tabs.nth(index).click();
    await expect(terminal.tabs.nth(index)).toHaveAttribute("aria-selected", "true");
    await expect.poll(() => terminal.text()).toMatch(/\nnumber \d+/);
  }
  await expect(terminal.input).toBeFocused();
  await page.keyboard.type("exit 3\n");
  await expect(page.getByText("The shell has exited with code 3.")).toBeVisible();
});

const installed = (name: string): boolean => ["/usr/bin", "/usr/local/bin"].some((at) => existsSync(join(at, name)));

test("vim edits a file", onlyInFull, async ({ terminal, page, place }) => {
  test.skip(!installed("vim"), "vim is not installed on this machine");
  await terminal.type("vim -u NONE note.txt");
  await expect.poll(() => terminal.text()).toMatch(/~\n~[^]*"note\.txt"/);
  await page.keyboard.type("ifirst line");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second line");
  await page.keyboard.press("Escape");
  await page.keyboard.type("ggdd:wq\n");
  await terminal.expectPrompt();
  await expect.poll(() => readFile(join(place.project, "note.txt"), "utf8")).toBe("second line\n");
});

test("less pages through a file", onlyInFull, async ({ terminal, page }) => {
  test.skip(!installed("less"), "less is not installed on this machine");
  await terminal.type("seq 1 500 > numbers.txt; less numbers.txt");
  await expect.poll(() => terminal.text()).toMatch(/^1\n2\n/);
  await page.keyboard.press("Shift+G");
  await expect.poll(() => terminal.text()).toMatch(/\n500\n/);
  await page.keyboard.type("q");
  await terminal.expectPrompt();
});

test("htop shows the processes", onlyInFull, async ({ terminal, page }) => {
  test.skip(!installed("htop"), "htop is not installed on this machine");
  await terminal.type("htop");
  await expect.poll(() => terminal.text()).toMatch(/Tasks:[^]*F10Quit/);
  await page.keyboard.type("q");
  await terminal.expectPrompt();
});
