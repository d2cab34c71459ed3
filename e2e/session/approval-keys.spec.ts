/** Answering a card by key without a click into it, and input that must never answer it. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { limits } from "@/lib/settings/settings";
import { onlyInFull } from "../fixtures/full-run";
import { restingCentre } from "../pages/resting-centre";
import { uiNames } from "../pages/ui-names";
import { expect, test } from "../pages/mime-stage";

const writeFileCall = (path: string) => ({ name: "write", arguments: { path, content: "x\n" } });

/** Counts the elements whose centre another element covers. */
const countCovered = (elements: readonly Element[]): number =>
  elements.filter((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }).length;

/** Holds the page's timers of this length, such as the one that ends the rest of a card, until the function is called. */
async function holdTimers(page: Page, timerMs: number): Promise<() => Promise<void>> {
  await page.evaluate((heldMs) => {
    const start = window.setTimeout;
    const held: (() => void)[] = [];
    const setTimeout = (run: () => void, afterMs?: number): number => {
      if (afterMs !== heldMs) return start(run, afterMs);
      held.push(run);
      return -1;
    };
    Object.assign(window, { setTimeout });
    addEventListener("release-timers", () => {
      Object.assign(window, { setTimeout: start });
      for (const run of held) run();
    });
  }, timerMs);
  return () => page.evaluate(() => void dispatchEvent(new Event("release-timers")));
}

test("1 allows the card from the empty message field, and with text it is text", async ({
  page,
  bench,
  project,
  model,
}) => {
  model.setScript({
    turns: [{ text: "", toolCalls: [writeFileCall("one.txt"), writeFileCall("two.txt")] }, { text: "Written." }],
  });
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
  await composer.fill("");
  await bench.session.pressForCard("1");
  await expect(page.locator(`[data-approval="${first}"]`)).toHaveCount(0);
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue("");
  await expect(cards).toHaveCount(1);
  expect(await card.id()).toBe(second);
  await bench.session.pressForCard("4");
  await expect(page.getByRole("textbox", { name: uiNames.reason })).toBeFocused();
  await page.keyboard.type("1 is enough");
  await page.keyboard.press("Enter");
  await expect(bench.session.conversation).toContainText("Written.");
  await expect(bench.session.conversation).toContainText("You said: 1 is enough");
  expect(await readdir(project)).toContain("one.txt");
  expect(await readdir(project)).not.toContain("two.txt");
});

test(
  "a digit pressed twice answers one card, and a digit in the file tree none",
  onlyInFull,
  async ({ page, bench, project, model }) => {
    await writeFile(join(project, "1-first.txt"), "1\n");
    model.setScript({
      turns: [{ text: "", toolCalls: [writeFileCall("one.txt"), writeFileCall("two.txt")] }, { text: "Written." }],
    });
    await bench.begin("Write both.");
    const { cards, card } = bench.session;
    await expect(cards).toHaveCount(2);
    const { composer } = bench.session;
    const [first, second] = [await card.id(), await cards.nth(1).getAttribute("data-approval")];
    await expect(card.root.locator("[data-answers]")).not.toHaveClass(/pointer-events-none/);
    await page.getByRole("button", { name: "Files" }).first().click();
    const tree = page.getByRole("tree", { name: "Files" });
    const row = tree.getByRole("treeitem", { name: "1-first.txt" });
    await expect(row).toBeVisible();
    await tree.focus();
    await page.keyboard.press("1");
    const id = (await row.getAttribute("id")) ?? "";
    await expect(tree).toHaveAttribute("aria-activedescendant", id);
    await expect(cards).toHaveCount(2);

    await composer.focus();
    await bench.session.waitForCardRest();
    // From the first press to the second no time passes for the page, however slow the machine is.
    await page.evaluate(() => {
      const at = performance.now();
      performance.now = () => at;
    });
    // The second press arrives together with the second card.
    const pressedAgain = page.evaluate((id) => {
      const card = `[data-approval="${id}"][data-next]`;
      const press = (): boolean =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
      return new Promise<void>((resolve) => {
        const checkCard = (): void => {
          if (document.querySelector(card) === null) requestAnimationFrame(checkCard);
          else requestAnimationFrame(() => resolve(void press()));
        };
        checkCard();
      });
    }, second);
    await page.keyboard.press("1");
    await expect(page.locator(`[data-approval="${first}"]`)).toHaveCount(0);
    await pressedAgain;
    await page.evaluate(() => void Reflect.deleteProperty(performance, "now"));
    await expect(page.locator(`[data-approval="${second}"]`)).toHaveAttribute("data-state", "waiting");
    await card.deny.click();
    await expect(bench.session.conversation).toContainText("Written.");
    expect(await readdir(project)).toContain("one.txt");
    expect(await readdir(project)).not.toContain("two.txt");
  },
);

