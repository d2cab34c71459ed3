/** Operations of an API in a conversation: the card with the request, the key that the model never sees, the rule. */
import { callCommand } from "../fixtures/call-command";
import { serveShop } from "../fixtures/shop-api";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

const call = {
  text: "",
  toolCalls: [{ name: "toolbox", arguments: { tool: "shop__createItem", input: { name: "cup" } } }],
};

test.use({
  hasOwnServer: true,
  script: { turns: [call, { text: "The cup is listed." }, call, { text: "Listed again." }] },
});

test("the first call asks with its request, later ones follow the rule", async ({ page, server, model }) => {
  using api = await serveShop();
  const added = await callCommand(server, "openapi.add", { url: `${api.address}/openapi.json` });
  await callCommand(server, "openapi.set_key", { api: added.id, scheme: "token", key: "secret-token-1" });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("List a cup.");
  await field.press("Enter");
  const card = page.locator("[data-approval]");
  await expect(card).toContainText("Use shop__createItem");
  await expect(card).toContainText(`POST ${api.address}/items`);
  await expect(card).toContainText("Creates an item");
  await expect(card).not.toContainText("secret-token-1");
  expect(await findViolations(page)).toEqual([]);
  await card.getByRole("button", { name: /^Always allow shop\/createItem/ }).click();
  await expect(page.getByText("The cup is listed.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /shop__createItem/ }).click();
  await expect(page.getByText(/"key":"Bearer •••"/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await field.fill("Once more.");
  await field.press("Enter");
  await expect(page.getByText("Listed again.", { exact: true })).toBeVisible();
  await expect(card).toHaveCount(0);
  const sent = model.requests.map(({ body }) => JSON.stringify(body)).join("\n");
  expect(sent).toContain("200 OK");
  expect(sent).not.toContain("secret-token-1");
});
