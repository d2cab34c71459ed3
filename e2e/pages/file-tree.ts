/** The file tree of the workbench. */
import { expect, type Page } from "@playwright/test";

/** Selects a row by typing its name at the speed of a user, however slow the machine is: a pause begins another name. */
export async function typeRowName(page: Page, name: string): Promise<void> {
  await page.getByRole("tree", { name: "Files" }).focus();
  await Promise.all([...name].map((key) => page.keyboard.press(key)));
  await expect(page.getByRole("treeitem", { name, selected: true })).toHaveAttribute(
    "data-path",
    new RegExp(`^${name}`),
  );
}
