/** Find in the output of a terminal, with its options. */
import { onlyInFull } from "../fixtures/full-run";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";
import { uiNames } from "../pages/ui-names";
import { expect, test } from "../pages/mime-stage";

test.beforeEach(async ({ page }) => {
  await withoutWebgl(page);
  await page.reload();
});

test("options are toggled by pointer and shortcut, and the count is right", async ({ page, bench: _bench }) => {
  const terminal = new TerminalPageObject(page);
  const field = page.getByRole("textbox", { name: uiNames.findInTerminal });
  const status = page.getByRole("search").getByRole("status");
  await terminal.open();
  // The shell echoes none of the words that are found below.
  await terminal.type(String.raw`printf 'oxo%s ba%s Wal%s barwal%s wal%s\n' n rn rus rus rus; printf '\141\141\n'`);
  await expect.poll(() => terminal.text()).toContain("oxon barn Walrus barwalrus walrus\naa");
  await page.keyboard.press("Control+Shift+f");
  await expect(field).toBeFocused();
  await page.keyboard.type("walrus");
  await expect(status).toHaveText("3 of 3");
  await page.keyboard.press("Enter");
  await expect(status).toHaveText("2 of 3");
  // The selected match is a part of a word: it is left.
  await page.keyboard.press("Alt+w");
  await expect(status).toHaveText("1 of 2");
  await page.getByRole("button", { name: "Match case" }).click();
  await expect(field).toBeFocused();
  await expect(status).toHaveText("1 of 1");
  await field.fill("nothing of this");
  await expect(status).toHaveText("No matches");
  await expect(page.locator(".xterm-decoration")).toHaveCount(0);
  await field.fill("Walrus");
  await expect(status).toHaveText("1 of 1");
  await expect(page.locator(".xterm-decoration")).not.toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(terminal.input).toBeFocused();
});

test("the count follows new output", onlyInFull, async ({ page, bench: _bench }) => {
  const terminal = new TerminalPageObject(page);
  const status = page.getByRole("search").getByRole("status");
  await terminal.open();
  await terminal.type("printf 'wal%s\\n' rus; read; printf 'wal%s\\n' rus");
  await expect.poll(() => terminal.text()).toMatch(/^walrus$/m);
  await page.keyboard.press("Control+Shift+f");
  await page.getByRole("textbox", { name: uiNames.findInTerminal }).fill("walrus");
  await expect(status).toHaveText("1 of 1");
  await terminal.type("");
  await expect(status).toHaveText(/^(?:2 found|1 of 2)$/);
});
