/** What a user sees when the built-in engine, its downloads or its models fail, and the way out. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { callCommand } from "../fixtures/call-command";
import { packArchive } from "../fixtures/engine-mirror";
import { expect } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";
import { downloadTest, found, test, writeOllamaModel, editModel } from "./engine-machine";

test.use({ files: { "price.js": "export const taxRate = 0.19;\n" } });

const sectionOf = (page: Page) => page.getByRole("region", { name: "Built-in engine" });

/** An archive whose file would be written beside the folder it is unpacked into. */
function climbingArchive(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "gopi-pack-"));
  writeFileSync(join(folder, "llama-server"), "");
  try {
    return execFileSync("tar", ["-czPf", "-", "-C", folder, "--transform", "s,^,llama/../../,", "llama-server"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const oldSystem = `#!/bin/sh
echo "$0: /lib/libc.so.6: version \\\`GLIBC_2.99' not found (required by $0)" >&2
exit 1
`;

const failedDownloads = [
  {
    name: "another file than the expected one",
    use: { archive: Buffer.from("one"), sent: Buffer.from("two") },
    says: "The downloaded file isn't the expected one and was deleted.",
  },
  {
    name: "a mirror without the file",
    use: { servedName: "other" },
    says: /^127\.0\.0\.1:\d+ answered with status 404\./,
  },
  {
    name: "no network",
    use: { isReachable: false },
    says: /^The connection to 127\.0\.0\.1:\d+ failed\. Check the network/,
  },
  {
    name: "a full disk",
    use: { archiveBytes: 10 ** 15 },
    says: /^The disk is full: [\d.,]+\sTB more is needed\. Free up/,
  },
  {
    name: "an archive that climbs out of its folder",
    use: { archive: climbingArchive() },
    says: "The downloaded archive is damaged. Try again, or choose another build.",
  },
  {
    name: "an archive without llama-server",
    use: { archive: packArchive({ "readme.txt": "." }) },
    says: "The downloaded archive is damaged. Try again, or choose another build.",
  },
  {
    name: "a program for newer systems",
    use: { archive: packArchive({ "llama-b1/llama-server": oldSystem }) },
    says: "llama.cpp needs GLIBC_2.99, which this system doesn't have.",
  },
] as const;

for (const { name, use: options, says } of failedDownloads)
  downloadTest.describe(() => {
    downloadTest.use(options);
    downloadTest(`${name} is reported in the settings and in the first-run card`, async ({ page, server, place }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = sectionOf(page);
      const download = section.getByRole("button", { name: /^Download \(/ });
      await download.click();
      await expect(section.getByRole("alert")).toHaveText(typeof says === "string" ? new RegExp(`^${says}`) : says);
      await expect(download).toBeEnabled();
      expect(existsSync(join(place.home, "engine", "program"))).toBe(false);
      expect(existsSync(join(place.home, "engine", "llama-server"))).toBe(false);
      expect(existsSync(join(place.home, "engine", "downloads", "llama.tar.gz"))).toBe(false);

      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "Run a model on this machine" });
      await expect(card.getByRole("alert")).toHaveText(typeof says === "string" ? new RegExp(`^${says}`) : says);
      await expect(card.getByRole("button", { name: "Download and run" })).toBeEnabled();
    });
  });

downloadTest.describe(() => {
  downloadTest.use({ hubModel: Buffer.from("no model".repeat(1_000)) });
  downloadTest(
    "a model that is broken on the server can only be deleted, also after a restart",
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
    await expect(download).toContainText(/The server isn't sending anything\. Trying again in \d+ s/, {
      timeout: 30_000,
    });
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

  const failedLoads = [
    {
      name: "a lost graphics card",
      before: `echo "terminate called: vk::Queue::submit: ErrorDeviceLost" >&2; exit 1`,
      says: "The graphics card's driver failed. Try again. If it happens again, update the driver.",
    },
    {
      name: "a kill, which is the system's when memory runs out,",
      before: "kill -9 $$",
      says: "The engine was killed, probably because memory ran out. Try again, or choose a smaller window or a smaller model.",
    },
    {
      name: "a crash",
      before: `echo "something else" >&2; exit 3`,
      says: "The built-in engine ended unexpectedly. Try again",
    },
    {
      name: "an architecture of a newer version",
      before: `echo "error loading model: unknown model architecture: 'qwen9'" >&2; exit 1`,
      says: "This llama.cpp doesn't support models of the kind qwen9. Update llama.cpp, then load the model again.",
    },
    {
      name: "a program for a newer system",
      before: `echo "$0: /lib/libc.so.6: version 'GLIBC_2.99' not found (required by $0)" >&2; exit 1`,
      says: "llama.cpp needs GLIBC_2.99, which this system doesn't have. Install llama.cpp's package of your system",
    },
  ] as const;
  for (const { name, before, says } of failedLoads)
    test.describe(() => {
      test.use({ before });
      test(`${name} is reported at the model and in the conversation`, async ({ page, server }) => {
        const row = await useModel(page, server.origin);
        await row.getByRole("button", { name: "Load tiny:1b" }).click();
        await expect(row.getByRole("alert")).toContainText(says);
        await page.goto(server.origin);
        const { session } = new WorkbenchPageObject(page);
        await session.sendMessage("Raise the tax.");
        const notice = session.conversation.getByRole("alert");
        await expect(notice).toContainText(says);
        await expect(notice.getByRole("link", { name: "Model settings" })).toBeVisible();
        await notice.getByRole("button", { name: "Details" }).click();
        await expect(notice.locator("pre")).toBeVisible();
      });
    });

  test.describe(() => {
    test.use({
      before: `echo "srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080" >&2; exit 1`,
    });
    test("a port that another program has taken is reported at the model and in the conversation", async ({
      page,
      server,
    }) => {
      const row = await useModel(page, server.origin);
      await row.getByRole("button", { name: "Load tiny:1b" }).click();
      await expect(row.getByRole("alert")).toContainText("Another program took the engine's port. Try again.");
      await page.goto(server.origin);
      const { session } = new WorkbenchPageObject(page);
      await session.sendMessage("Raise the tax.");
      const notice = session.conversation.getByRole("alert");
      await expect(notice).toContainText("Another program took the engine's port. Try again.");
      await expect(notice.getByRole("button", { name: "Continue" })).toBeVisible();
    });
  });

  test.describe(() => {
    test.use({ program: "/bin/false" });
    test("a program that does not run, or is not there any more, is named in the settings and in the conversation", async ({
      page,
      server,
    }) => {
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
    });
  });

  test("a model that was damaged since is reported, and answers when its file is right again", async ({
    page,
    server,
    place,
    project,
  }) => {
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
  });

  test.describe(() => {
    // Memory for a window of 8k.
    test.use({
      before: `size=0; last=; for each in "$@"; do [ "$last" = --ctx-size ] && size=$each; last=$each; done
[ "$size" -gt 8192 ] && { echo "llama_kv_cache: failed to allocate buffer for kv cache" >&2; exit 1; }`,
    });
    test("a window that is too large for the memory is made smaller by a click", async ({ page, server, project }) => {
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
    });
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
    test("a model is loaded beforehand, and its device is named", async ({ page, server }) => {
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
