/** Image files in the editor. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test";
import { expectDrawn } from "../pages/open-file";

test.use({ files: { "a.txt": "text\n" } });

/** A black bitmap, 24 bits per pixel. */
function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

async function openImage(page: Page, name: string): Promise<void> {
  await expectDrawn(page);
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await page.keyboard.press("Enter");
}

test("an image is fitted to the pane, shown in its own size, and follows the disk", async ({ page, project }) => {
  await writeFile(join(project, "large.bmp"), bitmap(3000, 20));
  await writeFile(join(project, "broken.bmp"), Buffer.from([0x42, 0x4d, 0, 0, 0, 1, 2, 3]));
  await openImage(page, "large.bmp");
  const region = page.getByRole("region", { name: "Image" });
  const image = region.getByRole("img", { name: "large.bmp" });
  await expect(page.getByText("3000 × 20 pixels")).toBeVisible();
  const width = () => image.evaluate((element) => element.getBoundingClientRect().width);
  /** Negative or zero = fitted. */
  const excessWidth = async () => (await width()) - (await region.evaluate((element) => element.clientWidth));
  await expect.poll(excessWidth).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Actual size" }).click();
  await expect.poll(width).toBe(3000);
  await page.getByRole("button", { name: "Fit to window" }).click();
  await expect.poll(excessWidth).toBeLessThanOrEqual(0);

  await writeFile(join(project, "large.bmp"), bitmap(30, 40));
  await expect(page.getByText("30 × 40 pixels")).toBeVisible();
  await openImage(page, "broken.bmp");
  await expect(page.getByText("This image can't be displayed. The file may be damaged.")).toBeVisible();
});
