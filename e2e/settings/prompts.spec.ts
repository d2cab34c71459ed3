/** Settings > Prompts: own rules and tools that are off reach new sessions only; conflicts; the original. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { ScriptedModel } from "../fixtures/scripted-model.mjs";
import { expect, test } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";

test.use({ hasOwnServer: true, script: { turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] } });

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** The system texts and the names of the tools of the chat requests so far. */
const prompts = (model: ScriptedModel): readonly { readonly system: string; readonly tools: readonly string[] }[] =>
  model.requests
    .filter(({ path, raw }) => path === "/api/chat" && !raw.includes('"messages":[]'))
    .map(({ raw }) => {
      const { messages, tools = [] }: ChatRequest = JSON.parse(raw);
      return { system: messages[0]?.content ?? "", tools: tools.map((tool) => tool.function.name) };
    });

const rulesOf = (page: Page) => page.getByRole("textbox", { name: "Rules" });

test("own rules and a tool that is off apply to new sessions", async ({ page, server, model, place }) => {
  const bench = new WorkbenchPageObject(page);
  await bench.open(server.url);
  await bench.begin("First");
  await bench.session.expectIdle();
  const first = page.url();

  await page.goto(`${server.origin}/settings/prompts`);
  await expect(page.getByText("Shown here:")).toHaveCount(2);
  await expect(page.getByText(/^\d+ tokens, with the tools [\d,]+ of 1,150 recommended\.$/)).toBeVisible();
  const original = await rulesOf(page).inputValue();
  await rulesOf(page).fill("Always answer in verse.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved. New sessions use these rules.")).toBeVisible();
  await expect(page.getByText("Changed by you")).toBeVisible();
  await page.getByRole("switch", { name: "Use delete" }).click();
  await expect(page.getByRole("switch", { name: "Use delete" })).not.toBeChecked();

  await bench.open(server.origin);
  await bench.begin("Second");
  await bench.session.expectIdle();
  await page.goto(first);
  await bench.session.sendMessage("Third");
  await expect(bench.session.conversation.getByText("Three.")).toBeVisible();
  const [before, own, after] = prompts(model);
  expect(before?.system.startsWith(original)).toBe(true);
  expect(before?.tools).toContain("delete");
  expect(own?.system.startsWith("Always answer in verse.\n\n")).toBe(true);
  expect(own?.tools).not.toContain("delete");
  expect(after).toEqual(before);

  await page.goto(`${server.origin}/settings/prompts`);
  const file = join(place.home, "prompts", "default.md");
  expect(readFileSync(file, "utf8")).toBe("Always answer in verse.\n");
  await rulesOf(page).fill("Mine.");
  writeFileSync(file, "Theirs.\n");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
  await expect(rulesOf(page)).toHaveValue("Theirs.");
  await page.getByRole("button", { name: "Use the original" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Use the original" }).click();
  await expect(rulesOf(page)).toHaveValue(original);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await rulesOf(page).fill("Unsaved.");
  await page.getByRole("radio", { name: "Short" }).check();
  await expect(rulesOf(page)).not.toHaveValue("Unsaved.");
  await page.getByRole("link", { name: "Memory", exact: true }).click();
  await page.getByRole("link", { name: "Prompts", exact: true }).click();
  await expect(rulesOf(page)).toHaveValue("Unsaved.");
});
