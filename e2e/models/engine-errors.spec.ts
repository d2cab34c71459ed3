/** Messages for the user when the built-in engine, its downloads or its models fail, and the way out. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { callCommand } from "../fixtures/call-command";
import { expect } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";
import { downloadTest, found, test, writeOllamaModel, editModel } from "./engine-machine";

test.use({ files: { "price.js": "export const taxRate = 0.19;\n" } });

const sectionOf = (page: Page) => page.getByRole("region", { name: "Built-in engine" });

downloadTest.describe(() => {
  downloadTest.use({ archive: Buffer.from("one"), sent: Buffer.from("two") });
  downloadTest(
    "a failed download is reported in the settings and in the first-run card",
    onlyInFull,
    async ({ page, server, place }) => {
      const text = /^The downloaded file isn't the expected one and was deleted\./;
      await page.goto(`${server.origin}/settings/model`);
      const section = sectionOf(page);
      const download = section.getByRole("button", { name: /^Download \(/ });
      await download.click();
      await expect(section.getByRole("alert")).toHaveText(text);
      await expect(download).toBeEnabled();
      expect(existsSync(join(place.home, "engine", "program"))).toBe(false);
      expect(existsSync(join(place.home, "engine", "llama-server"))).toBe(false);
      expect(existsSync(join(place.home, "engine", "downloads", "llama.tar.gz"))).toBe(false);

      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "Run a model here" });
      await expect(card.getByRole("alert")).toHaveText(text);
      await expect(card.getByRole("button", { name: "Download and run" })).toBeEnabled();
    },
  );
});

downloadTest.describe(() => {
  downloadTest.use({ hubModel: Buffer.from("no model".repeat(1_000)) });
  downloadTest(
    "a model that is broken on the server can only be deleted, also after a restart",
    onlyInFull,
    async ({ page, server, place }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = sectionOf(page);
      await section.getByRole("button", { name: "Download Tiny 1B" }).click();
      const download = section.getByRole("list", { name: "Downloads" }).getByRole("listitem");
      const text = /^The file on the server is damaged or isn't a model: /;
      await expect(download.getByRole("alert")).toHaveText(text);
      await server.kill("SIGTERM");
      await server.restart();
      await page.reload();
      await expect(download.getByRole("alert")).toHaveText(text);
      await expect(download.getByText(/Paused/)).toHaveCount(0);
      await download.getByRole("button", { name: "Delete file" }).click();
      await expect(download).toHaveCount(0);
      const file = join(place.home, "engine", "models", "tiny--Tiny-GGUF", "Tiny-1B-Q4_K_M.gguf");
      await expect.poll(() => existsSync(file)).toBe(false);
      await expect(section.getByRole("button", { name: "Download Tiny 1B" })).toBeVisible();
    },
  );
});

downloadTest(
  "a typed name shows its need first, and a server that sends nothing is reported until the download is cancelled",
  onlyInFull,
  async ({ page, server, place, mirror }) => {
    await page.goto(`${server.origin}/settings/model`);
    const section = sectionOf(page);
    await section.getByRole("textbox", { name: /^Hugging Face name/ }).fill("hf:tiny/Tiny-GGUF");
    await section.getByRole("button", { name: "Add" }).click();
    const offer = section.getByRole("status").filter({ hasText: "Tiny-1B-Q4_K_M" });
    // From the header of the file: the model's shape is known.
    await expect(offer).toContainText(/needs [\d.,]+\sGB of memory · fits/);
    mirror.setHalt(100);
    await offer.getByRole("button", { name: "Download Tiny-1B-Q4_K_M" }).click();
    const download = section.getByRole("list", { name: "Downloads" }).getByRole("listitem");
    await expect(download).toContainText(/The server isn't sending anything\. Trying again in \d+ s/);
    await download.getByRole("button", { name: "Cancel: Tiny-1B-Q4_K_M" }).click();
    await expect(download).toHaveCount(0);
    const part = join(place.home, "engine", "models", "tiny--Tiny-GGUF", "Tiny-1B-Q4_K_M.gguf.part");
    expect(existsSync(part)).toBe(false);
  },
);

test.describe(() => {
  test.skip(found.program === null, found.why);

  /** Adds Ollama's model in the settings and returns its row. */
  async function useModel(page: Page, origin: string) {
    await page.goto(`${origin}/settings/model`);
    await sectionOf(page).getByRole("button", { name: "Use tiny:1b" }).click();
    const row = sectionOf(page).getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
    await expect(row.getByRole("status")).toHaveText("Not in memory");
    return row;
  }

  test.describe(() => {
    test.use({ before: `echo "error loading model: unknown model architecture: 'qwen9'" >&2; exit 1` });
    test("a failed start of the engine is reported at the model and in the conversation", async ({ page, server }) => {
      const text =
        "This llama.cpp doesn't support models of the kind qwen9. Update llama.cpp, then load the model again.";
      const row = await useModel(page, server.origin);
      await row.getByRole("button", { name: "Load tiny:1b" }).click();
      await expect(row.getByRole("alert")).toContainText(text);
      await page.goto(server.origin);
      const { session } = new WorkbenchPageObject(page);
      await session.sendMessage("Raise the tax.");
      const notice = session.conversation.getByRole("alert");
      await expect(notice).toContainText(text);
      await expect(notice.getByRole("link", { name: "Model settings" })).toBeVisible();
      await notice.getByRole("button", { name: "Details" }).click();
      await expect(notice.locator("pre")).toBeVisible();
    });
  });

  test.describe(() => {
    test.use({ program: "/bin/false" });
    test(
      "a program that does not run, or is not there any more, is named in the settings and in the conversation",
      onlyInFull,
      async ({ page, server }) => {
        const reason = "/bin/false doesn't run as llama.cpp's server on this system.";
        await useModel(page, server.origin);
        await expect(sectionOf(page).getByRole("status").first()).toContainText(reason);
        await page.goto(server.origin);
        const { session } = new WorkbenchPageObject(page);
        await session.sendMessage("Raise the tax.");
        const notice = session.conversation.getByRole("alert");
        await expect(notice).toContainText(reason);
        await expect(notice.getByRole("link", { name: "Model settings" })).toBeVisible();
        await callCommand(server, "settings.write", { patch: { engineProgram: "/nowhere/llama-server" } });
        await notice.getByRole("button", { name: "Continue" }).click();
        await expect(notice.last()).toContainText("There is no program at /nowhere/llama-server. Correct the path in");
      },
    );
  });

  test(
    "a model that was damaged since is reported, and answers when its file is right again",
    onlyInFull,
    async ({ page, server, place, project }) => {
      const row = await useModel(page, server.origin);
      const file = writeOllamaModel(place, "tiny", editModel);
      const whole = readFileSync(file);
      await page.goto(server.origin);
      const bench = new WorkbenchPageObject(page);
      await bench.session.expectReady();
      writeFileSync(file, "no model");
      await bench.session.sendMessage("Raise the tax.");
      const notice = bench.session.conversation.getByRole("alert");
      await expect(notice).toContainText("The model file is damaged or isn't a model.");
      await notice.getByRole("link", { name: "Model settings" }).click();
      await expect(row.getByRole("alert")).toHaveText(/^The model file is damaged or isn't a model\./);
      await expect(row.getByRole("button", { name: "Load tiny:1b" })).toHaveCount(0);
      await page.goBack();
      writeFileSync(file, whole);
      await notice.getByRole("button", { name: "Continue" }).click();
      await bench.session.card.once.click();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");
    },
  );

  test.describe(() => {
    // Memory for a window of 8k.
    test.use({
      before: `size=0; last=; for each in "$@"; do [ "$last" = --ctx-size ] && size=$each; last=$each; done
[ "$size" -gt 8192 ] && { echo "llama_kv_cache: failed to allocate buffer for kv cache" >&2; exit 1; }`,
    });
    test(
      "a window that is too large for the memory is made smaller by a click",
      onlyInFull,
      async ({ page, server, project }) => {
        const row = await useModel(page, server.origin);
        await callCommand(server, "models.choose", { model: "tiny:1b", connection: "engine", numCtx: 16_384 });
        await row.getByRole("button", { name: "Load tiny:1b" }).click();
        await expect(row.getByRole("alert")).toContainText("Not enough memory for this model.");
        await expect(row.getByText(/ · fits/)).toHaveCount(0);
        await row.getByRole("button", { name: "Use a window of 8k" }).click();
        await expect(row.getByRole("status")).toHaveText(/^In memory, window 8k/);

        await callCommand(server, "models.choose", { model: "tiny:1b", connection: "engine", numCtx: 16_384 });
        await page.goto(server.origin);
        const { session } = new WorkbenchPageObject(page);
        await session.sendMessage("Raise the tax.");
        await session.conversation.getByRole("button", { name: "Use a window of 8k" }).click();
        await session.conversation.getByRole("button", { name: "Continue" }).click();
        await session.card.once.click();
        await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
        expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");
      },
    );
  });

  test.describe(() => {
    const card = "(NVIDIA GeForce RTX 3060) (0000:01:00.0)";
    test.use({
      before: `{
echo "llama_prepare_model_devices: using device CUDA0 ${card} - 5221 MiB free"
echo "load_tensors: offloaded 18/33 layers to GPU"
echo "load_tensors:        CUDA0 model buffer size =  2100.55 MiB"
} >&2`,
    });
    test("a model is loaded beforehand, and its device is named", onlyInFull, async ({ page, server }) => {
      const row = await useModel(page, server.origin);
      await row.getByRole("button", { name: "Load tiny:1b" }).click();
      await expect(row.getByRole("status")).toHaveText(
        /^In memory, window \d+k, 18 of 33 layers on NVIDIA GeForce RTX 3060$/,
      );
      await row.getByRole("button", { name: "Unload" }).click();
      await expect(row.getByRole("status")).toHaveText("Not in memory");
    });
  });
});
