/** Prompts and resources of a real MCP server in the composer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { approveEverything } from "../fixtures/approve-everything";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

const listServer = join(import.meta.dirname, "../../server/features/mcp/__fixtures__/list-server.mjs");

test.use({ hasOwnServer: true, script: { turns: [{ text: "I see." }, { text: "I see." }] } });

test("a prompt has a form for its arguments, and its text is put into the field", async ({ page, server, place }) => {
  const status = await approveEverything(server, place.home);
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
  // The button does as Enter does.
  await field.fill("/everything:args-prompt");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(city).toBeFocused();
});

test("a resource is added to the message as text", async ({ page, server, place, model }) => {
  await approveEverything(server, place.home);
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

test(
  "a resource that is an image is added as one, and sent when the model sees images",
  onlyInFull,
  async ({ page, server, place, model }) => {
    const tools = join(place.home, "tools.json");
    writeFileSync(tools, "[]");
    writeFileSync(`${tools}.prompts`, "[]");
    await approveEverything(server, place.home, [listServer, tools]);
    await page.reload();
    const field = page.getByRole("textbox", { name: "Message" });
    await field.pressSequentially("See @everything:list://dot");
    await page.getByRole("option", { name: /list:\/\/dot/ }).click();
    await expect(page.locator("[data-composer] img")).toBeVisible();
    await expect(page.getByText("can't see images. Choose a model with vision, or remove the images.")).toBeVisible();
    model.setScript({ capabilities: ["completion", "tools", "vision"], turns: [{ text: "One pixel." }] });
    await page.reload();
    await expect(field).toHaveValue("See @everything:list://dot ");
    await expect(page.locator("[data-composer] img")).toBeVisible();
    await field.press("Enter");
    await expect(page.getByText("One pixel.", { exact: true })).toBeVisible();
    expect(JSON.stringify(model.requests)).toContain("iVBORw0KGgo");
  },
);
