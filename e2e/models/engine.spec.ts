/** The built-in engine from the settings to a finished edit, on a machine without another model server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { packArchive, wrapBuild } from "../fixtures/engine-mirror";
import { findProcesses } from "../fixtures/server";
import { expect } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";
import { downloadTest, editModel, found, test, writeOllamaModel } from "./engine-machine";

test.use({ files: { "price.js": "export const taxRate = 0.19;\n" } });

test("a model that Ollama has downloaded runs without Ollama, and is unloaded", async ({ page, server, project }) => {
  test.skip(found.program === null, found.why);
  await page.goto(`${server.origin}/settings/model`);
  const section = page.getByRole("region", { name: "Built-in engine" });
  await expect(section.getByText(/^llama\.cpp \d/)).toBeVisible();
  await section.getByRole("button", { name: "Use tiny:1b" }).click();
  const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
  await expect(row.getByRole("status")).toHaveText("Not in memory");
  await expect(row).toContainText(/ · needs [\d.,]+\sGB of memory · fits/);
  await expect(section.getByRole("list", { name: "Already on this machine" })).toHaveCount(0);

  await page.goto(server.origin);
  const bench = new WorkbenchPageObject(page);
  await bench.begin("Raise the tax.");
  await bench.session.card.once.click();
  await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
  expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");

  await page.goto(`${server.origin}/settings/model`);
  await expect(row.getByRole("status")).toHaveText(/^In memory, window /);
  await row.getByRole("button", { name: "Unload" }).click();
  await expect(row.getByRole("status")).toHaveText("Not in memory");
  await row.getByRole("button", { name: "Remove tiny:1b from the list" }).click();
  await expect(row).toHaveCount(0);
  await expect(section.getByRole("button", { name: "Use tiny:1b" })).toBeVisible();
});

test(
  "a model that does not stay in memory is loaded for each answer, and shown as not in memory after it",
  onlyInFull,
  async ({ page, server, context }) => {
    test.skip(found.program === null, found.why);
    await page.goto(`${server.origin}/settings/model`);
    const section = page.getByRole("region", { name: "Built-in engine" });
    await section.getByRole("button", { name: "Use tiny:1b" }).click();
    const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
    await row.getByRole("button", { name: "tiny:1b", exact: true }).click();
    const time = page.getByRole("textbox", { name: "Keep model in memory" });
    await time.fill("0m");
    await time.press("Enter");
    await page.getByRole("button", { name: "Models", exact: true }).click();
    await expect(row.getByRole("status")).toHaveText("Not in memory");

    const talk = await context.newPage();
    await talk.goto(server.origin);
    const bench = new WorkbenchPageObject(talk);
    await bench.begin("Raise the tax.");
    await expect(bench.session.card.once).toBeVisible();
    // The engine ends while the approval waits, and starts again for the next request.
    await expect(row.getByRole("status")).toHaveText("Not in memory");
    await bench.session.card.once.click();
    await expect(talk.getByText("The tax is 21 % now.")).toBeVisible();
    await expect(row.getByRole("status")).toHaveText("Not in memory");
  },
);

test(
  "the doctor tests a model from its page, and its verdict is in the row and in the model menu",
  onlyInFull,
  async ({ page, server, place }) => {
    test.skip(found.program === null, found.why);
    // The test fills most of the window.
    writeOllamaModel(place, "tiny", { ...editModel, context: 4_096 });
    await page.goto(`${server.origin}/settings/model`);
    const section = page.getByRole("region", { name: "Built-in engine" });
    await section.getByRole("button", { name: "Use tiny:1b" }).click();
    const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
    await row.getByRole("button", { name: "tiny:1b", exact: true }).click();
    await page.getByRole("button", { name: "Test model" }).click();
    await expect(page.getByText(/^Last test/)).toBeVisible();
    const verdict = page.locator("[data-verdict]");
    await expect(verdict).toBeVisible();
    const word = (await verdict.textContent()) ?? "";
    await page.getByRole("button", { name: "Models", exact: true }).click();
    await expect(row.locator("[data-verdict]")).toHaveText(word);

    await page.goto(server.origin);
    await page.getByRole("button", { name: /tiny:1b/ }).click();
    await expect(page.getByRole("menuitemradio", { name: /^tiny:1b/ }).locator("[data-verdict]")).toHaveText(word);

    writeOllamaModel(place, "tiny", { answers: [], otherwise: "Another model." });
    await page.goto(`${server.origin}/settings/model`);
    await expect(row.getByRole("status")).toBeVisible();
    await expect(row.locator("[data-verdict]")).toHaveCount(0);
  },
);

test("a path that is no model is refused with the reason", onlyInFull, async ({ page, server, project }) => {
  test.skip(found.program === null, found.why);
  await page.goto(`${server.origin}/settings/model`);
  const section = page.getByRole("region", { name: "Built-in engine" });
  const add = async (path: string): Promise<void> => {
    await section.getByLabel("Hugging Face name, or path of a GGUF file").fill(path);
    await section.getByRole("button", { name: "Add", exact: true }).click();
  };
  await add(join(project, "price.js"));
  await expect(page.getByText("The model file is damaged or isn't a model.")).toBeVisible();
  await add(join(project, "none.gguf"));
  await expect(page.getByText("There is no file at this path.")).toBeVisible();
  await add("none.gguf");
  await expect(page.getByText("Enter the whole path, from the root folder.")).toBeVisible();
});

test.describe(() => {
  test.use({ program: "/nowhere/llama-server" });
  test("without llama.cpp the section names the next step", onlyInFull, async ({ page, server }) => {
    await page.goto(`${server.origin}/settings/model`);
    const section = page.getByRole("region", { name: "Built-in engine" });
    await expect(section.getByText("No llama-server was found on this machine.")).toBeVisible();
    await expect(section.getByRole("link", { name: "Installation guide" })).toBeVisible();
    await expect(section.getByRole("button", { name: "Check again" })).toBeEnabled();
  });
});

downloadTest.describe(() => {
  downloadTest.skip(found.program === null, found.why);

  downloadTest(
    "a machine without llama.cpp gets it by a click, and the agent finishes an edit",
    async ({ page, server, mirror, place, project }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = page.getByRole("region", { name: "Built-in engine" });
      await expect(section.getByText(/^llama\.cpp b1 can be downloaded from 127\.0\.0\.1:\d+\./)).toBeVisible();
      mirror.setHalt(100);
      const download = section.getByRole("button", { name: /^Download \(/ });
      const cancel = section.getByRole("button", { name: "Cancel: llama.cpp" });
      const running = section.getByText(/^Downloading 100\sB of /);
      const parts = join(place.home, "engine", "downloads");
      await download.click();
      await expect(running).toBeVisible();
      await page.reload();
      await expect(running).toBeVisible();
      expect(existsSync(parts)).toBe(true);
      await cancel.click();
      await expect(section.getByRole("status").first()).toHaveText("No llama-server was found on this machine.");
      await expect(download).toBeVisible();
      expect(existsSync(parts)).toBe(false);

      await download.click();
      await expect(running).toBeVisible();
      await section.getByRole("button", { name: "Pause" }).click();
      await page.reload();
      await expect(section.getByText(/^Paused at 100\sB of /)).toBeVisible();
      await cancel.click();
      await expect(download).toBeVisible();
      await expect(section.getByText(/^Paused at /)).toHaveCount(0);
      expect(existsSync(parts)).toBe(false);

      await download.click();
      await expect(running).toBeVisible();
      await section.getByRole("button", { name: "Pause" }).click();
      mirror.setHalt(null);
      await section.getByRole("button", { name: "Resume" }).click();
      await expect(section.getByText(join(place.home, "engine", "program", "llama-b1", "llama-server"))).toBeVisible();
      expect(mirror.requests.map((request) => request.split(" ").at(-1))).toEqual(["0", "0", "0", "100"]);

      await section.getByRole("button", { name: "Use tiny:1b" }).click();
      await page.goto(server.origin);
      const bench = new WorkbenchPageObject(page);
      await bench.begin("Raise the tax.");
      await bench.session.card.once.click();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");

      await page.goto(`${server.origin}/settings/model`);
      await section.getByRole("button", { name: "Delete llama.cpp" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete llama.cpp" }).click();
      await expect(page.getByText("llama.cpp was deleted. Your models are still there.")).toBeVisible();
      await expect(section.getByRole("button", { name: /^Download \(/ })).toBeVisible();
      expect(existsSync(join(place.home, "engine", "program"))).toBe(false);
    },
  );

  downloadTest.describe(() => {
    const serverOf = (build: number): string => wrapBuild(found.program ?? "", build);
    downloadTest.use({ tag: "b20000", archive: packArchive({ "llama-b20000/llama-server": serverOf(20_000) }) });
    downloadTest(
      "an older llama.cpp is updated by a click, and runs models until then",
      onlyInFull,
      async ({ page, server, mirror, place }) => {
        const folder = join(place.home, "engine", "program");
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "llama-server"), serverOf(10_000), { mode: 0o755 });
        await page.goto(`${server.origin}/settings/model`);
        const section = page.getByRole("region", { name: "Built-in engine" });
        await expect(section.getByText("llama.cpp 10000 (abc)")).toBeVisible();
        await expect(section.getByText(/^llama\.cpp b20000 can be downloaded from 127\.0\.0\.1:\d+\./)).toBeVisible();
        mirror.setHalt(100);
        const update = section.getByRole("button", { name: /^Update \(/ });
        await update.click();
        await expect(section.getByText(/^Downloading 100\sB of /)).toBeVisible();
        await section.getByRole("button", { name: "Use tiny:1b" }).click();
        await section.getByRole("button", { name: "Load tiny:1b" }).click();
        const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
        await expect(row.getByRole("status")).toHaveText(/^In memory, window /);
        await section.getByRole("button", { name: "Pause" }).click();
        await section.getByRole("button", { name: "Cancel: llama.cpp" }).click();
        mirror.setHalt(null);
        await update.click();
        await expect(section.getByText("llama.cpp 20000 (abc)")).toBeVisible();
        await expect(update).toHaveCount(0);
        await expect(row.getByRole("status")).toHaveText("Not in memory");
        await row.getByRole("button", { name: "Load tiny:1b" }).click();
        await expect(row.getByRole("status")).toHaveText(/^In memory, window /);
        expect(existsSync(join(folder, "llama-server"))).toBe(false);
      },
    );
  });

  downloadTest(
    "while there is no connection, both downloads report that it is tried again",
    onlyInFull,
    async ({ page, server, mirror }) => {
      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "Run a model here" });
      mirror.setHalt(100);
      await card.getByRole("button", { name: "Download and run" }).click();
      await expect(card.getByText(/^Downloading 100\sB of /)).toHaveCount(2);
      await mirror.close();
      await expect(card.getByText("No connection, trying again")).toHaveCount(2);
      await expect(card.getByRole("button", { name: "Pause" })).toHaveCount(2);
    },
  );

  downloadTest(
    "a machine without anything runs a model after one click",
    onlyInFull,
    async ({ page, server, project }) => {
      await page.goto(server.origin);
      const card = page.getByRole("region", { name: "Run a model here" });
      await expect(
        card.getByText(/^Downloads llama\.cpp \(.+\) and Tiny 1B \(1\.5\sMB\) from 127\.0\.0\.1:\d+\.$/),
      ).toBeVisible();
      await card.getByRole("button", { name: "Download and run" }).click();
      await expect(page.getByText(/^Tiny-1B-Q4_K_M · Built-in engine/)).toBeVisible();
      const bench = new WorkbenchPageObject(page);
      await bench.begin("Raise the tax.");
      await bench.session.card.once.click();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");
    },
  );

  downloadTest(
    "a model by its name is paused, continued over a restart of the page, deleted, and given up",
    onlyInFull,
    async ({ page, server, mirror, place }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = page.getByRole("region", { name: "Built-in engine" });
      const field = section.getByLabel("Hugging Face name, or path of a GGUF file");
      const add = section.getByRole("button", { name: "Add", exact: true });
      const download = section.getByRole("list", { name: "Downloads" }).getByRole("listitem");
      const file = join(place.home, "engine", "models", "tiny--Tiny-GGUF", "Tiny-1B-Q4_K_M.gguf");
      await field.fill("hf:tiny/none");
      await add.click();
      await expect(page.getByText(/^127\.0\.0\.1:\d+ has no public repository with this name\.$/)).toBeVisible();
      await field.fill("hf:tiny/Tiny-GGUF:Q8_0");
      await add.click();
      await expect(page.getByText("The repository has no such file. It has: Q4_K_M.")).toBeVisible();
      await field.fill("tiny/Tiny-GGUF");
      await add.click();
      const start = section.getByRole("button", { name: "Download Tiny-1B-Q4_K_M" });
      await expect(start).toBeVisible();
      mirror.setHalt(2_000);
      await start.click();
      await expect(download.getByText(/^Downloading 2\skB of /)).toBeVisible();
      await download.getByRole("button", { name: "Pause" }).click();
      await page.reload();
      await expect(download.getByText(/^Paused at 2\skB of /)).toBeVisible();
      mirror.setHalt(null);
      await download.getByRole("button", { name: "Resume" }).click();
      const models = section.getByRole("list", { name: "Models of the built-in engine" });
      await expect(models.getByText("Tiny-1B-Q4_K_M")).toBeVisible();
      await expect(download).toHaveCount(0);

      await models.getByRole("button", { name: "Delete Tiny-1B-Q4_K_M" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete model" }).click();
      await expect(page.getByText("Tiny-1B-Q4_K_M was deleted.")).toBeVisible();
      expect(existsSync(file)).toBe(false);

      mirror.setHalt(2_000);
      await section.getByRole("button", { name: "Download Tiny 1B" }).click();
      await expect(download.getByText(/^Downloading 2\skB of /)).toBeVisible();
      await download.getByRole("button", { name: "Cancel: Tiny-1B-Q4_K_M" }).click();
      await expect(download).toHaveCount(0);
      await expect.poll(() => existsSync(`${file}.part`)).toBe(false);
    },
  );

  downloadTest(
    "after a kill of gopi-web a download continues, and no engine is left",
    async ({ page, server, mirror, place }) => {
      const section = page.getByRole("region", { name: "Built-in engine" });
      const download = section.getByRole("list", { name: "Downloads" }).getByRole("listitem");
      const engines = (): number =>
        findProcesses(place.root).filter(({ command }) => command.includes("--jinja")).length;
      await page.goto(`${server.origin}/settings/model`);
      await section.getByRole("button", { name: /^Download \(/ }).click();
      await expect(section.getByRole("button", { name: "Delete llama.cpp" })).toBeVisible();
      mirror.setHalt(2_000);
      await section.getByRole("button", { name: "Download Tiny 1B" }).click();
      await expect(download.getByText(/^Downloading 2\skB of /)).toBeVisible();
      await server.kill("SIGKILL");
      await server.restart();
      await page.goto(`${server.origin}/settings/model`);
      await expect(download.getByText(/^Paused at 2\skB of /)).toBeVisible();
      mirror.setHalt(null);
      await download.getByRole("button", { name: "Resume" }).click();
      await expect(section.getByRole("list", { name: "Models of the built-in engine" })).toBeVisible();
      expect(mirror.requests.at(-1)).toMatch(/Tiny-1B-Q4_K_M\.gguf 2000$/);

      await page.goto(server.origin);
      const bench = new WorkbenchPageObject(page);
      await bench.begin("Raise the tax.");
      await bench.session.card.once.waitFor();
      expect(engines()).toBe(1);
      await server.kill("SIGKILL");
      await server.restart();
      await expect.poll(engines).toBe(0);
      await page.goto(server.origin);
      await bench.expectOnline();
    },
  );
});
