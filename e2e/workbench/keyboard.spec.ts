/**
 * Keyboard focus in Chromium: a key press never reaches a field that the user has already left, however late a script
 * loads.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { uiNames } from "../pages/ui-names";
import { expect, test } from "../pages/mime-stage";

/** Holds back scripts that the page has not loaded yet until `release` is called. */
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

/**
 * Presses a chord and types in one task of the page, before anything can be drawn or loaded; returns the element that
 * has the focus.
 */
const focusAfter = (page: Page, key: string): Promise<string> =>
  page.evaluate(async (pressed) => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key: pressed, ctrlKey: true, bubbles: true, cancelable: true }),
    );
    // A microtask: the browser draws and loads nothing in between.
    await Promise.resolve();
    const { activeElement } = document;
    return activeElement?.closest("dialog") === null ? "page" : (activeElement?.tagName ?? "");
  }, key);

test.describe("with scripts that load late", () => {
  // The page preloads scripts when it is idle; here it never is.
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { requestIdleCallback: () => 0 });
    });
  });

  test("the palette takes the keys at once, and Enter waits for its rows", async ({ page, bench, model, server }) => {
    model.setScript({ turns: [{ text: "One." }] });
    await page.goto(server.origin);
    const id = await bench.begin("A session to be found");
    await bench.session.expectFirstRunEnd();
    await page.goto(server.origin);
    await bench.expectOnline();
    const { composer } = bench.session;
    await composer.fill("half a thought");
    await composer.focus();
    const held = await holdPrograms(page);
    expect(await focusAfter(page, "k")).toBe("INPUT");
    await page.keyboard.type("to be found");
    await page.keyboard.press("Enter");
    const palette = page.getByRole("dialog", { name: uiNames.commands });
    await expect(palette.getByRole("combobox")).toHaveValue("to be found");
    await expect(composer).toHaveValue("half a thought");
    held.release();
    await expect(page).toHaveURL(new RegExp(`/s/${id}$`));
    await expect(palette).toHaveCount(0);
    expect(model.requests.filter(({ raw }) => raw.includes("half a thought"))).toEqual([]);
  });

  for (const [name, command] of [
    ["the share dialog", "share session"],
    ["the tree", "branches"],
    ["renaming", "rename session"],
    ["the help", "keyboard shortcuts"],
    ["another folder", "open folder"],
    ["the trash", "deleted files"],
  ] as const)
    test(
      `${name} keeps the keys while it loads`,
      name === "the tree" ? {} : onlyInFull,
      async ({ page, bench, model }) => {
        model.setScript({ turns: [{ text: "One." }] });
        await bench.begin("Say one");
        await bench.session.expectFirstRunEnd();
        const { composer } = bench.session;
        await composer.focus();
        await page.keyboard.press("Control+k");
        const palette = page.getByRole("dialog", { name: uiNames.commands });
        await palette.getByRole("combobox").fill(command);
        await expect(palette.getByRole("option").first()).toBeVisible();
        const held = await holdPrograms(page);
        await page.keyboard.press("Enter");
        await expect(palette).toHaveCount(0);
        await expect(page.locator("dialog[open]")).toHaveCount(1);
        await page.keyboard.type("branches");
        await page.keyboard.press("Enter");
        await expect(composer).toHaveValue("");
        held.release();
        await expect(page.getByRole("dialog").getByRole("heading").first()).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
        await expect(composer).toBeFocused();
        await expect(bench.session.conversation.getByRole("article", { name: uiNames.you })).toHaveCount(1);
      },
    );
});

/** An answer that continues until it is stopped. */
const endless = {
  turns: [
    { text: "never", holdAfter: 0 },
    { text: "never", holdAfter: 0 },
  ],
};

