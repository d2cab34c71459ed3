/** Automations: made with the form, rehearsed while the owner answers the card, given a rule, switched on and run. */
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";
import { SessionPageObject } from "../pages/session-page";

const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] };

test.use({
  hasOwnServer: true,
  script: { turns: [touch, { text: "Made." }, touch, { text: "Made again." }] },
});

test("an automation is made, rehearsed, given a rule, switched on and run", async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/automations`);
  await expect(page.getByText("No automations yet")).toBeVisible();
  await page.getByRole("button", { name: "New automation" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("textbox", { name: "Name" }).fill("Morning check");
  await page.getByRole("textbox", { name: "Prompt" }).fill("Make the file.");
  await page.getByRole("combobox", { name: "When" }).selectOption("Every day");
  await expect(page.getByRole("list", { name: "Next times" }).getByRole("listitem")).toHaveCount(5);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();

  await expect(page.getByRole("heading", { name: "Morning check" })).toBeVisible();
  await expect(page.getByRole("switch", { name: "On" })).toBeDisabled();
  await page.getByRole("button", { name: "Rehearse" }).click();
  const rehearsal = page.getByRole("region", { name: "Rehearsal" });
  await expect(rehearsal).toContainText("It runs now.");
  const address = page.url();
  await rehearsal.getByRole("link", { name: "Open the session" }).click();
  await expect(page.getByText("Automation “Morning check”")).toBeVisible();
  const session = new SessionPageObject(page);
  await session.card.once.click();
  await expect(page.getByText("Made.", { exact: true })).toBeVisible();

  await page.goto(address);
  await expect(rehearsal).toContainText("It ended well.");
  await expect(rehearsal.getByRole("checkbox", { name: "Run touch made" })).toBeChecked();
  await rehearsal.getByRole("button", { name: "Use as rules" }).click();
  await expect(page.getByRole("region", { name: "Rules" })).toContainText("touch made");
  await page.getByRole("switch", { name: "On" }).click();
  await expect(page.getByRole("switch", { name: "On" })).toBeChecked();
  await page.getByRole("button", { name: "Run now" }).click();
  const runs = page.getByRole("list", { name: "Last runs" });
  await expect(runs.getByRole("listitem").first()).toContainText(/Done.*You/);
  await expect(runs.getByRole("listitem")).toHaveCount(2);
  expect(await findViolations(page)).toEqual([]);
});

test("a session becomes an automation from the palette", async ({ page, server, model }) => {
  model.setScript({ turns: [{ text: "Hello." }] });
  await page.goto(server.origin);
  const session = new SessionPageObject(page);
  await session.sendMessage("Check the links");
  await expect(page.getByText("Hello.", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Do this every");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue("Check the links");
  await page.getByRole("textbox", { name: "Name" }).fill("Links");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Links" })).toBeVisible();
  await expect(page.getByText("Monday to Friday at 08:00")).toBeVisible();
});
