/** Opens a file as a user does by the keyboard. */
import { expect, type Page } from "@playwright/test";

/** Waits until the page is online and shows the start page, a session or open files. */
export async function expectDrawn(page: Page): Promise<void> {
  await expect(page.locator("[data-connection]").first()).toHaveAttribute("data-connection", "online");
  const drawn = page
    .getByRole("heading", { level: 1 })
    .or(page.getByRole("log"))
    .or(page.getByRole("tablist", { name: "Open files" }));
  await expect(drawn.filter({ visible: true }).first()).toBeVisible();
}

/** Opens the file by quick open; the editor has the focus afterwards. */
export async function openFileByName(page: Page, name: string): Promise<void> {
  await expectDrawn(page);
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", name);
  await expect(page.locator(".cm-content")).toBeFocused();
}
