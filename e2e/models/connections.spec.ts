/**
 * A connection from the settings page to a finished edit: a wrong key, the right one, its model in the composer; and
 * the places where the key must not appear.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { readHomeFiles } from "../fixtures/home-files";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { expect, test } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";

const apiKey = "sk-e2e-0123456789abcdefghijklmnop";
const wrongKey = "sk-e2e-wrong-9876543210zyxwvuts";
const uiWords = {
  custom: "OpenAI-compatible server",
  refused: "Stopped at the first failed step.",
  works: "Everything works.",
} as const;

const checkTurns: readonly ScriptedTurn[] = [
  { text: "ready" },
  { text: "", toolCalls: [{ name: "echo", arguments: { text: "ready" } }] },
];
const editTurns: readonly ScriptedTurn[] = [
  {
    text: "",
    toolCalls: [{ name: "edit", arguments: { path: "price.js", old_string: "0.19", new_string: "0.21" } }],
  },
  { text: "The tax is 21 % now." },
];

test.use({
  hasOwnServer: true,
  script: { models: ["scripted:latest"], key: apiKey, context: 32_768 },
  files: { "price.js": "export const taxRate = 0.19;\n" },
});

/** Saves a new connection with this key and tests it. */
async function addWithWrongKey(page: Page, origin: string, base: string): Promise<void> {
  await page.goto(`${origin}/settings/connections`);
  await page.getByRole("button", { name: uiWords.custom }).click();
  // The URL as given in the documentation of a server.
  await page.getByLabel("Base URL").fill(`${base}/v1/chat/completions`);
  await page.getByLabel("Key", { exact: true }).fill(wrongKey);
  await page.getByLabel("Model", { exact: true }).fill("scripted:latest");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Base URL")).toHaveValue(`${base}/v1`);
  await page.getByRole("button", { name: "Test connection" }).click();
}

test("a connection is set up, tested, selected and used, and its key is in no other file than its own", async ({
  page,
  project,
  model,
  server,
}) => {
  const bench = new WorkbenchPageObject(page);
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void frames.push(String(payload)));
  });
  const result = page.getByRole("region", { name: "Test", exact: true });
  await addWithWrongKey(page, server.origin, model.url);
  await expect(result.getByRole("status")).toHaveText(uiWords.refused);
  await expect(result.getByRole("listitem").filter({ hasText: "Sign in with the key" })).toContainText("rejected");

  model.setScript({ models: ["scripted:latest"], key: apiKey, context: 32_768, turns: checkTurns });
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("Key", { exact: true }).fill(apiKey);
  // An unsaved connection can be tested as well.
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(result.getByRole("status")).toHaveText(uiWords.works);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Replace" })).toBeVisible();
  expect(await page.content()).not.toContain(apiKey);

  model.setScript({ models: ["scripted:latest"], key: apiKey, context: 32_768, turns: editTurns });
  await page.goto(server.origin);
  await bench.expectOnline();
  await page.locator("[data-composer]").getByRole("button", { name: "scripted:latest" }).click();
  await page
    .getByRole("group", { name: uiWords.custom })
    .getByRole("menuitemradio", { name: "scripted:latest" })
    .click();
  await bench.begin("Raise the tax.");
  await bench.session.card.once.click();
  await expect(bench.session.conversation.getByText("The tax is 21 % now.")).toBeVisible();
  expect(readFileSync(join(project, "price.js"), "utf8")).toBe("export const taxRate = 0.21;\n");
  const chatRequests = model.requests.filter(({ path }) => path === "/v1/chat/completions").slice(-2);
  expect(chatRequests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`]);

  const visible = [await page.content(), ...frames, server.stderr].join("\n");
  expect(frames.length).toBeGreaterThan(0);
  const { stdout, stderr } = await server.kill("SIGTERM");
  const stored = [...readHomeFiles(server.home), stdout, stderr].join("\n");
  for (const secret of [apiKey, wrongKey]) expect(visible + stored, "the key").not.toContain(secret);
  const path = join(server.home, "keys.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).toContain(apiKey);
});

test(
  "a test without a selected model lists the server's models; a click selects and tests one of them",
  onlyInFull,
  async ({ page, model, server }) => {
    model.setScript({ models: ["big", "small"], key: apiKey, context: 32_768, turns: checkTurns });
    await page.goto(`${server.origin}/settings/connections`);
    await page.getByRole("button", { name: uiWords.custom }).click();
    await page.getByLabel("Base URL").fill(`${model.url}/v1`);
    await page.getByLabel("Key", { exact: true }).fill(apiKey);
    await page.getByRole("button", { name: "Test connection" }).click();
    const result = page.getByRole("region", { name: "Test", exact: true });
    await expect(result.getByRole("status")).toHaveText("The server responds. Choose a model to finish the test.");
    await expect(result).not.toContainText("failed");
    await result.getByRole("button", { name: "small" }).click();
    await expect(page.getByLabel("Model", { exact: true })).toHaveValue("small");
    await expect(result.getByRole("status")).toHaveText(uiWords.works);
  },
);

test("a test without a selected model selects the server's only model", onlyInFull, async ({ page, model, server }) => {
  model.setScript({ models: ["alone"], key: apiKey, context: 32_768, turns: checkTurns });
  await page.goto(`${server.origin}/settings/connections`);
  await page.getByRole("button", { name: uiWords.custom }).click();
  await page.getByLabel("Base URL").fill(`${model.url}/v1`);
  await page.getByLabel("Key", { exact: true }).fill(apiKey);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByRole("region", { name: "Test", exact: true }).getByRole("status")).toHaveText(uiWords.works);
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("alone");
});
