/** Answering a card without a click into it, and what must never answer it. */
import { readdir } from "node:fs/promises";
import { names } from "./pages/names";
import { expect, test } from "./pages/stage";

const write = (path: string) => ({ name: "write", arguments: { path, content: "x\n" } });

test("1 allows the card from the empty message field, and with text it is text", async ({
  page,
  bench,
  project,
  model,
}) => {
  model.setScript({ turns: [{ text: "", toolCalls: [write("one.txt"), write("two.txt")] }, { text: "Written." }] });
  await bench.begin("Write both.");
  const { composer, cards, card } = bench.session;
  await expect(cards).toHaveCount(2);
  const [first, second] = [await card.id(), await cards.nth(1).getAttribute("data-approval")];
  await composer.focus();
  await expect(card.root.locator("[data-key-hint]").first()).toBeVisible();
  await expect(cards.nth(1).locator("[data-key-hint]").first()).toBeHidden();
  await page.keyboard.type("Use 1 tab");
  await expect(composer).toHaveValue("Use 1 tab");
  await expect(card.root.locator("[data-key-hint]").first()).toBeHidden();
  await expect(cards).toHaveCount(2);
  // A digit right after other typing is text: the field is emptied, and the key pressed a moment later.
  await expect(async () => {
    if ((await composer.inputValue()) !== "") await composer.fill("");
    else await page.keyboard.press("1");
    await expect(page.locator(`[data-approval="${first}"][data-state=waiting]`)).toHaveCount(0, { timeout: 200 });
  }).toPass();
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue("");
  await expect(cards).toHaveCount(1);
  expect(await card.id()).toBe(second);
  await page.keyboard.press("4");
  const reason = page.getByRole("textbox", { name: names.reason });
  await expect(reason).toBeFocused();
  await page.keyboard.type("1 is enough");
  await page.keyboard.press("Enter");
  await expect(bench.session.conversation).toContainText("Written.");
  await expect(bench.session.conversation).toContainText("You said: 1 is enough");
  expect(await readdir(project)).toContain("one.txt");
  expect(await readdir(project)).not.toContain("two.txt");
});

test("a press that began before the card came under the pointer answers nothing", async ({ page, bench, model }) => {
  model.setScript({ turns: [{ text: "", toolCalls: [write("one.txt")] }, { text: "Written." }] });
  await bench.begin("Write it.");
  const { card, cards } = bench.session;
  await expect(card.once).toBeVisible();
  await expect(card.root.locator("[data-answers]")).not.toHaveClass(/pointer-events-none/);
  const box = await card.once.boundingBox();
  if (box === null) throw new Error("the button is not drawn");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // Away from the card, then the card comes under the resting pointer.
  await page.mouse.move(x, y - 400);
  const answers = card.root.locator("[data-answers]");
  await card.root.evaluate((element) => {
    element.style.transform = "translateY(-400px)";
  });
  await expect(answers).toHaveClass(/pointer-events-none/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(cards).toHaveCount(1);
  await expect(card.root).toHaveAttribute("data-state", "waiting");
  // Once it has stood there for a moment, the same place answers.
  await expect(answers).not.toHaveClass(/pointer-events-none/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(bench.session.conversation).toContainText("Written.");
});
