/** The Open folder dialog: a path is completed, browsed and opened by keys and by clicks. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { findViolations } from "../pages/axe";
import { uiNames } from "../pages/ui-names";
import { expect, test } from "../pages/mime-stage";

test("a folder is found by typing, Tab, arrows and clicks, and Enter opens it", async ({ page, bench, project }) => {
  const root = realpathSync(project);
  for (const folder of ["packages/web", "packages/worker", "packages/docs", ".hidden/inside"])
    mkdirSync(join(root, folder), { recursive: true });
  await bench.project.click();
  await page
    .getByRole("menuitem", { name: uiNames.openFolder })
    .or(page.getByRole("menuitemradio", { name: uiNames.openFolder }))
    .click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("combobox");
  const rows = dialog.getByRole("option");
  await expect(field).toBeFocused();

  await field.fill(`${root}/pack`);
  await expect(rows).toHaveText(["packages"]);
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue(`${root}/packages/`);
  await expect(rows).toHaveText(["Parent folder", "docs", "web", "worker"]);

  expect(await findViolations(page)).toEqual([]);

  await dialog.getByRole("option", { name: "Parent folder" }).click();
  await expect(field).toHaveValue(`${root}/`);
  await expect(dialog.getByRole("option", { name: "packages" })).toBeVisible();
  await expect(dialog.getByRole("option", { name: ".hidden" })).toHaveCount(0);
  await field.fill(`${root}/.hid`);
  await expect(rows).toHaveText([".hidden"]);

  await field.fill(`${root}/nothing-like-it`);
  await expect(rows).toHaveCount(0);
  await expect(dialog.getByText("No matching folders.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await field.fill(`${root}/packages/w`);
  await expect(rows).toHaveText(["web", "worker"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("option", { selected: true })).toHaveText("worker");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("worker");
});
