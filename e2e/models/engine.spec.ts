/** The built-in engine from the settings to a finished edit, on a machine without another model server. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  archiveEntry,
  type EngineMirror,
  packArchive,
  serveEngineMirror,
  wrapProgram,
} from "../fixtures/engine-mirror";
import { findLlamaServer } from "../fixtures/find-llama-server";
import { hubFiles } from "../fixtures/hub-files";
import { findProcesses, type ProductEnvironment, startProductServer, type TestServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";
import { type TinyModel, writeTinyModel } from "../fixtures/tiny-model.mjs";
import { WorkbenchPageObject } from "../pages/workbench-page";

const found = await findLlamaServer();

const call = (name: string, input: object): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
const editModel: TinyModel = {
  answers: [
    { text: call("edit", { path: "price.js", old_string: "0.19", new_string: "0.21" }) },
    { text: "The tax is 21 % now." },
  ],
};

/** Puts a model where Ollama stores the ones it has downloaded. */
function writeOllamaModel({ root }: ProductEnvironment, name: string, model: TinyModel): void {
  const blob = `sha256-${"a".repeat(64)}`;
  const models = join(root, ".ollama", "models");
  const manifests = join(models, "manifests", "registry.ollama.ai", "library", name);
  mkdirSync(join(models, "blobs"), { recursive: true });
  mkdirSync(manifests, { recursive: true });
  writeTinyModel(join(models, "blobs", blob), model);
  const layers = [{ mediaType: "application/vnd.ollama.image.model", digest: blob.replace("-", ":") }];
  writeFileSync(join(manifests, "1b"), JSON.stringify({ layers }));
}

const test = base.extend<{ readonly program: string; readonly server: TestServer }>({
  program: [found.program ?? "", { option: true }],
  server: async ({ place, program, model }, use) => {
    // The machine has no other model server.
    await model.close();
    writeOllamaModel(place, "tiny", editModel);
    const server = await startProductServer({
      ...place,
      environment: { ...place.environment, GOPI_LLAMA_SERVER: program },
    });
    await use(server);
    await server.kill("SIGTERM");
  },
});

test.use({ files: { "price.js": "export const taxRate = 0.19;\n" } });

test("a model that Ollama has downloaded runs without Ollama, and is unloaded", async ({ page, server, project }) => {
  test.skip(found.program === null, found.why);
  await page.goto(`${server.origin}/settings/model`);
  const section = page.getByRole("region", { name: "Built-in engine" });
  await expect(section.getByText(/^llama\.cpp \d/)).toBeVisible();
  await section.getByRole("button", { name: "Use tiny:1b" }).click();
  const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
  await expect(row.getByRole("status")).toHaveText("Not in memory");
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

test("the doctor tests a model from its page, and its verdict is in the row and in the model menu", async ({
  page,
  server,
  place,
}) => {
  test.skip(found.program === null, found.why);
  // The test fills most of the window.
  writeOllamaModel(place, "tiny", { ...editModel, context: 4_096 });
  await page.goto(`${server.origin}/settings/model`);
  const section = page.getByRole("region", { name: "Built-in engine" });
  await section.getByRole("button", { name: "Use tiny:1b" }).click();
  const row = section.getByRole("list", { name: "Models of the built-in engine" }).getByRole("listitem");
  await row.getByRole("button", { name: "tiny:1b", exact: true }).click();
  await page.getByRole("button", { name: "Test model" }).click();
  await expect(page.getByText(/^Last test/)).toBeVisible({ timeout: 60_000 });
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
});

test("a path that is no model is refused with the reason", async ({ page, server, project }) => {
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
  test("without llama.cpp the section names the next step", async ({ page, server }) => {
    await page.goto(`${server.origin}/settings/model`);
    const section = page.getByRole("region", { name: "Built-in engine" });
    await expect(section.getByText("No llama-server was found on this machine.")).toBeVisible();
    await expect(section.getByRole("link", { name: "Installation guide" })).toBeVisible();
    await expect(section.getByRole("button", { name: "Check again" })).toBeEnabled();
  });
});

const tinySuggestion = {
  name: "Tiny 1B",
  reference: "hf:tiny/Tiny-GGUF:Q4_K_M",
  bytes: 1_500_000,
  kvBytesPerToken: 64,
  activeParameters: 1e9,
  license: "MIT",
  contextLength: 32_768,
  capabilities: ["tools"],
};

/** Files of the model that a new machine downloads. */
function hubModel(): Readonly<Record<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "gopi-hub-"));
  writeTinyModel(join(folder, "model"), editModel);
  const model = readFileSync(join(folder, "model"));
  rmSync(folder, { recursive: true });
  return hubFiles("tiny/Tiny-GGUF", { "Tiny-1B-Q4_K_M.gguf": model });
}

