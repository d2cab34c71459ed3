/** From a machine without anything to a finished edit by clicks alone, on a phone and in Chinese. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";
import { downloadTest, found } from "./engine-machine";

downloadTest.use({ files: { "price.js": "export const taxRate = 0.19;\n" } });
downloadTest.skip(found.program === null, found.why);

downloadTest.describe(() => {
  downloadTest.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  downloadTest(
    "a phone sets up a machine without anything, and the agent finishes an edit",
    onlyInFull,
    async ({ page, server, mirror, project }) => {
      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "Run a model here" });
      mirror.setHalt(100);
      await card.getByRole("button", { name: "Download and run" }).tap();
      await expect(card.getByText(/^Downloading 100\sB of /)).toHaveCount(2);
      // Nothing is wider than the screen.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await card.getByRole("button", { name: "Pause: llama.cpp" }).tap();
      await card.getByRole("button", { name: "Pause: Tiny-1B-Q4_K_M" }).tap();
      await expect(card.getByText(/^Paused at 100\sB of /)).toHaveCount(2);
      mirror.setHalt(null);
      await card.getByRole("button", { name: "Resume: Tiny-1B-Q4_K_M" }).tap();
      await expect(page.getByText(/^Tiny-1B-Q4_K_M · Built-in engine/)).toBeVisible();
      // The model is there, but not what runs it.
      const engine = page.getByRole("region", { name: "Built-in engine" });
      await expect(engine.getByText(/^Paused at 100\sB of /)).toBeVisible();
      await engine.getByRole("button", { name: "Resume" }).tap();
      await expect(engine).toHaveCount(0);
      const { session } = new WorkbenchPageObject(page);
      await session.expectReady();
      await session.composer.fill("Raise the tax.");
      await page.getByRole("button", { name: "Send", exact: true }).tap();
      await session.card.once.tap();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");
    },
  );
});

downloadTest.describe(() => {
  downloadTest.use({ locale: "zh-CN" });
  downloadTest(
    "in Chinese too, and the settings show the model in memory",
    onlyInFull,
    async ({ page, server, project }) => {
      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "在此电脑上运行模型" });
      await expect(card.getByText(/^将从 127\.0\.0\.1:\d+ 下载 llama\.cpp/)).toBeVisible();
      await card.getByRole("button", { name: "下载并运行" }).click();
      await expect(page.getByText(/^Tiny-1B-Q4_K_M · 内置引擎/)).toBeVisible();
      await page.locator("[data-composer]").getByRole("textbox").fill("把税率提高到 21 %。");
      await page.keyboard.press("Enter");
      await page.locator("[data-approval]").getByRole("button", { name: "允许一次" }).click();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");

      await page.goto(`${server.origin}/settings/model`);
      const row = page.getByRole("list", { name: "内置引擎的模型" }).getByRole("listitem");
      await expect(row.getByRole("status")).toHaveText(/^已载入内存，窗口 \d+k/);
      await row.getByRole("button", { name: "卸载" }).click();
      await row.getByRole("button", { name: "载入 Tiny-1B-Q4_K_M" }).click();
      await expect(row.getByRole("status")).toHaveText(/^已载入内存，窗口 \d+k/);
    },
  );
});
