/**
 * The parts around the conversation, in Chromium: history, the editor beside a program that writes the same file, the
 * trash, the first run.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import { HistoryPageObject } from "../pages/history-page";
import { uiNames } from "../pages/ui-names";
import { expect, ownServerTest, test } from "../pages/mime-stage";

test("history renames a session, deletes it, undoes that, and searches", async ({ page, bench, model, server }) => {
  model.setScript({ turns: [{ text: "One." }, { text: "Two." }] });
  await bench.begin("First of two");
  await bench.session.expectFirstRunEnd();
  await page.goto(server.origin);
  await bench.begin("第二个会话");
  await bench.session.expectFirstRunEnd();
  const history = new HistoryPageObject(page);
  await history.open(server.origin);
  const { rows } = history;
  await expect(rows).toHaveCount(2);

  await history.chooseRowAction("First of two", "Rename");
  await history.main.getByRole("textbox").last().fill("Renamed");
  await page.keyboard.press("Enter");
  await expect(history.row("Renamed")).toHaveCount(1);

  await history.search.fill("会话");
  await expect(history.hits).toHaveCount(1);
  await expect(history.main.getByRole("article")).toContainText("第二个会话");
  await history.search.fill("");
  await expect(rows).toHaveCount(2);

  await history.chooseRowAction("Renamed", "Delete");
  await expect(rows).toHaveCount(1);
  await history.clickNoticeAction("Undo", "to trash");
  await expect(history.row("Renamed")).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(2);
});

test("the editor saves typed text, and reports when another program changed the file meanwhile", async ({
  page,
  bench,
  place,
}) => {
  const file = join(place.project, "README.md");
  await bench.expectOnline();
  await page.getByRole("button", { name: "Files" }).first().click();
  await page.getByRole("treeitem", { name: "README.md" }).click();
  const text = page.locator(".cm-content");
  await text.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("typed ");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(file, "utf8")).toMatch(/^typed # mime/);

  await page.keyboard.type("more ");
  await writeFile(file, "theirs\n");
  await expect(page.getByText("This file changed on disk while you were editing.")).toBeVisible();
  await page.getByRole("button", { name: "Keep mine" }).click();
  await text.click();
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(file, "utf8")).toMatch(/^typed more # mime/);
});

test("a choice in the compare dialog stays with its change when the file changes on disk again", async ({
  page,
  bench,
  place,
}) => {
  const file = join(place.project, "notes.txt");
  const lines = (change: Readonly<Record<number, string>>): string =>
    Array.from({ length: 40 }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join("");
  await writeFile(file, lines({}));
  await bench.expectOnline();
  await page.getByRole("button", { name: "Files" }).first().click();
  await page.getByRole("treeitem", { name: "notes.txt" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("mine ");
  // Elsewhere in the file: merged without a question.
  await writeFile(file, lines({ 20: "theirs 20" }));
  await expect(page.getByText("both are in the text now")).toBeVisible();
  await writeFile(file, lines({ 1: "theirs 1", 20: "theirs 20" }));
  await page.getByRole("button", { name: "Compare" }).click();
  const dialog = page.getByRole("dialog");
  const changes = dialog.locator("[data-change]");
  await expect(changes).toHaveCount(1);
  const apply = dialog.getByRole("button", { name: "Apply" });
  await expect(apply).toBeDisabled();
  await changes.nth(0).getByRole("radio", { name: "Mine" }).click();
  await expect(apply).toBeEnabled();

  // The dialog belongs to no layout.
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(changes.nth(0).getByRole("radio", { name: "Mine" })).toBeChecked();
    await expect(apply).toBeEnabled();
  }

  await writeFile(file, lines({ 1: "other 1", 20: "theirs 20", 30: "theirs 30" }));
  await expect(changes.nth(0)).toContainText("other 1");
  await expect(dialog.getByText("changed on disk again")).toBeVisible();
  await expect(apply).toBeDisabled();
  await changes.nth(0).getByRole("radio", { name: "Mine" }).click();
  await apply.click();
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(file, "utf8")).toBe(lines({ 1: "mine line 1", 20: "theirs 20", 30: "theirs 30" }));
});

test(
  "the side panel returns when the window is wide again, and a new session opens with the conversation",
  onlyInFull,
  async ({ page, bench, model }) => {
    model.setScript({ turns: [{ text: "Done." }] });
    await bench.begin("First");
    await bench.session.expectFirstRunEnd();
    await expect(bench.list).toBeVisible();
    await page.getByRole("radio", { name: "Review" }).click();
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(bench.list).toBeHidden();
    await page.reload();
    await bench.expectOnline();
    await expect(bench.list).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(bench.list).toBeVisible();

    await page.keyboard.press("Alt+n");
    await expect(page.getByRole("radio", { name: "Chat" })).toBeChecked();
    await expect(page.getByRole("region", { name: "Conversation" })).toBeVisible();
  },
);

test(
  "sessions with the same title are distinguishable in the list, the history and the palette",
  onlyInFull,
  async ({ page, bench, model, server }) => {
    model.setScript({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
    for (const text of ["Fix the tests", "Fix the tests", "Something else"]) {
      await page.goto(server.origin);
      await bench.begin(text);
      await bench.session.expectFirstRunEnd();
    }
    const time = /^\d\d:\d\d(:\d\d)?( \(2\))?$/;
    const marks = page.locator("[data-namesake]");
    await expect(marks).toHaveText([time, time]);
    await expect.poll(async () => new Set(await marks.allTextContents()).size).toBe(2);
    const palette = page.getByRole("listbox", { name: "Commands" });
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("Fix the tests");
    await expect(palette.getByRole("option")).toHaveText([/^Fix the tests\d\d:\d\d/, /^Fix the tests\d\d:\d\d/]);
    await page.keyboard.press("Escape");
    const history = new HistoryPageObject(page);
    await history.open(server.origin);
    await expect(history.row("Fix the tests").locator("[data-namesake]")).toHaveText([time, time]);
    await expect(history.row("Something else").locator("[data-namesake]")).toHaveCount(0);
  },
);

test(
  "on a phone the header names the project, and the settings begin with the list of their pages",
  onlyInFull,
  async ({ page, bench, model, place }) => {
    model.setScript({ turns: [{ text: "Done." }] });
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("banner")).toContainText(basename(place.project));
    await bench.begin("First");
    await expect(page.getByRole("banner")).toContainText("First");
    await expect(page.getByRole("banner")).toContainText(basename(place.project));
    await page.getByRole("navigation", { name: "Side panels" }).getByRole("button", { name: "Settings" }).click();
    const sections = page.getByRole("navigation", { name: "Settings" });
    await sections.getByRole("link", { name: "About" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeVisible();
    await expect(sections).toBeHidden();
    await page.getByRole("banner").getByRole("button", { name: "Back" }).click();
    await expect(sections.getByRole("link")).toHaveCount(23);
    await expect(page.getByRole("main")).toBeHidden();
  },
);

test("a deleted file is restored by Restore", async ({ bench, model, place }) => {
  const file = join(place.project, "cli.js");
  const before = await readFile(file, "utf8");
  model.setScript({
    turns: [{ text: "", toolCalls: [{ name: "delete", arguments: { path: "cli.js" } }] }, { text: "Gone." }],
  });
  await bench.begin("Delete cli.js");
  await bench.session.card.once.click();
  await bench.session.expectIdle();
  await expect(readFile(file, "utf8")).rejects.toThrow();
  const line = bench.session.lines({ verb: "Deleted", target: "cli.js" });
  await line.getByRole("button").first().click();
  await line.getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => readFile(file, "utf8").catch(() => "")).toBe(before);
});

ownServerTest(
  "a model server that appears is detected, and a model can be pulled from the first page",
  async ({ page, bench, model }) => {
    const port = Number(new URL(model.url).port);
    await model.close();
    await page.reload();
    await expect(page.getByText(uiNames.noModelServer)).toBeVisible();
    const pull = [
      { status: "pulling manifest" },
      { status: "pulling aa", digest: "sha256:aa", total: 4_000, completed: 1_000 },
      { status: "pulling aa", digest: "sha256:aa", total: 4_000, completed: 4_000 },
      { status: "success" },
    ];
    const late = await startScriptedModel({ port, models: [], pull, pullTurn: { holdAfter: 2 } });
    try {
      await expect(page.getByRole("list", { name: uiNames.suggestedModels })).toBeVisible();
      await page
        .getByRole("button", { name: /^Download/ })
        .first()
        .click();
      await expect(page.getByRole("progressbar").first()).toHaveAttribute("aria-valuenow", /^(25|0\.25)/);
      late.setScript({ models: ["qwen3:8b"], pull });
      late.release();
      await expect(page.getByText("qwen3:8b is ready")).toBeVisible();
      await bench.expectOnline();
    } finally {
      await late.close();
    }
  },
);
