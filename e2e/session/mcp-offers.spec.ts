/** Prompts and resources of a real MCP server in the composer. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { callCommand } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";
import type { TestServer } from "../fixtures/server";
import { findViolations } from "../pages/axe";

const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

test.use({ script: { turns: [{ text: "I see." }, { text: "I see." }] } });

/** Approves the server, and returns what it does now. */
async function approve(server: TestServer, home: string): Promise<() => Promise<string | undefined>> {
  const { projects } = await callCommand(server, "project.list", {});
  const projectId = projects[0]?.id;
  if (projectId === undefined) throw new Error("no project");
  writeFileSync(
    join(home, "mcp.json"),
    JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [program] } } }),
  );
  const state = async () => (await callCommand(server, "mcp.state", { projectId })).servers[0];
  await expect.poll(async () => (await state())?.status).toBe("unapproved");
  const launch = (await state())?.launchHash;
  if (launch === undefined) throw new Error("no server");
  await callCommand(server, "mcp.approve", { projectId, server: "everything", launch });
  await expect.poll(async () => (await state())?.status, { timeout: 20_000 }).toBe("idle");
  return async () => (await state())?.status;
}

for (const [size, viewport] of [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const)
  test.describe(`on a ${size}`, () => {
    test.use({ viewport, hasTouch: size === "phone" });

    test("a prompt has a form for its arguments, and its text is put into the field", async ({
      page,
      server,
      place,
    }) => {
      const status = await approve(server, place.home);
      await page.reload();
      const field = page.getByRole("textbox", { name: "Message" });
      await field.pressSequentially("/everything:args");
      await expect(page.getByRole("option", { name: /^\/everything:args-prompt/ })).toBeVisible();
      // Typing has started nothing.
      expect(await status()).toBe("idle");
      await field.press("Enter");
      const form = page.getByRole("form", { name: "/everything:args-prompt" });
      const city = form.getByLabel(/^city/);
      await expect(city).toBeFocused();
      await expect(form.getByRole("button", { name: "Insert" })).toBeDisabled();
      expect(await findViolations(page)).toEqual([]);
      await city.fill("Basel");
      await city.press("Enter");
      await expect(field).toHaveValue(/Basel/);
      expect(await status()).toBe("running");
    });

    test("a resource is added to the message as text", async ({ page, server, place, model }) => {
      await approve(server, place.home);
      await page.reload();
      const field = page.getByRole("textbox", { name: "Message" });
      await field.pressSequentially("Read @everything:");
      const row = page.getByRole("option", { name: /everything:demo:\/\// }).first();
      await expect(row).toBeVisible();
      await row.click();
      await expect(field).toHaveValue(/^Read @everything:demo:\/\/\S+ $/);
      await field.press("Enter");
      await expect(page.getByText("I see.", { exact: true })).toBeVisible();
      expect(JSON.stringify(model.requests)).toContain("everything:demo://");
    });
  });
