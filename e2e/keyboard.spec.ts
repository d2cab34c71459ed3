/** Where keys go, in Chromium: a press never reaches a field that the user has already left, however late a program arrives. */
import type { Page } from "@playwright/test";
import { names } from "./pages/names";
import { expect, test } from "./pages/stage";

/** From now on programs that the page has not loaded wait for `release`. */
async function holdPrograms(page: Page): Promise<{ readonly release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**", async (route) => {
    await released;
    await route.continue();
  });
  return { release: () => release() };
}

/** Presses a chord and types in one task of the page, before anything can be drawn or loaded: where did the text go? */
const focusAfter = (page: Page, key: string): Promise<string> =>
  page.evaluate(async (pressed) => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key: pressed, ctrlKey: true, bubbles: true, cancelable: true }),
    );
    // A microtask: the browser has drawn nothing and loaded nothing meanwhile.
    await Promise.resolve();
    const { activeElement } = document;
    return activeElement?.closest("dialog") === null ? "page" : (activeElement?.tagName ?? "");
  }, key);

test.describe("with programs that come late", () => {
  // The page loads what it will need when it is idle; here it never is.
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { requestIdleCallback: () => 0 });
    });
  });

  test("the palette takes the keys at once, and Enter waits for its rows", async ({ page, bench, model, server }) => {
    model.setScript({ turns: [{ text: "One." }] });
    await page.goto(server.origin);
    const id = await bench.begin("A session to be found");
    await bench.session.expectIdle();
    await page.goto(server.origin);
    await bench.expectOnline();
    const { composer } = bench.session;
    await composer.fill("half a thought");
    await composer.focus();
    const held = await holdPrograms(page);
    expect(await focusAfter(page, "k")).toBe("INPUT");
    await page.keyboard.type("to be found");
    await page.keyboard.press("Enter");
    const palette = page.getByRole("dialog", { name: names.commands });
    await expect(palette.getByRole("combobox")).toHaveValue("to be found");
    await expect(composer).toHaveValue("half a thought");
    held.release();
    await expect(page).toHaveURL(new RegExp(`/s/${id}$`));
    await expect(palette).toHaveCount(0);
    expect(model.requests.filter(({ raw }) => raw.includes("half a thought"))).toEqual([]);
  });

  for (const [name, command] of [
    ["the share dialog", "share this"],
    ["the tree", "branched"],
    ["renaming", "rename this"],
    ["the help", "keyboard shortcuts"],
    ["another folder", "another folder"],
    ["the trash", "deleted files"],
  ] as const)
    test(`${name} keeps the keys while it loads`, async ({ page, bench, model }) => {
      model.setScript({ turns: [{ text: "One." }] });
      await bench.begin("Say one");
      await bench.session.expectIdle();
      const { composer } = bench.session;
      await composer.focus();
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: names.commands });
      await palette.getByRole("combobox").fill(command);
      await expect(palette.getByRole("option").first()).toBeVisible();
      const held = await holdPrograms(page);
      await page.keyboard.press("Enter");
      await expect(palette).toHaveCount(0);
      await expect(page.locator("dialog[open]")).toHaveCount(1);
      await page.keyboard.type("branched");
      await page.keyboard.press("Enter");
      await expect(composer).toHaveValue("");
      held.release();
      await expect(page.getByRole("dialog").getByRole("heading").first()).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(composer).toBeFocused();
      await expect(bench.session.conversation.getByRole("article", { name: names.you })).toHaveCount(1);
    });
});
