/** Commands in the message field, by keyboard: those of the menu, and those typed with an argument. */
import { uiNames } from "../pages/ui-names";
import { expect, ownServerTest, test } from "../pages/mime-stage";

ownServerTest("by keyboard: title, theme, mode, compact, resume and new session", async ({ bench, page, model }) => {
  model.setScript({ turns: [{ text: "One is odd." }] });
  const { session } = bench;
  const menu = page.getByRole("listbox", { name: uiNames.commands });
  await session.composer.fill("/");
  await expect(menu.getByRole("option").first()).toContainText("/new");
  await expect(menu).not.toContainText("/fork");
  await session.composer.fill("");
  const id = await bench.begin("What is one?");
  await expect(session.conversation).toContainText("One is odd.");
  await session.expectIdle();

  await session.composer.pressSequentially("/ti");
  await expect(menu.getByRole("option")).toHaveText([/^\/title/]);
  await page.keyboard.press("Enter");
  await expect(session.composer).toHaveValue("/title ");
  await session.composer.pressSequentially("Odd numbers");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("banner")).toContainText("Odd numbers");
  await expect(session.composer).toHaveValue("");

  await session.sendMessage("/theme blue");
  await expect(page.getByRole("status").filter({ hasText: "system / light / dark" })).toBeVisible();
  await session.sendMessage("/theme dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  await session.sendMessage("/mode plan");
  await expect(page.locator("[data-composer]")).toHaveAttribute("data-mode", "plan");
  await session.sendMessage("/mode");
  await page.getByRole("menu", { name: uiNames.mode }).press("Home");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-composer]")).toHaveAttribute("data-mode", "ask");
  await expect(session.composer).toBeFocused();

  await session.sendMessage("/compact");
  await expect(page.getByText("Nothing to summarize yet.")).toBeVisible();
  await session.sendMessage("/status");
  await expect(page.getByRole("dialog", { name: "Context" })).toBeVisible();
  await page.keyboard.press("Escape");

  await session.sendMessage("/new");
  await expect(page).toHaveURL(/\/$/);
  await expect(session.composer).toBeFocused();
  await session.sendMessage("/resume");
  await page.getByRole("combobox").pressSequentially("odd num");
  await expect(page.getByRole("option").first()).toContainText("Odd numbers");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/s/${id}$`));
});

test("a first message that is refused leaves no session, and its text in the field", async ({ bench, page, model }) => {
  const { session } = bench;
  await session.sendMessage("/skill:none do it");
  await expect(page.getByText("Not sent. skill:none can't be used: see Settings > Skills.")).toBeVisible();
  await expect(session.composer).toHaveValue("/skill:none do it");
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("link", { name: /^New session/ })).toHaveCount(0);
  await session.composer.fill("Hello");
  model.setScript({ turns: [{ text: "Hi." }] });
  await session.composer.press("Enter");
  await expect(session.conversation).toContainText("Hi.");
});