test("Esc stops from the conversation and the composer only, and the stopped run offers to continue", async ({
  page,
  bench,
  model,
}) => {
  model.setScript(endless);
  const { session } = bench;
  await bench.begin("Begin.");
  await expect(session.stop).toBeVisible();
  await page.getByRole("button", { name: "Files" }).first().click();
  await page.getByRole("treeitem", { name: "README.md" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Escape");
  await session.modeButton.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(session.stop).toBeVisible();

  await page.getByRole("treeitem", { name: "README.md" }).focus();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Search" }).first().focus();
  await page.keyboard.press("Escape");
  await expect(session.stop).toBeVisible();
  await session.composer.press("Escape");
  await session.expectIdle();

  await session.conversation.getByRole("button", { name: "Continue" }).click();
  await expect(session.stop).toBeVisible();
  await expect(session.conversation.getByRole("button", { name: "Continue" })).toHaveCount(0);
  await session.conversation.click({ position: { x: 4, y: 4 } });
  await page.keyboard.press("Escape");
  await session.expectIdle();
});

test("a session, home and a new file accept typing at once, and no text typed meanwhile is lost", async ({
  page,
  bench,
  model,
  server,
  place,
}) => {
  model.setScript({ turns: [{ text: "One." }] });
  await page.goto(server.origin);
  const { composer } = bench.session;
  await expect(composer).toBeFocused();
  const id = await bench.begin("First");
  await bench.session.expectFirstRunEnd();
  await expect(composer).toBeFocused();
  await page.goto(server.origin);
  await bench.expectOnline();

  const held = await holdPrograms(page);
  await bench
    .listed("First")
    .getByRole("link")
    .or(bench.list.locator(`a[href="/s/${id}"]`))
    .first()
    .click();
  await page.keyboard.type("typed early");
  held.release();
  await expect(page.locator("[data-composer]")).toHaveAttribute("data-state", "idle");
  await page.keyboard.type(" and late");
  await expect(composer).toHaveValue("typed early and late");

  await page.keyboard.press("Alt+n");
  await page.keyboard.type("for a new one");
  await expect(composer).toHaveValue("for a new one");

  await page.getByRole("button", { name: "Files" }).first().click();
  await page.getByRole("button", { name: "New" }).click();
  await page.getByRole("menuitem", { name: "New file" }).click();
  await page.keyboard.type("fresh.txt");
  await page.keyboard.press("Enter");
  await page.keyboard.type("hello");
  await expect(page.locator(".cm-content")).toContainText("hello");
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.type(" world");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(join(place.project, "fresh.txt"), "utf8")).toBe("hello world");
});

test("the keys of a card are the same whichever options it offers", onlyInFull, async ({ page, bench, model }) => {
  model.setScript({
    turns: [
      { text: "", toolCalls: [{ name: "bash", arguments: { command: "echo $(date) > out.txt" } }] },
      { text: "Denied." },
    ],
  });
  await bench.begin("Write it.");
  const { card } = bench.session;
  await expect(card.once).toBeVisible();
  await expect(card.always).toHaveCount(0);
  await expect(card.deny).toContainText("3");
  await expect(card.button(uiNames.denyWhy)).toContainText("4");
  await page.keyboard.press("Alt+a");
  await expect(card.root).toBeFocused();
  await bench.session.pressForCard("2");
  await page.keyboard.press("3");
  await expect(bench.session.cards).toHaveCount(0);
  await expect(bench.session.conversation).toContainText("Denied.");
});

test("text typed after a mode was selected goes into the message, and letters never switch to Full access", async ({
  page,
}) => {
  const composer = page.locator("[data-composer]");
  const menu = composer.getByRole("button", { name: uiNames.modes.ask });
  await menu.click();
  await page.getByRole("menuitemradio", { name: uiNames.modes.plan }).click();
  await page.keyboard.type("please fix the bug");
  await expect(composer.getByRole("textbox")).toHaveValue("please fix the bug");
  await expect(composer).toHaveAttribute("data-mode", "plan");

  await composer.getByRole("button", { name: uiNames.modes.plan }).click();
  await page.keyboard.type("full access ");
  await page.keyboard.press("Escape");
  await expect(composer).toHaveAttribute("data-mode", "plan");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Esc in the form of a new connection keeps the typed text", onlyInFull, async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/connections`);
  await page.getByRole("button", { name: /LM Studio/ }).click();
  const address = page.getByRole("textbox", { name: /URL/ });
  await address.fill("http://127.0.0.1:9/v1");
  await page.getByRole("button", { name: "Test connection" }).focus();
  await page.keyboard.press("Escape");
  await expect(address).toHaveValue("http://127.0.0.1:9/v1");
});

test(
  "Tab stays in an open dialog, and Esc returns the focus to the field behind it with its text",
  onlyInFull,
  async ({ page, bench }) => {
    const { composer } = bench.session;
    await expect(composer).toBeFocused();
    await page.keyboard.type("half a thought");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(">open folder");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("heading")).toBeVisible();
    const enabled = dialog.locator("input, button:enabled");
    await expect.poll(() => enabled.count()).toBeGreaterThan(1);
    const controls = await enabled.count();
    // Both directions, once around: between the last and the first control the browser's own bar has the focus.
    for (const key of ["Tab", "Shift+Tab"])
      for (let press = 0; press < controls + 2; press += 1) {
        await page.keyboard.press(key);
        const isBehind: boolean = await page.evaluate(
          () => document.activeElement !== document.body && document.activeElement?.closest("dialog") === null,
        );
        expect(isBehind).toBe(false);
      }
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(composer).toBeFocused();
    await expect(composer).toHaveValue("half a thought");
  },
);
