/** The limits of the agent and config.yaml from the user's view. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";

test.use({ hasOwnServer: true, opensPage: false });

test("a limit changed on its page is in the YAML tab, whose text is checked, saved and followed", async ({
  page,
  place,
  server,
}) => {
  const path = join(place.home, "config.yaml");
  await page.goto(`${server.origin}/settings/agent`);
  const timeout = page.getByRole("textbox", { name: "Command timeout" });
  const key = page.getByText("tools.bash_timeout");
  await expect(key).toBeHidden();
  await page.getByText("Command timeout").hover();
  await expect(key).toBeVisible();
  await timeout.fill("45");
  await timeout.press("Enter");
  await expect.poll(() => readFile(path, "utf8").catch(() => "")).toContain("bash_timeout: 45s");
  await page.getByRole("link", { name: "config.yaml" }).click();
  const file = page.getByRole("textbox", { name: "config.yaml" });
  await expect(file).toContainText("bash_timeout: 45s");

  await writeFile(path, "# by hand\ntools:\n  bash_timeout: 90s\n");
  await expect(file).toContainText("# by hand");

  await file.fill("tools:\n  bash_timeout: soon\n  no_such_key: 1\n");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved. Line 2: tools.bash_timeout must be a time such as 90s")).toBeVisible();
  await expect(page.getByText("Line 3")).toBeVisible();
  expect(await readFile(path, "utf8")).toContain("# by hand");
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await expect(timeout).toBeVisible();
  await page.getByRole("link", { name: "config.yaml" }).click();
  await expect(file).toContainText("no_such_key: 1");
  await file.fill("tools:\n  bash_timeout: 20s\n");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(path, "utf8")).toContain("bash_timeout: 20s");
  await expect(page.getByText("Line 2")).toHaveCount(0);
  // The page has the answer to the save: what is typed from here on is a change of the saved file.
  await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveCount(0);

  await file.fill("tools:\n  bash_timeout: 21s\n");
  await writeFile(path, "tools:\n  bash_timeout: 22s\n");
  await expect(page.getByText("The file changed on disk since you opened it.")).toBeVisible();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(file).toContainText("bash_timeout: 22s");
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await expect(timeout).toHaveValue("22");
});

test(
  "a number out of range is not saved, and reset restores the default",
  onlyInFull,
  async ({ page, place, server }) => {
    await page.goto(`${server.origin}/settings/agent`);
    const steps = page.getByRole("textbox", { name: "Step limit" });
    await steps.fill("0");
    await steps.press("Enter");
    await expect(steps).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText("Enter a whole number from 1 to 500.")).toBeVisible();
    await steps.fill("12");
    await steps.press("Enter");
    const path = join(place.home, "config.yaml");
    await expect.poll(() => readFile(path, "utf8").catch(() => "")).toContain("max_steps: 12");
    await page.getByRole("region", { name: "Runs" }).getByRole("button").first().click();
    await expect(steps).toHaveValue("50");
  },
);

test("a file of another tool is previewed before the import, without its key", onlyInFull, async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/yaml`);
  const part = page.getByRole("region", { name: "Import and export" });
  const choose = (text: string) =>
    part
      .locator("input[type=file]")
      .setInputFiles({ name: "config.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await choose("just words");
  await expect(part.getByText("This file has no settings")).toBeVisible();
  await choose(
    JSON.stringify({
      agents: { defaults: { maxToolIterations: 20 } },
      providers: { deepseek: { apiKey: "sk-shown-nowhere-0123456789" } },
      gateway: { port: 1 },
    }),
  );
  await expect(part.getByText("Settings from Golem")).toBeVisible();
  await expect(part.getByRole("row", { name: "agent.max_steps" }).getByRole("cell")).toHaveText(["50", "20"]);
  await expect(part.getByRole("listitem")).toContainText("deepseek");
  await expect(part).toContainText("Not used here: gateway.port");
  await expect(part).not.toContainText("sk-shown");
  await part.getByRole("button", { name: "Import", exact: true }).click();
  await expect(part.getByText("Imported.")).toBeVisible();
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Step limit" })).toHaveValue("20");
});
