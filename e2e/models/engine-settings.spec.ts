/** The settings of the built-in engine: its program, and the mirrors of its downloads. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { startProductServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";

const test = base.extend<{ readonly hubVariable: string }>({
  hasOwnServer: true,
  opensPage: false,
  hubVariable: ["", { option: true }],
  server: async ({ place, hubVariable }, use) => {
    const environment = {
      ...place.environment,
      GOPI_LLAMA_SERVER: "/nowhere/llama-server",
      HF_ENDPOINT: hubVariable,
    };
    const server = await startProductServer({ ...place, environment });
    await use(server);
    await server.kill("SIGTERM");
  },
});

test("a chosen program and a mirror are used at once, a wrong path is reported, and reset goes back", async ({
  page,
  server,
  place,
}) => {
  const program = join(place.root, "tools", "llama-server");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '#!/bin/sh\necho "version: 42 (abc)"\n', { mode: 0o755 });
  await page.goto(`${server.origin}/settings/model`);
  const engine = page.getByRole("region", { name: "Built-in engine" });
  const sources = page.getByRole("region", { name: "Program and downloads of the engine" });
  const path = sources.getByRole("textbox", { name: "Path of llama-server" });
  await expect(engine.getByText("No llama-server was found on this machine.")).toBeVisible();

  await path.fill("tools/llama-server");
  await path.press("Enter");
  await expect(sources.getByRole("alert")).toHaveText("Enter the whole path, from the root folder.");
  await path.fill(`${program}-none`);
  await path.press("Enter");
  await expect(engine.getByRole("status").first()).toHaveText(
    "There is no program at this path. Correct it in the settings below.",
  );
  await path.fill(program);
  await path.press("Enter");
  await expect(engine.getByText("llama.cpp 42 (abc)")).toBeVisible();
  await expect(engine.getByText(program)).toBeVisible();

  const hub = sources.getByRole("textbox", { name: "Mirror of Hugging Face" });
  await hub.fill("http://hub.example");
  await hub.press("Enter");
  await expect(sources.getByRole("alert")).toHaveText(
    "This is not an address that starts with https: http://hub.example",
  );
  await hub.fill("https://hub.example");
  await hub.press("Enter");
  await expect(engine.getByText("Downloads come from hub.example.")).toBeVisible();

  await page.reload();
  await expect(path).toHaveValue(program);
  await expect(engine.getByText("Downloads come from hub.example.")).toBeVisible();
  await sources.getByRole("button", { name: "Reset to default" }).first().click();
  await expect(engine.getByText("No llama-server was found on this machine.")).toBeVisible();
});

test.describe(() => {
  test.use({ hubVariable: "http://hub.example" });

  test(
    "a wrong HF_ENDPOINT is reported, and a mirror in the settings is used instead",
    onlyInFull,
    async ({ page, server }) => {
      const problem = /^The environment variable HF_ENDPOINT isn't a plain https address\. Correct it/;
      await page.goto(`${server.origin}/settings/model`);
      const engine = page.getByRole("region", { name: "Built-in engine" });
      await expect(engine.getByRole("alert")).toHaveText(problem);
      await engine
        .getByRole("button", { name: /^Download Qwen/ })
        .first()
        .click();
      await expect(page.getByText(problem)).toHaveCount(2);

      const hub = page.getByRole("textbox", { name: "Mirror of Hugging Face" });
      await hub.fill("https://hub.example");
      await hub.press("Enter");
      await expect(engine.getByText("Downloads come from hub.example.")).toBeVisible();
      await expect(engine.getByRole("alert")).toHaveCount(0);
    },
  );
});

for (const [device, use] of [
  ["a desktop", {}],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const)
  test.describe(() => {
    test.use(use);
    test(
      `an address with a setting shows it below lists that are loaded later, on ${device}`,
      onlyInFull,
      async ({ page, server }) => {
        await page.goto(`${server.origin}/settings/model#engine.model_hub`);
        await expect(page.getByRole("list", { name: "Models to download" })).toBeAttached();
        const row = page.locator("[id='engine.model_hub']");
        const { height } = page.viewportSize() ?? { height: 0 };
        // The middle third of the screen.
        const share = async (): Promise<number> => ((await row.boundingBox())?.y ?? 0) / height;
        await expect.poll(async () => Math.floor((await share()) * 3)).toBe(1);
      },
    );
  });
