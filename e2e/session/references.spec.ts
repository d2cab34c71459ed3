/**
 * References of a message: files and lines by the menu of the message field, with their size; what the model gets, what
 * the conversation shows, and a message that is refused.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const numberedLines = Array.from({ length: 6_000 }, (_, index) => `line ${index + 1}`).join("\n");
const menu = (page: Page) => page.getByRole("listbox", { name: "Files and folders to add" });
const chips = (page: Page) => page.getByRole("list", { name: "Added to the message" });

test("by keyboard: a file and lines of another are found, measured, sent and shown", async ({
  page,
  bench,
  model,
  place,
}) => {
  await writeFile(join(place.project, "long.txt"), numberedLines);
  const { session } = bench;
  await session.composer.fill("Compare @mimejs");
  await expect(menu(page).getByRole("option").first()).toContainText(/mime\.js.*tokens/);
  await session.composer.press("Enter");
  await expect(session.composer).toHaveValue("Compare @mime.js ");
  await session.composer.pressSequentially("and @long.txt:10-12");
  await expect(menu(page).getByRole("option").first()).toContainText("long.txt");
  await session.composer.press("Tab");
  await expect(session.composer).toHaveValue("Compare @mime.js and @long.txt:10-12 ");
  await expect(chips(page).getByRole("listitem")).toHaveText([/^mime\.js.* tokens$/, /^long\.txt:10-12.* tokens$/]);
  model.setScript({ turns: [{ text: "Compared." }] });
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("Compared.")).toBeVisible();
  await expect(chips(page)).toHaveCount(0);
  const [body = ""] = chatRequestBodies(model).slice(-1);
  expect(body).toContain(
    String.raw`<attached file=\"long.txt\" lines=\"10-12\">\nline 10\nline 11\nline 12\n</attached>`,
  );
  expect(body).toContain(String.raw`<attached file=\"mime.js\">`);

  const sent = page.getByRole("list", { name: "Sent with this message" });
  await sent.getByRole("button", { name: "long.txt:10-12" }).click();
  await expect(page.locator(".cm-activeLine").filter({ hasText: /^line 10$/ })).toBeVisible();
});

test(
  "by pointer: of a file that is too large the lines that fit are added; a folder is offered too",
  onlyInFull,
  async ({ page, bench, place }) => {
    await writeFile(join(place.project, "long.txt"), numberedLines);
    const { session } = bench;
    await session.composer.fill("@long");
    const option = menu(page).getByRole("option").first();
    await expect(option).toContainText(/adds lines 1–\d+/);
    await option.click();
    await expect(session.composer).toHaveValue(/^@long\.txt:1-\d+ $/);
    await expect(session.composer).toBeFocused();
    await session.composer.pressSequentially("@src/");
    await menu(page).getByRole("option").filter({ hasText: "src/" }).first().click();
    await expect(chips(page).getByRole("listitem")).toHaveText([/^long\.txt:1-\d+/, /^src\//]);
    await chips(page).getByRole("button", { name: "Remove src/" }).click();
    await expect(chips(page).getByRole("listitem")).toHaveCount(1);
    await expect(session.composer).toBeFocused();
  },
);

test("a message whose file is gone is refused, keeps text and file, and is sent without it", async ({
  page,
  bench,
  model,
  place,
}) => {
  const path = join(place.project, "notes.txt");
  await writeFile(path, "to do");
  const { session } = bench;
  model.setScript({ turns: [{ text: "One." }, { text: "Two." }] });
  await bench.begin("Hello");
  await session.expectFirstRunEnd();
  await session.composer.fill("@notes");
  await expect(menu(page).getByRole("option").first()).toContainText("notes.txt");
  await session.composer.press("Enter");
  await expect(session.composer).toHaveValue("@notes.txt ");
  // A reference that cannot be measured when it is added is removed at once.
  await expect(chips(page).getByRole("listitem")).toHaveText(/^notes\.txt.* tokens$/);
  await rm(path);
  await session.composer.press("Enter");
  await expect(page.getByText("Not sent. notes.txt: Not found.")).toBeVisible();
  await expect(session.composer).toHaveValue(/@notes\.txt/);
  await expect(chips(page).getByRole("listitem")).toHaveCount(1);
  expect(chatRequestBodies(model)).toHaveLength(1);
  await chips(page).getByRole("button", { name: "Remove notes.txt" }).click();
  await expect(session.composer).toHaveValue("");
  await session.sendMessage("Never mind");
  await expect(session.conversation.getByText("Two.")).toBeVisible();
});

test("a draft in another tab has its file too", onlyInFull, async ({ page, bench, context, server }) => {
  const { session } = bench;
  await session.composer.fill("@mimejs");
  await expect(menu(page).getByRole("option").first()).toContainText("mime.js");
  await session.composer.press("Enter");
  await expect(chips(page).getByRole("listitem")).toHaveText(/^mime\.js.* tokens$/);
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("@mime.js");
  const other = await context.newPage();
  await other.goto(server.origin);
  await expect(other.getByRole("textbox", { name: "Message" })).toHaveValue("@mime.js ");
  await expect(chips(other).getByRole("listitem")).toHaveText(/^mime\.js.* tokens$/);
});

test(
  "a long paste is a text of its own, which can be moved into the message",
  onlyInFull,
  async ({ page, bench, model, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { session } = bench;
    const log = Array.from({ length: 60 }, (_, index) => `step ${index + 1}`).join("\n");
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), log);
    await session.composer.press("ControlOrMeta+V");
    const chip = chips(page).getByRole("button", { name: "Pasted text, 60 lines", exact: true });
    await expect(chip).toBeVisible();
    await expect(session.composer).toHaveValue("");
    await session.composer.press("Enter");
    await expect(page.getByText("Write what to do with it, then send.")).toBeVisible();
    model.setScript({ turns: [{ text: "It failed at step 60." }] });
    await session.composer.fill("Where did it fail?");
    await session.composer.press("Enter");
    await expect(session.conversation.getByText("It failed at step 60.")).toBeVisible();
    expect(chatRequestBodies(model).at(-1)).toContain(String.raw`<attached text=\"Pasted text, 60 lines\">\nstep 1\n`);

    await session.composer.press("ControlOrMeta+V");
    await chip.click();
    await page.locator("[data-composer]").getByRole("button", { name: "Move into the message" }).click();
    await expect(session.composer).toHaveValue(log);
    await expect(chips(page)).toHaveCount(0);
  },
);

test(
  "the lines selected in the editor, and files dragged from the tree, are added",
  onlyInFull,
  async ({ page, bench, place }) => {
    await writeFile(join(place.project, "long.txt"), numberedLines);
    const { session } = bench;
    await page.keyboard.press("ControlOrMeta+P");
    await page.getByRole("combobox").fill("long.txt:10");
    await expect(page.getByRole("option").first()).toContainText("long.txt");
    await page.keyboard.press("Enter");
    await expect(page.locator(".cm-activeLine").filter({ hasText: /^line 10$/ })).toBeVisible();
    await expect(page.locator(".cm-content")).toBeFocused();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Alt+m");
    await expect(chips(page).getByRole("listitem")).toHaveText([/^long\.txt:10-11/]);
    await expect(session.composer).toBeFocused();

    await page.keyboard.press("ControlOrMeta+Shift+E");
    await page.getByRole("treeitem", { name: /^src/ }).dragTo(session.composer);
    await expect(chips(page).getByRole("listitem")).toHaveText([/^long\.txt:10-11/, /^src\//]);
  },
);

test(
  "on a phone a file is added by a tap, and its chip stays in the view",
  onlyInFull,
  async ({ page, bench, model }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { session } = bench;
    await session.composer.fill("Explain @mimejs");
    const option = menu(page).getByRole("option").first();
    await expect(option).toContainText("mime.js");
    await option.click();
    await expect(session.composer).toHaveValue("Explain @mime.js ");
    await expect(chips(page).getByRole("listitem").first()).toBeInViewport();
    model.setScript({ turns: [{ text: "Explained." }] });
    await page.locator("[data-composer]").getByRole("button", { name: "Send" }).click();
    await expect(session.conversation.getByText("Explained.")).toBeVisible();
    expect(chatRequestBodies(model).at(-1)).toContain(String.raw`<attached file=\"mime.js\">`);
  },
);