const downloadTest = test.extend<{ readonly mirror: EngineMirror; readonly archive: Buffer }>({
  archive: [packArchive({ "llama-b1/llama-server": wrapProgram(found.program ?? "") }), { option: true }],
  mirror: async ({ archive }, use) => {
    const mirror = await serveEngineMirror({ "llama.tar.gz": archive, ...hubModel() });
    await use(mirror);
    await mirror.close();
  },
  server: async ({ place, archive, mirror, model }, use) => {
    await model.close();
    writeOllamaModel(place, "tiny", editModel);
    const catalogue = join(place.root, "catalogue.json");
    const { platform, arch } = process;
    const build = { platform, arch, kind: "cpu", archives: [archiveEntry("llama.tar.gz", archive)] };
    writeFileSync(catalogue, JSON.stringify({ tag: "b1", base: mirror.base, builds: [build] }));
    const models = join(place.root, "models.json");
    writeFileSync(models, JSON.stringify([tinySuggestion]));
    const folders = (place.environment.PATH ?? "").split(delimiter);
    const PATH = folders.filter((folder) => !existsSync(join(folder, "llama-server"))).join(delimiter);
    const server = await startProductServer({
      ...place,
      environment: {
        ...place.environment,
        PATH,
        GOPI_LLAMA_SERVER: "",
        GOPI_ENGINE_CATALOGUE: catalogue,
        GOPI_MODEL_CATALOGUE: models,
        HF_ENDPOINT: mirror.base,
      },
    });
    await use(server);
    await server.kill("SIGTERM");
  },
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
      await section.getByRole("button", { name: /^Download \(/ }).click();
      await expect(section.getByText(/^Downloading 100 B of /)).toBeVisible();
      await page.reload();
      await expect(section.getByText(/^Downloading 100 B of /)).toBeVisible();
      await section.getByRole("button", { name: "Pause" }).click();
      mirror.setHalt(null);
      await section.getByRole("button", { name: /^Download \(/ }).click();
      await expect(section.getByText(join(place.home, "engine", "program", "llama-b1", "llama-server"))).toBeVisible();
      expect(mirror.requests).toEqual(["llama.tar.gz 0", "llama.tar.gz 100"]);

      await section.getByRole("button", { name: "Use tiny:1b" }).click();
      await page.goto(server.origin);
      const bench = new WorkbenchPageObject(page);
      await bench.begin("Raise the tax.");
      await bench.session.card.once.click();
      await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
      expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");

      await page.goto(`${server.origin}/settings/model`);
      await section.getByRole("button", { name: "Delete llama.cpp" }).click();
      await expect(page.getByText("llama.cpp was deleted. Your models are still there.")).toBeVisible();
      await expect(section.getByRole("button", { name: /^Download \(/ })).toBeVisible();
      expect(existsSync(join(place.home, "engine", "program"))).toBe(false);
    },
  );

  downloadTest("a machine without anything runs a model after one click", async ({ page, server, project }) => {
    await page.goto(server.origin);
    const card = page.getByRole("region", { name: "Run a model on this machine" });
    await expect(
      card.getByText(/^Downloads llama\.cpp \(.+\) from 127\.0\.0\.1:\d+ and Tiny 1B \(1\.5 MB\) from/),
    ).toBeVisible();
    await card.getByRole("button", { name: "Download and run" }).click();
    await expect(page.getByText(/^Tiny-1B-Q4_K_M · Built-in engine/)).toBeVisible();
    const bench = new WorkbenchPageObject(page);
    await bench.begin("Raise the tax.");
    await bench.session.card.once.click();
    await expect(page.getByText("The tax is 21 % now.")).toBeVisible();
    expect(readFileSync(join(project, "price.js"), "utf8")).toContain("0.21");
  });

  downloadTest(
    "a model by its name is paused, continued over a restart of the page, deleted, and given up",
    async ({ page, server, mirror, place }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = page.getByRole("region", { name: "Built-in engine" });
      const field = section.getByLabel("Hugging Face name, or path of a GGUF file");
      const add = section.getByRole("button", { name: "Add", exact: true });
      const download = section.getByRole("list", { name: "Downloads" }).getByRole("listitem");
      const file = join(place.home, "engine", "models", "tiny--Tiny-GGUF", "Tiny-1B-Q4_K_M.gguf");
      await field.fill("hf:tiny/none");
      await add.click();
      await expect(page.getByText("Hugging Face has no public repository with this name.")).toBeVisible();
      await field.fill("hf:tiny/Tiny-GGUF:Q8_0");
      await add.click();
      await expect(page.getByText("The repository has no such file. It has: Q4_K_M.")).toBeVisible();
      mirror.setHalt(2_000);
      await field.fill("tiny/Tiny-GGUF");
      await add.click();
      await expect(download.getByText(/^Downloading 2 kB of /)).toBeVisible();
      await download.getByRole("button", { name: "Pause" }).click();
      await page.reload();
      await expect(download.getByText(/^Paused at 2 kB of /)).toBeVisible();
      mirror.setHalt(null);
      await download.getByRole("button", { name: "Resume" }).click();
      const models = section.getByRole("list", { name: "Models of the built-in engine" });
      await expect(models.getByText("Tiny-1B-Q4_K_M")).toBeVisible();
      await expect(download).toHaveCount(0);

      await models.getByRole("button", { name: "Delete Tiny-1B-Q4_K_M?" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete model" }).click();
      await expect(page.getByText("Tiny-1B-Q4_K_M was deleted.")).toBeVisible();
      expect(existsSync(file)).toBe(false);

      mirror.setHalt(2_000);
      await section.getByRole("button", { name: "Download Tiny 1B" }).click();
      await expect(download.getByText(/^Downloading 2 kB of /)).toBeVisible();
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
      await expect(download.getByText(/^Downloading 2 kB of /)).toBeVisible();
      await server.kill("SIGKILL");
      await server.restart();
      await page.goto(`${server.origin}/settings/model`);
      await expect(download.getByText(/^Paused at 2 kB of /)).toBeVisible();
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

  downloadTest.describe(() => {
    downloadTest.use({ archive: packArchive({ "readme.txt": "." }) });
    downloadTest("an archive without llama-server is refused with the reason", async ({ page, server }) => {
      await page.goto(`${server.origin}/settings/model`);
      const section = page.getByRole("region", { name: "Built-in engine" });
      await section.getByRole("button", { name: /^Download \(/ }).click();
      await expect(section.getByRole("alert")).toHaveText(
        "The downloaded archive is damaged. Try again, or choose another build.",
      );
      await expect(section.getByRole("button", { name: /^Download \(/ })).toBeEnabled();
    });
  });
});
