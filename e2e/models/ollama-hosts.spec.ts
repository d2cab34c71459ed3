/**
 * A second Ollama: added by its OpenAI URL, recognised as Ollama by its test, selected in the composer, and marked
 * when it is offline.
 */
import { onlyInFull } from "../fixtures/full-run";
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import { expect, test } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";

const ollamaModels = ["scripted:latest"];

test.use({ hasOwnServer: true, script: { models: ollamaModels, turns: [{ text: "From the first." }] } });

test(
  "a second Ollama is recognized, answers natively beside the first, and is marked when it is offline",
  onlyInFull,
  async ({ page, model, server }) => {
    const checked = [{ text: "ready" }, { text: "", toolCalls: [{ name: "echo", arguments: { text: "ready" } }] }];
    const attic = await startScriptedModel({ models: ollamaModels, turns: [...checked, { text: "From the attic." }] });
    try {
      await page.goto(`${server.origin}/settings/connections`);
      await page.getByRole("button", { name: "OpenAI-compatible server" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Attic");
      await page.getByLabel("Base URL").fill(`${attic.url}/v1`);
      await page.getByLabel("Model", { exact: true }).fill("scripted:latest");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByRole("button", { name: "Use as Ollama" }).click();
      await expect(page.getByLabel("Address", { exact: true })).toHaveValue(attic.url);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Attic" })).toBeVisible();

      const bench = new WorkbenchPageObject(page);
      await page.goto(server.origin);
      await bench.expectOnline();
      await page.locator("[data-composer]").getByRole("button", { name: "scripted:latest" }).click();
      await page.getByRole("group", { name: "Attic" }).getByRole("menuitemradio", { name: "scripted:latest" }).click();
      await bench.begin("Who answers?");
      await expect(bench.session.conversation.getByText("From the attic.")).toBeVisible();
      expect(attic.requests.filter(({ path }) => path === "/api/chat")).toHaveLength(1);
      expect(model.requests.filter(({ path }) => path === "/api/chat")).toEqual([]);
    } finally {
      await attic.close();
    }
    await page.goto(`${server.origin}/settings/connections`);
    await expect(page.getByRole("listitem").filter({ hasText: "Attic" })).toContainText("not reachable");
  },
);
