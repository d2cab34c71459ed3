/** Uploads into the tree in Chromium: chosen files, dropped files and folders, questions, cancellation and Undo. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { typeRowName } from "../pages/file-tree";
import { restingCentre } from "../pages/resting-centre";
import { expect, test } from "../pages/mime-stage";

const rowIn = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);

/** Shows the tree of a project with a folder `box` and a file `x-one.txt`; returns a folder with files to upload. */
async function openTree(page: Page, project: string): Promise<string> {
  await mkdir(join(project, "box"));
  await writeFile(join(project, "x-one.txt"), "old");
  const source = await mkdtemp(join(tmpdir(), "upload-"));
  await mkdir(join(source, "photos/deep"), { recursive: true });
  await writeFile(join(source, "x-one.txt"), "new");
  await writeFile(join(source, "fresh.txt"), "fresh");
  await writeFile(join(source, "photos/deep/p.bin"), Buffer.alloc(200_000, 7));
  await page.getByRole("button", { name: "Files" }).first().click();
  await expect(rowIn(page, "x-one.txt")).toBeVisible();
  return source;
}

/** Drags files or folders of this machine from outside the browser over a row and drops them there. */
async function dropFrom(page: Page, paths: readonly string[], row: Locator, isOpening: () => Promise<void>) {
  const devtools = await page.context().newCDPSession(page);
  const point = await restingCentre(row);
  const send = (type: "dragEnter" | "dragOver" | "drop") =>
    devtools.send("Input.dispatchDragEvent", {
      type,
      ...point,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await send("dragEnter");
  await send("dragOver");
  await isOpening();
  await send("drop");
}

test("files chosen with the keyboard replace, stay beside or skip existing ones, and Undo restores", async ({
  page,
  bench,
  place,
}) => {
  await bench.expectOnline();
  const source = await openTree(page, place.project);
  const read = (path: string) => readFile(join(place.project, path), "utf8");
  const chooseBoth = async (): Promise<void> => {
    await typeRowName(page, "x-one");
    await page.keyboard.press("Shift+F10");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: "Upload files" }).press("Enter");
    await (await chooser).setFiles([join(source, "x-one.txt"), join(source, "fresh.txt")]);
  };
  await chooseBoth();
  const dialog = page.getByRole("dialog", { name: "Replace the existing file?" });
  await expect(dialog).toContainText("x-one.txt already exists in the project folder");
  await dialog.getByRole("button", { name: "Replace" }).press("Enter");
  await expect(page.getByRole("status").getByText("Uploaded 2 files to the project folder")).toBeVisible();
  expect([await read("x-one.txt"), await read("fresh.txt")]).toEqual(["new", "fresh"]);
  await expect(rowIn(page, "fresh.txt")).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(rowIn(page, "fresh.txt")).toHaveCount(0);
  await expect.poll(() => read("x-one.txt").catch(() => "")).toBe("old");

  await writeFile(join(place.project, "fresh.txt"), "mine");
  await expect(rowIn(page, "fresh.txt")).toBeVisible();
  await chooseBoth();
  await dialog.getByRole("checkbox", { name: "Also for the other existing file" }).press("Space");
  await dialog.getByRole("button", { name: "Keep both" }).press("Enter");
  await expect(rowIn(page, "fresh copy.txt")).toBeVisible();
  await expect.poll(() => read("x-one copy.txt").catch(() => "")).toBe("new");
  expect(await read("fresh.txt")).toBe("mine");

  await chooseBoth();
  await dialog.getByRole("button", { name: "Skip" }).click();
  await expect(dialog).toContainText("fresh.txt already exists");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect([await read("x-one.txt"), await read("fresh.txt")]).toEqual(["old", "mine"]);
});

test(
  "dropped files and folders go into the folder below the pointer, which opens",
  onlyInFull,
  async ({ page, bench, place }) => {
    await bench.expectOnline();
    const source = await openTree(page, place.project);
    await dropFrom(page, [join(source, "fresh.txt"), join(source, "photos")], rowIn(page, "box"), () =>
      expect(rowIn(page, "box")).toHaveAttribute("aria-expanded", "true"),
    );
    await expect(rowIn(page, "box/photos")).toBeVisible();
    await expect(page.getByRole("status").getByText("Uploaded 2 files to box")).toBeVisible();
    expect((await readFile(join(place.project, "box/photos/deep/p.bin"))).length).toBe(200_000);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(rowIn(page, "box/photos")).toHaveCount(0);
    await expect.poll(() => readdir(join(place.project, "box"))).toEqual([]);
  },
);

test(
  "an upload shows its progress, and Cancel leaves nothing of the file",
  onlyInFull,
  async ({ page, bench, place }) => {
    await bench.expectOnline();
    await openTree(page, place.project);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 500_000,
    });
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "New file or folder" }).click();
    await page.getByRole("menuitem", { name: "Upload files" }).click();
    await (await chooser).setFiles({ name: "big.bin", mimeType: "", buffer: Buffer.alloc(12_000_000) });
    await expect(page.getByText("Uploading big.bin")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Upload progress" })).not.toHaveAttribute("aria-valuenow", "0");
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await expect(page.getByRole("status").getByText("Upload cancelled")).toBeVisible();
    await expect(page.getByText("Uploading big.bin")).toHaveCount(0);
    await expect
      .poll(async () => (await readdir(place.project)).filter((name) => name.endsWith(".tmp") || name === "big.bin"))
      .toEqual([]);
  },
);

test.describe("on a phone", onlyInFull, () => {
  test.use({ hasTouch: true });

  test("files are uploaded from the menu of the tree", async ({ page, bench, place }) => {
    await bench.expectOnline();
    await page.setViewportSize({ width: 390, height: 844 });
    const source = await openTree(page, place.project);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "New file or folder" }).tap();
    await page.getByRole("menuitem", { name: "Upload files" }).tap();
    await (await chooser).setFiles(join(source, "fresh.txt"));
    await expect(rowIn(page, "fresh.txt")).toBeVisible();
    await expect.poll(() => existsSync(join(place.project, "fresh.txt"))).toBe(true);
  });
});
