/** A channel at a Bot API on this machine: token, pairing, a message from the phone, cards answered on either side. */
import type { Page } from "@playwright/test";
import { expect, test as base } from "../fixtures/test";
import { type BotApiServer, startBotApiServer } from "../fixtures/telegram/bot-api-server";
import type { BotMessage } from "../fixtures/telegram/bot-chats";
import { findViolations } from "../pages/axe";
import { SessionPageObject } from "../pages/session-page";

const ada = { id: 7, first_name: "Ada" };
const eve = { id: 666, first_name: "Eve" };
const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] };

const test = base.extend<{ readonly bot: BotApiServer }>({
  bot: async ({}, use) => {
    const bot = await startBotApiServer();
    await use(bot);
    await bot.close();
  },
});

test.use({
  hasOwnServer: true,
  script: { turns: [touch, { text: "Made **it**." }, touch, { text: "Made again." }] },
});

async function connect(page: Page, bot: BotApiServer): Promise<void> {
  await page.getByLabel("Bot API server").fill(bot.address);
  await page.getByLabel("Bot API server").press("Enter");
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(1);
  await page.getByLabel("Bot token").fill(bot.token);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("switch", { name: "Telegram" }).click();
}

/** Resolves with a message of Ada's chat. */
async function findMessage(bot: BotApiServer, matches: (message: BotMessage) => boolean): Promise<BotMessage> {
  await bot.until(() => bot.messages(ada.id).some(matches));
  const message = bot.messages(ada.id).find(matches);
  if (message === undefined) throw new Error("the message is gone");
  return message;
}

const withText = (bot: BotApiServer, text: string) => findMessage(bot, (message) => message.text.includes(text));
const withButtons = (bot: BotApiServer) => findMessage(bot, ({ buttons }) => buttons.length > 0);

test("a phone is paired, starts a run, and its cards are answered on either side", async ({ page, server, bot }) => {
  await page.goto(`${server.origin}/settings/channels`);
  await connect(page, bot);
  await expect(page.getByText("Online as @gopi_test_bot.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Make a link" }).click();
  const link = new URL(await page.getByLabel("Link", { exact: true }).inputValue());
  expect(link.origin + link.pathname).toBe("https://t.me/gopi_test_bot");
  expect(await findViolations(page)).toEqual([]);
  const code = link.searchParams.get("start") ?? "";
  bot.write(eve, "/start wrong-code");
  bot.write(ada, `/start ${code}`);
  await expect(page.getByText("Paired: Ada")).toBeVisible();
  bot.write(eve, `/start ${code}`);
  await withText(bot, "Hello Ada");
  await page.getByRole("button", { name: "Ada" }).click();
  await expect(page.getByRole("heading", { name: "Ada" })).toBeInViewport();
  await page.getByRole("combobox", { name: "May do" }).selectOption("Talk and approve");
  await expect(page.getByText("Also allows a call once, or denies it.")).toBeVisible();

  bot.write(ada, "Make the file");
  const card = await withButtons(bot);
  expect(card.text).toContain("touch made");
  const [allow] = card.buttons.flat();
  bot.press(eve, allow?.callback_data ?? "", card);
  bot.press(ada, allow?.callback_data ?? "", card);
  await withText(bot, "Made it.");
  expect((await withText(bot, "Allowed by Ada.")).id).toBe(card.id);
  expect(bot.messages(eve.id)).toEqual([]);

  bot.write(ada, "Once more");
  await withButtons(bot);
  await page.getByRole("link", { name: "Open" }).click();
  await new SessionPageObject(page).card.once.click();
  await expect(page.getByText("Made again.", { exact: true })).toBeVisible();
  await withText(bot, "Made again.");
  await withText(bot, "Allowed by the owner, on the page.");

  await page.goto(`${server.origin}/settings/channels#telegram-${ada.id}`);
  await page.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Nobody is paired yet.")).toBeVisible();
  expect(await page.content()).not.toContain(bot.token);
});

test("a bot with a webhook is taken over by a click only", async ({ page, server, bot }) => {
  bot.updates.webhook = "https://hooks.example/path";
  await page.goto(`${server.origin}/settings/channels`);
  await connect(page, bot);
  await expect(page.getByText("The messages of this bot go to hooks.example.")).toBeVisible();
  expect(bot.updates.webhook).toBe("https://hooks.example/path");
  await page.getByRole("button", { name: "Take over this bot" }).click();
  await expect(page.getByText("Online as @gopi_test_bot.")).toBeVisible();
  expect(bot.updates.webhook).toBe("");
});
