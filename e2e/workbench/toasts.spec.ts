/** Toasts never cover a control, whatever is open. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { phone } from "../fixtures/phone";
import { typeRowName } from "../pages/file-tree";
import { expect, test } from "../pages/mime-stage";

/** Returns the controls that a toast overlaps, by name; what an ancestor clips is not visible. */
const coveredControls = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const visibleBox = (element: Element): DOMRect => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === "visible") continue;
        const clip = around.getBoundingClientRect();
        left = Math.max(left, clip.left);
        top = Math.max(top, clip.top);
        right = Math.min(right, clip.right);
        bottom = Math.min(bottom, clip.bottom);
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const controls = "a[href], button:enabled, input, select, textarea, [role=treeitem], [contenteditable=true]";
    const toasts = [...document.querySelectorAll("[data-toasts] > *")].map(visibleBox);
    if (toasts.every(({ width, height }) => width * height === 0)) return ["no toast is visible"];
    return [...document.querySelectorAll(controls)]
      .filter((control) => control.closest("[data-toasts]") === null && control.checkVisibility())
      .filter((control) => {
        const box = visibleBox(control);
        return toasts.some(
          (toast) =>
            Math.min(box.right, toast.right) - Math.max(box.left, toast.left) > 0 &&
            Math.min(box.bottom, toast.bottom) - Math.max(box.top, toast.top) > 0,
        );
      })
      .map((control) => control.getAttribute("aria-label") ?? control.textContent);
  });

async function deleteFile(page: Page, name: string): Promise<void> {
  await page.locator(`[role=treeitem][data-path="${name}"]`).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("status").getByText(name)).toBeVisible();
}

test("toasts cover no control beside an open editor, a dialog, Review, the settings and a drawer", async ({
  page,
  place,
  bench,
}) => {
  for (const name of ["x-one", "x-two", "x-three", "x-four"]) await writeFile(join(place.project, name), name);
  await bench.expectOnline();
  await page.getByRole("button", { name: "Files" }).first().click();
  await typeRowName(page, "mime.js");
  await page.keyboard.press("Enter");
  await expect(page.locator(".cm-content")).toBeVisible();
  await deleteFile(page, "x-one");
  await deleteFile(page, "x-two");
  expect(await coveredControls(page), "editor").toEqual([]);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await coveredControls(page), "dialog").toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Review" }).click();
  expect(await coveredControls(page), "review").toEqual([]);
  await deleteFile(page, "x-three");
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(page).toHaveURL(/\/settings/);
  await expect(page.locator("[data-composer]")).toHaveCount(0);
  expect(await coveredControls(page), "settings").toEqual([]);
  await page.goBack();
  await page.setViewportSize({ width: 800, height: 600 });
  await page.getByRole("button", { name: "Files" }).first().click();
  await deleteFile(page, "x-four");
  expect(await coveredControls(page), "drawer").toEqual([]);
});

test("on a phone toasts cover neither the composer nor the tabs", async ({ page, place, bench }) => {
  await writeFile(join(place.project, "x-one"), "x");
  await bench.expectOnline();
  await page.setViewportSize(phone.viewport);
  await page.getByRole("button", { name: "Files" }).click();
  await deleteFile(page, "x-one");
  expect(await coveredControls(page), "files").toEqual([]);
  await page.getByRole("button", { name: "Chat" }).click();
  await expect(page.locator("[data-composer]")).toBeVisible();
  expect(await coveredControls(page), "conversation").toEqual([]);
});