test("a card that appears under a pointer that never moved on this page answers nothing", async ({
  page,
  bench,
  model,
}) => {
  model.setScript({ turns: [{ text: "", toolCalls: [writeFileCall("one.txt")] }, { text: "Written." }] });
  const { card, cards, composer } = bench.session;
  await composer.fill("Write it.");
  await page.mouse.move(700, 200);
  await composer.press("Enter");
  const answers = card.root.locator("[data-answers]");
  await expect(answers).toBeVisible();
  await expect(answers).not.toHaveClass(/pointer-events-none/);
  const from = await restingCentre(card.once);
  await holdTimers(page, limits.approvalRestMs);
  await card.root.evaluate(
    (element, [x, y]) => {
      element.style.transform = `translate(${x}px, ${y}px)`;
    },
    [700 - from.x, 200 - from.y] as const,
  );
  await expect(answers).toHaveClass(/pointer-events-none/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(cards).toHaveCount(1);
  await expect(card.root).toHaveAttribute("data-state", "waiting");
});

test("a press that began before the card moved under the pointer answers nothing", async ({ page, bench, model }) => {
  model.setScript({ turns: [{ text: "", toolCalls: [writeFileCall("one.txt")] }, { text: "Written." }] });
  await bench.begin("Write it.");
  const { card, cards } = bench.session;
  await expect(card.once).toBeVisible();
  await expect(card.root.locator("[data-answers]")).not.toHaveClass(/pointer-events-none/);
  const { x, y } = await restingCentre(card.once);
  // The pointer is away from the card, then the card moves under the resting pointer.
  await page.mouse.move(x, y - 400);
  const answers = card.root.locator("[data-answers]");
  const releaseTimers = await holdTimers(page, limits.approvalRestMs);
  await card.root.evaluate((element) => {
    element.style.transform = "translateY(-400px)";
  });
  await expect(answers).toHaveClass(/pointer-events-none/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(cards).toHaveCount(1);
  await expect(card.root).toHaveAttribute("data-state", "waiting");
  // Once the card has been there for a moment, a press at the same point answers.
  await releaseTimers();
  await expect(answers).not.toHaveClass(/pointer-events-none/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(bench.session.conversation).toContainText("Written.");
});

test(
  "a press after the pointer moved onto a card answers, although the card moved since it appeared",
  onlyInFull,
  async ({ page, bench, model }) => {
    model.setScript({
      turns: [{ text: "Ready." }, { text: "", toolCalls: [writeFileCall("one.txt")] }, { text: "Written." }],
    });
    await bench.begin("Wait.");
    const { card } = bench.session;
    await expect(bench.session.conversation).toContainText("Ready.");
    await page.mouse.move(700, 200);
    await bench.session.sendMessage("Write it.");
    await expect(card.root.locator("[data-answers]")).not.toHaveClass(/pointer-events-none/);
    await card.root.evaluate((element) => {
      element.style.transform = "translateY(-40px)";
    });
    const { x, y } = await restingCentre(card.once);
    const { mouse } = page;
    await mouse.move(x, y);
    // After two frames the page has rendered what the movement caused.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await mouse.down();
    await mouse.up();
    await expect(bench.session.conversation).toContainText("Written.");
  },
);

const longText = Array.from({ length: 40 }, (_, line) => `Paragraph ${line}.\n\n`).join("");
const tallCall = (path: string) => ({
  name: "write",
  arguments: { path, content: Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join("") },
});
const tallTurn = { text: longText, toolCalls: ["a.txt", "b.txt", "c.txt"].map(tallCall) };

test(
  "the oldest of several cards stays in view when it grows, but not while the reader opens something else",
  onlyInFull,
  async ({ page, bench, model }) => {
    model.setScript({ turns: [{ ...tallTurn, thinking: "It has to be written." }] });
    await bench.begin("Write them.");
    const { cards, card, conversation } = bench.session;
    await expect(cards).toHaveCount(3);
    const answers = card.root.locator("[data-answers]");
    const covered = () => answers.getByRole("button").evaluateAll(countCovered);
    const grow = (px: number) =>
      card.root.evaluate((element: HTMLElement, top) => {
        element.style.paddingTop = `${top}px`;
      }, px);
    await expect.poll(covered).toBe(0);
    await grow(200);
    await expect.poll(covered).toBe(0);
    await conversation.evaluate((list) => list.scrollBy(0, -4_000));
    await conversation.getByRole("button", { name: /^Thought/ }).click();
    await grow(300);
    await expect(page.getByText("It has to be written.")).toBeInViewport();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expect(page.getByText("It has to be written.")).toBeInViewport();
  },
);

test(
  "of several tall cards the oldest is in view, one after the other, and the end when none waits",
  onlyInFull,
  async ({ page, bench, model }) => {
    model.setScript({ turns: [tallTurn, { text: "All are written." }] });
    await bench.begin("Write them.");
    const { composer, cards, card } = bench.session;
    await expect(cards).toHaveCount(3);
    for (const left of [2, 1, 0]) {
      const answers = card.root.locator("[data-answers]");
      await expect(answers).toBeInViewport();
      await expect(answers).not.toHaveClass(/pointer-events-none/);
      // Nothing covers an answer, such as the button to the latest row.
      await expect(answers.getByRole("button").first()).toBeVisible();
      await expect.poll(() => answers.getByRole("button").evaluateAll(countCovered)).toBe(0);
      await bench.session.pressForCard("1");
      await expect(cards).toHaveCount(left);
      await expect(composer).toHaveValue("");
    }
    await expect(page.getByText("All are written.")).toBeInViewport();
  },
);

test("a digit for a card that was scrolled away shows the card, and answers nothing", async ({
  page,
  bench,
  model,
}) => {
  const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.\n\n`).join("");
  model.setScript({ turns: [{ text: long, toolCalls: [writeFileCall("one.txt")] }, { text: "Written." }] });
  await bench.begin("Write it.");
  const { composer, cards, card, conversation } = bench.session;
  const answers = card.root.locator("[data-answers]");
  await expect(answers).not.toHaveClass(/pointer-events-none/);
  // A list that is still measuring its rows returns to its end.
  await expect(async () => {
    await conversation.evaluate((list) => list.scrollBy(0, -300));
    await expect(answers).not.toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await composer.focus();
  await page.keyboard.press("1");
  await expect(answers).toBeInViewport();
  await expect(cards).toHaveCount(1);
  await expect(composer).toHaveValue("");
  await page.keyboard.press("1");
  await expect(cards).toHaveCount(0);
  await expect(composer).toHaveValue("");
});

for (const count of [1, 2])
  test(
    `the answers of the oldest of ${count} cards stay in view while the message field grows`,
    onlyInFull,
    async ({ bench, model }) => {
      const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.\n\n`).join("");
      const calls = ["one.txt", "two.txt"].slice(0, count).map(writeFileCall);
      model.setScript({ turns: [{ text: long, toolCalls: calls }, { text: "Written." }] });
      await bench.begin("Write them.");
      const { composer, cards, card } = bench.session;
      await expect(cards).toHaveCount(count);
      const answers = card.root.locator("[data-answers]");
      await expect(answers).toBeInViewport({ ratio: 1 });
      await composer.fill("line\n".repeat(12));
      await expect(answers).toBeInViewport({ ratio: 1 });
      await expect(card.button("Deny and say why")).toBeInViewport({ ratio: 1 });
      // A hidden key hint takes no space in its button.
      await expect(card.once.locator("[data-key-hint]")).toBeHidden();
      expect(
        await card.once.evaluate((button) => {
          const before = button.getBoundingClientRect().width;
          button.querySelector<HTMLElement>("[data-key-hint]")?.style.setProperty("display", "none");
          return before - button.getBoundingClientRect().width;
        }),
      ).toBe(0);
    },
  );
