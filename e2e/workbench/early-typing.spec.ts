/**
 * The message field is part of the exported page: text typed before any script has loaded is retained, and sent as
 * soon as possible.
 */
import type { Page, Route } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";

const earlyField = "[data-early-composer] textarea";
const composerField = "[data-composer] textarea";

/** Holds back every script of the page; returns a function that releases them. */
async function holdScripts(page: Page): Promise<() => void> {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(/\/_next\/static\/.*\.js/, (route) => (isOpen ? route.continue() : void held.push(route)));
  return () => {
    isOpen = true;
    for (const route of held.splice(0)) void route.continue();
  };
}

/** Waits until the exported page has its styles, which move the field. */
async function expectStyles(page: Page): Promise<void> {
  await page.locator(earlyField).waitFor();
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every((link) => link.sheet !== null),
      ),
    )
    .toBe(true);
}

const readBoundingBox = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not drawn`);
  return box;
};

test("text typed before the scripts load is in the composer, with the caret where it was", async ({ page, server }) => {
  const release = await holdScripts(page);
  await page.goto(server.origin, { waitUntil: "commit" });
  await page.locator(earlyField).waitFor();
  await expect(page.locator(earlyField)).toBeFocused();
  await page.keyboard.type("Explain the code");
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
  release();
  await page.locator("[data-composer][data-state=idle]").waitFor();
  await page.keyboard.type("whole ");
  await expect(page.locator(composerField)).toHaveValue("Explain the whole code");
});

test(
  "quick open, requested before the scripts load, gets what is typed then; the message field stays empty",
  onlyInFull,
  async ({ page, server }) => {
    const release = await holdScripts(page);
    await page.goto(server.origin, { waitUntil: "commit" });
    await expect(page.locator(earlyField)).toBeFocused();
    await page.keyboard.press("ControlOrMeta+p");
    await page.keyboard.type("read");
    release();
    const field = page.getByRole("combobox");
    await expect(field).toHaveValue("read");
    await expect(field).toBeFocused();
    await expect(page.getByRole("option", { name: /README\.md/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", "README.md");
    await expect(page.locator(composerField)).toHaveValue("");
  },
);

test("an Enter before the connection sends the prompt once, as soon as possible", async ({ page, server, model }) => {
  model.setScript({ turns: [{ text: "It is a project." }] });
  const release = await holdScripts(page);
  await page.goto(server.origin, { waitUntil: "commit" });
  await page.locator(earlyField).waitFor();
  await page.keyboard.type("What is this?");
  await page.keyboard.press("Enter");
  await expect(page.locator(earlyField)).toHaveValue("What is this?");
  release();
  await expect(page.getByText("It is a project.")).toBeVisible();
  await expect(page.getByText("What is this?", { exact: true })).not.toHaveCount(0);
  await expect(page.locator(composerField)).toHaveValue("");
});

test("a draft is in the field at once, and an edit replaces it", async ({ page, server }) => {
  await page.goto(server.origin);
  await page.locator("[data-composer][data-state=idle]").waitFor();
  await page.keyboard.type("First draft");
  await expect(page.locator(composerField)).toHaveValue("First draft");
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator(earlyField)).toHaveValue("First draft");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("thought");
  release();
  await page.locator("[data-composer][data-state=idle]").waitFor();
  await expect(page.locator(composerField)).toHaveValue("First thought");
});

for (const { colorScheme, locale } of [
  { colorScheme: "light", locale: "en-US" },
  { colorScheme: "dark", locale: "zh-CN" },
] as const)
  for (const width of [1440, 1024, 390])
    test.describe(
      "in a page of another size",
      width === 1024 || (width === 390) === (locale === "en-US") ? onlyInFull : {},
      () => {
        test.use({ colorScheme, locale, viewport: { width, height: 800 } });

        test(`the field does not move when the composer takes its place: ${colorScheme}, ${locale}, ${width} px`, async ({
          page,
          server,
        }) => {
          await page.locator("[data-composer][data-state=idle]").waitFor();
          const release = await holdScripts(page);
          await page.goto(server.origin, { waitUntil: "commit" });
          await expectStyles(page);
          const before = { box: await readBoundingBox(page, earlyField), look: await computedStyle(page, earlyField) };
          release();
          await page.locator("[data-composer][data-state=idle]").waitFor();
          await expect
            .poll(async () => ({
              box: await readBoundingBox(page, composerField),
              look: await computedStyle(page, composerField),
            }))
            .toEqual(before);
        });
      },
    );

test("the field does not move either when the bottom panel is open", onlyInFull, async ({ page, server }) => {
  await page.goto(server.origin);
  await page.locator("[data-composer][data-state=idle]").waitFor();
  await page.keyboard.press("Control+Backquote");
  await page.locator("[data-terminal]").waitFor();
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expectStyles(page);
  const before = await readBoundingBox(page, earlyField);
  release();
  await page.locator("[data-composer][data-state=idle]").waitFor();
  await page.locator("[data-terminal]").waitFor();
  await expect.poll(() => readBoundingBox(page, composerField)).toEqual(before);
});

const computedStyle = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate((name) => {
    const field = document.querySelector(name);
    if (!(field instanceof HTMLTextAreaElement)) return null;
    const { color, fontSize, fontFamily } = getComputedStyle(field);
    const { backgroundColor } = getComputedStyle(document.body);
    return { color, fontSize, fontFamily, backgroundColor, placeholder: field.placeholder, label: field.ariaLabel };
  }, selector);
