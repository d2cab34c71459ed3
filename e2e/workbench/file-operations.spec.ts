/** File operations of the tree in Chromium: keyboard, pointer with real drag and drop, and the long press of a finger. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { typeRowName } from "../pages/file-tree";
import { restingCentre } from "../pages/resting-centre";
import { expect, test } from "../pages/mime-stage";

const rowIn = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);

async function addFiles(project: string): Promise<void> {
  await mkdir(join(project, "box"));
  await mkdir(join(project, "box/inner"));
  for (const name of ["x-one.txt", "x-two.txt", "x-three.txt"]) await writeFile(join(project, name), name);
}

async function openTree(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Files" }).first().click();
  await expect(rowIn(page, "x-two.txt")).toBeVisible();
  return page.getByRole("tree", { name: "Files" });
}

test("files are selected, copied, moved, deleted and restored with the keyboard", async ({ page, bench, place }) => {
  await addFiles(place.project);
  const file = (path: string): string => join(place.project, path);
  await bench.expectOnline();
  const tree = await openTree(page);
  await typeRowName(page, "x-one");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(rowIn(page, "x-three.txt")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("status").getByText("Moved 2 files to the trash")).toBeVisible();
  await expect.poll(() => existsSync(file("x-one.txt"))).toBe(false);
  await expect(rowIn(page, "x-one.txt")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowIn(page, "x-one.txt")).toBeVisible();
  await expect(rowIn(page, "x-three.txt")).toBeVisible();
  expect(await readFile(file("x-three.txt"), "utf8")).toBe("x-three.txt");

  await typeRowName(page, "x-two");
  await page.keyboard.press("ControlOrMeta+c");
  await page.keyboard.press("ControlOrMeta+v");
  await expect(rowIn(page, "x-two copy.txt")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ControlOrMeta+x");
  await page.keyboard.press("Home");
  await typeRowName(page, "box");
  await page.keyboard.press("ControlOrMeta+v");
  await expect.poll(() => existsSync(file("box/x-two copy.txt"))).toBe(true);
  await expect(rowIn(page, "x-two copy.txt")).toHaveCount(0);

  await page.keyboard.press("Home");
  await typeRowName(page, "x-one");
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu", { name: "Menu for x-one.txt" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(tree).toBeFocused();
});

test("files are dragged into a folder that opens below the pointer, and Undo moves them back", async ({
  page,
  bench,
  place,
}) => {
  await addFiles(place.project);
  await bench.expectOnline();
  await openTree(page);
  await rowIn(page, "x-one.txt").click();
  await rowIn(page, "x-two.txt").click({ modifiers: ["ControlOrMeta"] });
  await rowIn(page, "x-one.txt").hover();
  await page.mouse.down();
  await rowIn(page, "box").hover();
  await rowIn(page, "box").hover({ position: { x: 40, y: 8 } });
  await expect(rowIn(page, "box/inner")).toBeVisible();
  await rowIn(page, "box/inner").hover();
  await rowIn(page, "box/inner").hover({ position: { x: 60, y: 8 } });
  await page.mouse.up();
  await expect.poll(() => existsSync(join(place.project, "box/inner/x-two.txt"))).toBe(true);
  await expect(page.getByRole("status").getByText("Moved 2 files to box/inner")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowIn(page, "x-two.txt")).toBeVisible();
  await expect.poll(() => existsSync(join(place.project, "x-one.txt"))).toBe(true);

  await rowIn(page, "x-three.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(rowIn(page, "x-three copy.txt")).toBeVisible();
});

test("a deleted file with unsaved text asks first", async ({ page, bench, place }) => {
  await addFiles(place.project);
  await bench.expectOnline();
  await openTree(page);
  await rowIn(page, "x-one.txt").click();
  await page.locator(".cm-content").click();
  await page.keyboard.type("unsaved ");
  await rowIn(page, "x-one.txt").click();
  await page.keyboard.press("Delete");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("x-one.txt");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(rowIn(page, "x-one.txt")).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "x-one.txt" })).toHaveCount(0);
  await expect.poll(() => existsSync(join(place.project, "x-one.txt"))).toBe(false);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true });

  test(
    "a long press opens the menu of a row and does not open the file",
    onlyInFull,
    async ({ page, bench, place }) => {
      await addFiles(place.project);
      await bench.expectOnline();
      await page.setViewportSize({ width: 390, height: 844 });
      await openTree(page);
      const point = await restingCentre(rowIn(page, "x-one.txt"));
      const touch = await page.context().newCDPSession(page);
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
      const menu = page.getByRole("menu", { name: "Menu for x-one.txt" });
      await expect(menu).toBeVisible();
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await expect(menu).toBeVisible();
      await menu.getByRole("menuitem", { name: "Delete" }).tap();
      await expect(rowIn(page, "x-one.txt")).toHaveCount(0);
      await expect.poll(() => existsSync(join(place.project, "x-one.txt"))).toBe(false);
    },
  );

  test(
    "a file is added to the message of a new and of an open session, which is shown",
    onlyInFull,
    async ({ page, bench, place, model }) => {
      await addFiles(place.project);
      model.setScript({ turns: [{ text: "Hello." }] });
      await bench.expectOnline();
      await page.setViewportSize({ width: 390, height: 844 });
      const addToMessage = async (path: string): Promise<void> => {
        await openTree(page);
        await rowIn(page, path).click({ button: "right" });
        await page.getByRole("menuitem", { name: "Add to message" }).tap();
        await expect(bench.session.composer).toBeVisible();
        await expect(page.getByRole("button", { name: `Remove ${path}` })).toBeVisible();
      };
      await addToMessage("x-one.txt");
      await bench.session.composer.fill("Hi.");
      await bench.session.composer.press("ControlOrMeta+Enter");
      await expect(bench.session.conversation).toContainText("Hello.");
      await addToMessage("x-two.txt");
    },
  );
});

test(
  "git marks follow edits and commits, and hidden files leave the tree",
  onlyInFull,
  async ({ page, bench, place, server }) => {
    await writeFile(join(place.project, "README.md"), "changed\n");
    await mkdir(join(place.project, "fresh"));
    await writeFile(join(place.project, "fresh/new.txt"), "new\n");
    await writeFile(join(place.project, ".hidden"), "new\n");
    await trustProject(server);
    await bench.expectOnline();
    await page.getByRole("button", { name: "Files" }).first().click();
    const markOf = (path: string) => rowIn(page, path).getByRole("img");
    await expect(markOf("README.md")).toHaveAccessibleName("modified");
    await expect(markOf("fresh")).toHaveAccessibleName("contains changes: untracked");
    // A commit changes no file of the tree, only the repository.
    const git = (...words: readonly string[]) =>
      promisify(execFile)("git", ["-C", place.project, "-c", "user.name=a", "-c", "user.email=a@b", ...words]);
    await git("add", "--all");
    await expect(markOf("fresh")).toHaveAccessibleName("contains changes: added");
    await git("commit", "--quiet", "--message", "second");
    await expect(page.getByRole("tree", { name: "Files" }).getByRole("img")).toHaveCount(0);
    await writeFile(join(place.project, "README.md"), "changed again\n");
    await expect(markOf("README.md")).toHaveAccessibleName("modified");

    await expect(rowIn(page, ".hidden")).toBeVisible();
    await page.getByRole("button", { name: "View options" }).click();
    await page.getByRole("menuitem", { name: "Hide files that begin with a dot" }).click();
    await expect(rowIn(page, ".hidden")).toHaveCount(0);
    await page.reload();
    await expect(rowIn(page, "README.md")).toBeVisible();
    await expect(rowIn(page, ".hidden")).toHaveCount(0);
  },
);

test("a file of any content is downloaded from its menu", onlyInFull, async ({ page, bench, place }) => {
  await addFiles(place.project);
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
  await writeFile(join(place.project, "x-数据.bin"), bytes);
  await bench.expectOnline();
  await openTree(page);
  await rowIn(page, "box").click({ button: "right" });
  await expect(page.getByRole("menuitem", { name: "Copy path" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Download", exact: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await rowIn(page, "x-数据.bin").click({ button: "right" });
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download", exact: true }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("x-数据.bin");
  expect(bytes.equals(await readFile(await download.path()))).toBe(true);
});
