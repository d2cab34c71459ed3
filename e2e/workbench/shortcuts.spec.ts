/** Keyboard shortcuts that the user changes: recorded, checked for conflicts, used at once, reset. */
import { onlyInFull } from "../fixtures/full-run";
import { expect, ownServerTest } from "../pages/mime-stage";

ownServerTest(
  "a shortcut is recorded, replaces another one's, works at once and after a reload, and is reset",
  async ({ bench, page, server }) => {
    const files = page.getByRole("tree");
    await bench.expectOnline();
    await page.goto(new URL("/settings/shortcuts", server.origin).href);
    const change = page.getByRole("button", { name: "Change the shortcut of Show files" });
    await expect(change).toHaveText("Ctrl+Shift+E");

    await change.click();
    await expect(change).toHaveText("Press the keys. Esc cancels.");
    await page.keyboard.press("Escape");
    await expect(change).toHaveText("Ctrl+Shift+E");

    await change.click();
    await page.keyboard.press("e");
    await expect(page.getByText("E is needed for typing", { exact: false })).toBeVisible();
    await page.keyboard.press("Control+w");
    await expect(page.getByText("Ctrl+W belongs to the browser", { exact: false })).toBeVisible();
    await page.keyboard.press("Control+b");
    await expect(page.getByText('Ctrl+B is used by "Toggle side panel".')).toBeVisible();
    await page.getByRole("button", { name: "Use it here instead" }).click();
    await expect(change).toHaveText("Ctrl+B");
    await expect(page.getByRole("button", { name: "Change the shortcut of Toggle side panel" })).toHaveText("none");

    await page.goto(server.origin);
    // The settings, and with them the shortcuts, come after the connection and before the composer is ready.
    await bench.session.expectReady();
    await expect(files).toHaveCount(0);
    await page.keyboard.press("Control+b");
    await expect(files).toBeVisible();
    // The help lists the keys in force and leads to the settings.
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog").getByText("Ctrl+B", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Change shortcuts" }).click();
    await expect(page).toHaveURL(/\/settings\/shortcuts$/);

    await page.getByRole("searchbox", { name: "Find an action or keys" }).fill("ctrl+b");
    await expect(page.getByRole("button", { name: /^Change the shortcut/ })).toHaveCount(1);
    await page.getByRole("button", { name: "Reset the shortcut of Show files" }).click();
    await expect(page.getByText("No action or shortcut matches.")).toBeVisible();
  },
);

ownServerTest("the VS Code preset opens the commands with F1", onlyInFull, async ({ bench, page, server }) => {
  await bench.expectOnline();
  await page.goto(new URL("/settings/shortcuts", server.origin).href);
  await page.getByRole("radio", { name: "VS Code" }).click();
  await expect(page.getByRole("button", { name: /^Change the shortcut of Commands:/ })).toHaveText("F1");
  await page.keyboard.press("F1");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
});
