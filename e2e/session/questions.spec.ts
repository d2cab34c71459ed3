/** Questions that a real MCP server asks during a call: form and address, answered, declined, after a reload, on a phone. */
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { approveEverything } from "../fixtures/approve-everything";
import { phone } from "../fixtures/phone";
import { expect, test } from "../fixtures/test";
import type { TestServer } from "../fixtures/server";
import { findViolations } from "../pages/axe";

const ask = {
  text: "",
  toolCalls: [{ name: "toolbox", arguments: { tool: "everything__trigger-elicitation-request", input: {} } }],
};

test.use({ hasOwnServer: true, script: { turns: [ask, { text: "Thank you." }] } });

/** Has the model call a tool of the server, and allows the call. */
async function beginCall(page: Page, server: TestServer, home: string, allow = /^Allow once/): Promise<void> {
  await approveEverything(server, home);
  const field = page.getByRole("textbox", { name: /^(?:Message|消息)$/ });
  await field.fill("Ask me.");
  await field.press("Enter");
  await page.getByRole("button", { name: allow }).click();
}

test("a form is checked, outlives a reload, and its values reach the server", async ({ page, server, place }) => {
  await beginCall(page, server, place.home);
  const card = page.locator("[data-question]");
  await expect(card).toContainText("everything asks you");
  await expect(card).toContainText("In the server's own words.");
  await expect(card).toContainText("Please provide inputs for the following fields:");
  await expect(page).toHaveTitle(/^Waiting for you: Ask me\./);
  await page.reload();
  await expect(page).toHaveTitle(/^Waiting for you: Ask me\./);
  await expect(card).toContainText("everything asks you");
  await card.getByRole("button", { name: "Send" }).click();
  const name = card.getByLabel(/^String\s?required/);
  await expect(name).toBeFocused();
  await expect(card.getByText("This is required.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await name.fill("Ada");
  await card.getByLabel("Integer").fill("7");
  await card.getByRole("checkbox", { name: "Boolean" }).check();
  await card.getByLabel("Titled Single Select Enum", { exact: true }).selectOption({ label: "Wonder Woman" });
  await card.getByRole("checkbox", { name: "Salmon" }).check();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page).toHaveTitle(/^Ask me\./);
  await page.getByRole("button", { name: /everything__trigger-elicitation-request/ }).click();
  await expect(page.getByText("- Name: Ada")).toBeVisible();
  await expect(page.getByText(/hero-3/)).toBeVisible();
  await expect(page.getByText(/fish-2/)).toBeVisible();
});

test.describe("on a phone", onlyInFull, () => {
  test.use(phone);

  test("a form is checked, and its values reach the server", async ({ page, server, place }) => {
    await beginCall(page, server, place.home);
    const card = page.locator("[data-question]");
    await card.getByRole("button", { name: "Send" }).tap();
    const name = card.getByLabel(/^String\s?required/);
    await expect(name).toBeFocused();
    await name.fill("Ada");
    await card.getByRole("checkbox", { name: "Salmon" }).tap();
    await card.getByRole("button", { name: "Send" }).tap();
    await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
    await expect(card).toHaveCount(0);
  });
});

test("a question is declined", onlyInFull, async ({ page, server, place }) => {
  await beginCall(page, server, place.home);
  await expect(page.locator("[data-phase=waiting]")).toHaveText("waiting for you");
  await page.locator("[data-question]").getByRole("button", { name: "Decline" }).press("Enter");
  await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
  await page.getByRole("button", { name: /everything__trigger-elicitation-request/ }).click();
  await expect(page.getByText("User declined to provide the requested information.")).toBeVisible();
});

test.describe("with an address", () => {
  const url = "https://sign-in.example.com/start?user=1";
  const open = {
    text: "",
    toolCalls: [{ name: "toolbox", arguments: { tool: "everything__trigger-url-elicitation", input: { url } } }],
  };
  test.use({ script: { turns: [open, { text: "Thank you." }] } });

  test("its host is shown, and nothing opens before a click", onlyInFull, async ({ page, server, place, context }) => {
    const opened: string[] = [];
    await context.route("https://sign-in.example.com/**", async (route) => {
      opened.push(route.request().url());
      await route.fulfill({ body: "sign in here" });
    });
    await beginCall(page, server, place.home);
    const card = page.locator("[data-question]");
    await expect(card.getByText("sign-in.example.com", { exact: true })).toBeVisible();
    expect(opened).toEqual([]);
    const popup = page.waitForEvent("popup");
    await card.getByRole("link", { name: "Open sign-in.example.com" }).click();
    await (await popup).waitForLoadState();
    expect(opened).toEqual([url]);
    await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
  });
});

test.describe("with an address that a call needs", () => {
  const input = { url: "https://sign-in.example.com/", errorPath: true };
  const open = {
    text: "",
    toolCalls: [{ name: "toolbox", arguments: { tool: "everything__trigger-url-elicitation", input } }],
  };
  test.use({ script: { turns: [open, { text: "Thank you." }] } });

  test("the call waits until the user has finished, and is tried again", async ({ page, server, place, context }) => {
    await context.route(/^https:/, (route) => route.fulfill({ body: "connect here" }));
    await beginCall(page, server, place.home);
    const card = page.locator("[data-question]");
    await expect(card.getByText("modelcontextprotocol.io", { exact: true })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    const popup = page.waitForEvent("popup");
    await card.getByRole("link", { name: "Open modelcontextprotocol.io" }).click();
    await (await popup).close();
    await page.reload();
    await card.getByRole("button", { name: "I have finished" }).click();
    // The second attempt asks for another address.
    await card.getByRole("link", { name: "Open sign-in.example.com" }).click();
    await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
  });
});

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("a form is answered", async ({ page, server, place }) => {
    await beginCall(page, server, place.home, /^允许一次/);
    const card = page.locator("[data-question]");
    await expect(card).toContainText("everything 向你提问");
    await card.getByRole("button", { name: "发送" }).click();
    await expect(card.getByText("此项必填。")).toBeVisible();
    await card.getByRole("button", { name: "不回答" }).click();
    await expect(page.getByText("Thank you.", { exact: true })).toBeVisible();
  });
});
