/** Folders downloaded as ZIP archives from the menus of the tree, in Chromium. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Download, Locator, Page, TestInfo } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { restingCentre } from "../pages/resting-centre";
import { expect, test } from "../pages/mime-stage";

const rowIn = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);

/** Unpacks the archive with a program that is not ours, and returns the folder. */
async function unpack(download: Download, { outputDir }: TestInfo): Promise<string> {
  const folder = join(outputDir, "unpacked");
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  await promisify(execFile)("unzip", ["-q", "-o", await download.path(), "-d", folder], { env });
  return folder;
}

async function addFolder(project: string): Promise<void> {
  await mkdir(join(project, "box/内层"), { recursive: true });
  await writeFile(join(project, "box/内层/说明.txt"), "内容\n");
  await writeFile(join(project, "box/one.txt"), "one\n");
  await writeFile(join(project, "x-two.txt"), "two\n");
}

async function openTree(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Files" }).first().click();
  await expect(rowIn(page, "x-two.txt")).toBeVisible();
}

test("a folder and a selection are downloaded by pointer and keyboard", async ({ page, bench, place }, testInfo) => {
  await addFolder(place.project);
  await bench.expectOnline();
  await openTree(page);
  await rowIn(page, "box").click({ button: "right" });
  const byPointer = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as zip" }).click();
  const folder = await byPointer;
  expect(folder.suggestedFilename()).toBe("box.zip");
  const unpacked = await unpack(folder, testInfo);
  expect(await readFile(join(unpacked, "box/内层/说明.txt"), "utf8")).toBe("内容\n");

  await rowIn(page, "box").click();
  await rowIn(page, "x-two.txt").click({ modifiers: ["Control"] });
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  const item = page.getByRole("menuitem", { name: "Download as zip" });
  await item.focus();
  const byKeyboard = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const both = await unpack(await byKeyboard, testInfo);
  expect(await readFile(join(both, "x-two.txt"), "utf8")).toBe("two\n");
  expect(await readFile(join(both, "box/one.txt"), "utf8")).toBe("one\n");
});

test.describe("on a phone", onlyInFull, () => {
  test.use({ hasTouch: true });

  test("a long press offers the download of a folder", async ({ page, bench, place }, testInfo) => {
    await addFolder(place.project);
    await bench.expectOnline();
    await page.setViewportSize({ width: 390, height: 844 });
    await openTree(page);
    const point = await restingCentre(rowIn(page, "box"));
    const touch = await page.context().newCDPSession(page);
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    await expect(page.getByRole("menu", { name: "Menu for box" })).toBeVisible();
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    const started = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Download as zip" }).tap();
    const unpacked = await unpack(await started, testInfo);
    expect(await readFile(join(unpacked, "box/one.txt"), "utf8")).toBe("one\n");
  });
});
