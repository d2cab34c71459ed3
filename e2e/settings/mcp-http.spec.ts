/** MCP servers at an address in the settings: signing in at a real authorization server, and the tools after that. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { type ProtectedServer, startProtectedServer } from "../fixtures/protected-server.mjs";
import { expect, test as base } from "../fixtures/test";
import { findViolations } from "../pages/axe";

const test = base.extend<{ readonly protectedServer: ProtectedServer }>({
  hasOwnServer: true,
  opensPage: false,
  protectedServer: async ({}, use) => {
    const server = await startProtectedServer();
    await use(server);
    await server.close();
  },
});

async function addServer(page: Page, origin: string, url: string): Promise<void> {
  await page.goto(`${origin}/settings/tools`);
  await page.getByRole("button", { name: "Paste a configuration" }).click();
  await page.getByRole("textbox", { name: "Configuration" }).fill(JSON.stringify({ docs: { type: "http", url } }));
  await page.getByRole("button", { name: "Add 1 server" }).click();
  await expect(page.getByRole("region", { name: "Not approved yet" }).getByText(url)).toBeVisible();
}

const echo = (page: Page) => page.getByRole("switch", { name: "Offer echo to the model" });

test("the user signs in, approves the server, and signs out", async ({
  page,
  context,
  server,
  place,
  protectedServer,
}) => {
  await addServer(page, server.origin, protectedServer.url);
  expect(protectedServer.requests).toEqual([]);
  await page.getByRole("button", { name: "Test and approve" }).click();
  await expect(page.getByText("You are signed out. Sign in to it, then try again.")).toBeVisible();

  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const { host } = new URL(protectedServer.origin);
  const link = page.getByRole("link", { name: `Open ${host}` });
  await expect(link).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const opened = context.waitForEvent("page");
  await link.click();
  const popup = await opened;
  await popup.getByRole("link", { name: "Allow" }).click();
  // The browser is back, without the code in its address.
  await expect(popup.getByText("Signed in", { exact: true })).toBeVisible();
  expect(popup.url()).not.toContain("code=");
  await popup.close();

  await expect(page.getByText("Signed in", { exact: true })).toBeVisible();
  await expect(link).toBeHidden();
  await page.getByRole("button", { name: "Test and approve" }).click();
  await expect(echo(page)).toBeChecked();
  await expect(page.getByText(/^Not connected, connects at its first call · 1 tool · /)).toBeVisible();
  const [token = ""] = protectedServer.tokens;
  expect(readFileSync(join(place.home, "keys.json"), "utf8")).toContain(token);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
  expect(readFileSync(join(place.home, "keys.json"), "utf8")).not.toContain(token);
});

test(
  "an owner on another device pastes the address that follows the sign-in",
  onlyInFull,
  async ({ page, server, protectedServer }) => {
    await addServer(page, server.origin, protectedServer.url);
    await page.getByRole("button", { name: "Test and approve" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const address = await page.getByRole("link", { name: /^Open / }).getAttribute("href");
    const back = await protectedServer.signIn(address ?? "");
    await page.getByText("Is gopi-web on another device?").click();
    const field = page.getByRole("textbox", { name: "Address after the sign-in" });
    await field.fill(back.href.replace("state=", "state=x"));
    await page.getByRole("button", { name: "Finish" }).click();
    await expect(page.getByText("This address belongs to no sign-in that is running.")).toBeVisible();
    await field.fill(` ${back.href} `);
    await page.getByRole("button", { name: "Finish" }).click();
    await expect(page.getByText("Signed in", { exact: true })).toBeVisible();
  },
);

test(
  "a refused sign-in is said, and can be repeated",
  onlyInFull,
  async ({ page, context, server, protectedServer }) => {
    await addServer(page, server.origin, protectedServer.url);
    await page.getByRole("button", { name: "Test and approve" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    protectedServer.behavior.denies = true;
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: /^Open / }).click();
    const popup = await opened;
    await popup.getByRole("link", { name: "Allow" }).click();
    await expect(popup.getByText("The sign-in was refused.")).toBeVisible();
    await expect(popup.getByText("555")).toBeHidden();
    protectedServer.behavior.denies = false;
    await popup.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(popup.getByRole("link", { name: /^Open / })).toBeVisible();
  },
);

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("the user signs in", async ({ page, context, server, protectedServer }) => {
    await page.goto(`${server.origin}/settings/tools`);
    await page.getByRole("button", { name: "粘贴配置" }).click();
    await page.getByRole("textbox", { name: "配置" }).fill(JSON.stringify({ docs: { url: protectedServer.url } }));
    await page.getByRole("button", { name: "添加 1 个服务器" }).click();
    await page.getByRole("button", { name: "测试并批准" }).click();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: /^打开 / }).click();
    await (await opened).getByRole("link", { name: "Allow" }).click();
    await expect(page.getByText("已登录", { exact: true })).toBeVisible();
  });
});
