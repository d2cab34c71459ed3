/** Opens a file as a user does by the keyboard. */
import { expect, type Page } from "@playwright/test";

/** Opens the file by quick open; the editor has the focus afterwards. */
export async function openFileByName(page: Page, name: string): Promise<void> {
  await expect(page.locator("[data-connection]").first()).toHaveAttribute("data-connection", "online");
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", name);
  await expect(page.locator(".cm-content")).toBeFocused();
}
