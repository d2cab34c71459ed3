/** The size of a terminal drawn with WebGL, as most browsers do; its text is not in the page. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { TerminalPageObject } from "../pages/terminal-page";
import { expect, test } from "../pages/mime-stage";

test(
  "the shell has the columns and rows that fit into the panel, also after a reload",
  onlyInFull,
  async ({ bench: _bench, page, place }) => {
    const terminal = new TerminalPageObject(page);
    const file = join(place.project, "size.txt");
    /** Returns the size as the shell reports it, after a program has drawn it. */
    const readSize = async (name: string): Promise<string> => {
      await terminal.type(`stty size > size.txt; echo ${name} >> size.txt`);
      await expect.poll(() => readFile(file, "utf8").catch(() => "")).toMatch(new RegExp(`\\d+ \\d+\n${name}\n$`));
      return (await readFile(file, "utf8")).split("\n")[0] ?? "";
    };
    await page.keyboard.press("Control+Backquote");
    await expect(terminal.screens.locator("canvas").first()).toBeAttached();
    let size = "";
    let count = 0;
    // The panel is measured again when its font has loaded, and the shell gets each size a moment later.
    await expect(async () => {
      count += 1;
      size = await readSize(`opened${count}`);
      await expectFilledPanel(terminal, size);
    }).toPass();
    await page.reload();
    await expect(terminal.screens.locator("canvas").first()).toBeAttached();
    await expect
      .poll(() => {
        count += 1;
        return readSize(`reloaded${count}`);
      })
      .toBe(size);
  },
);

/** Checks that this size fills the panel, except for less than two columns and rows. */
async function expectFilledPanel(terminal: TerminalPageObject, size: string): Promise<void> {
  const [rows = 0, columns = 0] = size.split(" ").map(Number);
  const drawn = await terminal.screens.locator(".xterm-screen").boundingBox();
  const panel = await terminal.screens.boundingBox();
  if (drawn === null || panel === null) throw new Error("the terminal is not visible");
  const cell = { width: drawn.width / columns, height: drawn.height / rows };
  // A character of the font is 7.8 px wide.
  expect(cell.width).toBeGreaterThan(7.5);
  const scrollbarWidth = 14;
  const freeWidth = panel.x + panel.width - drawn.x - drawn.width - scrollbarWidth;
  expect(freeWidth).toBeGreaterThanOrEqual(0);
  expect(freeWidth).toBeLessThan(2 * cell.width);
  const freeHeight = panel.y + panel.height - drawn.y - drawn.height;
  expect(freeHeight).toBeGreaterThanOrEqual(0);
  expect(freeHeight).toBeLessThan(2 * cell.height);
}
