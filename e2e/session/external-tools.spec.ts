/** Tools of a real MCP server in a conversation: the card, the rule, the tool in the history, a change of its definition. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { callCommand } from "../fixtures/call-command";
import { phone } from "../fixtures/phone";
import { expect, test } from "../fixtures/test";
import type { TestServer } from "../fixtures/server";
import { findViolations } from "../pages/axe";

const listServer = join(process.cwd(), "server/features/mcp/__fixtures__/list-server.mjs");
const tools = [
  {
    name: "create_issue",
    description: "Creates an issue. The title says what is wrong.\nAnswers with its number.",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string" },
        body: { type: "string" },
        labels: { type: "array", items: { type: "string" } },
      },
      required: ["title"],
    },
  },
  {
    name: "close_issue",
    description: "Closes an issue.",
    inputSchema: { type: "object", properties: { number: { type: "integer" } } },
  },
];

const input = { title: "The total is wrong", body: "It adds\nthe tax twice.", labels: ["bug", "invoice"] };
const call = { text: "", toolCalls: [{ name: "toolbox", arguments: { tool: "tracker__create_issue", input } }] };

test.use({ hasOwnServer: true, script: { turns: [call, { text: "Filed." }, call, { text: "Filed again." }] } });

/** Adds and approves the server, whose tools are in `file`. */
async function addServer(server: TestServer, file: string): Promise<void> {
  const { projects } = await callCommand(server, "project.list", {});
  const projectId = projects[0]?.id;
  if (projectId === undefined) throw new Error("no project");
  const text = JSON.stringify({ mcpServers: { tracker: { command: process.execPath, args: [listServer, file] } } });
  const { servers } = await callCommand(server, "mcp.add", { projectId, text, names: ["tracker"] });
  const launch = servers[0]?.launchHash;
  if (launch === undefined) throw new Error("not added");
  await callCommand(server, "mcp.approve", { projectId, server: "tracker", launch });
  await expect
    .poll(async () => (await callCommand(server, "mcp.state", { projectId })).servers[0]?.status)
    .toBe("idle");
}

test("the first call asks with its whole input, later ones follow the rule", async ({ page, server, place, model }) => {
  const file = join(place.home, "tracker.json");
  writeFileSync(file, JSON.stringify(tools));
  await addServer(server, file);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("File it.");
  await field.press("Enter");
  const card = page.locator("[data-approval]");
  await expect(card).toContainText("Use tracker__create_issue");
  await expect(card).toContainText("First call in this project");
  await expect(card).toContainText("It adds\nthe tax twice.");
  await expect(card).toContainText("Answers with its number.");
  await card.getByRole("button", { name: /^Always allow tracker\/create_issue/ }).click();
  await expect(page.getByText("Filed.", { exact: true })).toBeVisible();
  const line = page.getByRole("button", { name: /tracker__create_issue/ });
  await expect(line).toBeVisible();
  await expect(page.getByText("toolbox")).toHaveCount(0);
  await line.click();
  await expect(page.getByText(/create_issue \{"title":"The total is wrong"/)).toBeVisible();
  await field.fill("Once more.");
  await field.press("Enter");
  await expect(page.getByText("Filed again.", { exact: true })).toBeVisible();
  await expect(card).toHaveCount(0);
  expect(model.requests.length).toBeGreaterThan(0);
  expect(readFileSync(file, "utf8")).toContain("create_issue");
});

test.describe("with a file in the result", () => {
  const record = { text: "", toolCalls: [{ name: "toolbox", arguments: { tool: "tracker__record", input } }] };
  test.use({ script: { turns: [record, { text: "Recorded." }] } });

  test("the card names it and saves it", onlyInFull, async ({ page, server, place }) => {
    const file = join(place.home, "tracker.json");
    writeFileSync(file, JSON.stringify([{ ...tools[0], name: "record" }]));
    await addServer(server, file);
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("Record it.");
    await field.press("Enter");
    await page.getByRole("button", { name: /^Allow once/ }).click();
    await expect(page.getByText("Recorded.", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: /tracker__record/ }).click();
    await expect(page.getByText("[file.wav: audio/wav, 2.0 MB, stored for the user]")).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save file.wav" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("file.wav");
    expect(readFileSync(await download.path(), "utf8")).toBe("sound".repeat(400_000));
  });
});

test.describe("on a phone", onlyInFull, () => {
  const name = "list_every_open_issue_of_the_release";
  const longCall = { text: "", toolCalls: [{ name: "toolbox", arguments: { tool: `tracker__${name}`, input } }] };
  test.use({
    ...phone,
    script: { turns: [longCall, { text: "Listed." }] },
  });

  test("a long name leaves room for the outcome", async ({ page, server, place }) => {
    const file = join(place.home, "tracker.json");
    writeFileSync(file, JSON.stringify([{ ...tools[0], name }]));
    await addServer(server, file);
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("List them.");
    await field.press("Enter");
    const line = page.getByRole("button", { name: new RegExp(`^tracker__${name}.*waiting for you`) });
    await expect(line.getByText("waiting for you")).toBeInViewport({ ratio: 1 });
    const overflow = () => line.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(overflow).toBe(0);
  });
});
