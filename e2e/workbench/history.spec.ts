/**
 * The history in Chromium: finding, filtering, archiving, exporting and importing sessions, statistics, a moved
 * project.
 */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { piSessionFile, longPiConversation } from "../fixtures/pi-session-file";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";
import { HistoryPageObject } from "../pages/history-page";
import { WorkbenchPageObject } from "../pages/workbench-page";

const monthAgo = Date.now() - 32 * 86_400_000;

test("a search in Chinese finds a message far back in an old session and opens it there", async ({ page, server }) => {
  const history = new HistoryPageObject(page);
  const phrase = "请把缓存的过期时间改成十分钟，并说明登录失败的原因。";
  await history.open(server.origin);
  await history.importFiles({
    name: "old.jsonl",
    text: piSessionFile("旧的会话", monthAgo, longPiConversation(160, { 6: phrase })),
  });
  await expect(history.row("旧的会话")).toHaveCount(1);

  await page.keyboard.press("/");
  await expect(history.search).toBeFocused();
  await page.keyboard.type("登录失败");
  await expect(history.hits).toHaveCount(1);
  await expect(history.hits).toContainText("登录失败的原因");
  await expect(history.hits.locator("mark")).toHaveText("登录失败");
  await expect(page).toHaveURL(/\?q=/);

  // Down to the session, down to the match.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(history.hits).toBeFocused();
  await page.keyboard.press("Enter");
  const { session } = new WorkbenchPageObject(page);
  await expect(page.locator("[data-flash]")).toContainText(phrase);
  await expect(session.userMessage(phrase)).toBeInViewport();
  await expect(page).toHaveURL(/\/s\/[\w-]+#\d+$/);

  await page.goBack();
  await expect(history.search).toHaveValue("登录失败");
  await expect(history.hits).toHaveCount(1);
});

test("a match on an abandoned branch is marked as such", onlyInFull, async ({ page, server }) => {
  const history = new HistoryPageObject(page);
  const [first, second] = longPiConversation(1, {});
  if (first === undefined || second === undefined) throw new Error("two messages");
  await history.open(server.origin);
  await history.importFiles({
    name: "tree.jsonl",
    text: piSessionFile("Two ways", monthAgo, [
      first,
      second,
      { id: "a", parentId: second.id, role: "user", text: "Take the marmalade road" },
      { id: "b", parentId: "a", role: "assistant", text: "It is taken." },
      { id: "c", parentId: second.id, role: "user", text: "Take the other road" },
      { id: "d", parentId: "c", role: "assistant", text: "That one, then." },
    ]),
  });
  await expect(history.row("Two ways")).toHaveCount(1);
  await history.search.fill("marmalade");
  await expect(history.hits).toContainText("on another branch");
  await history.hits.click();
  const { session } = new WorkbenchPageObject(page);
  await expect(session.conversation).toContainText("That one, then.");
  await expect(page.getByRole("status").getByText("on another branch")).toBeVisible();
});

test("filters are in the URL, so that back and reload show the same", onlyInFull, async ({ page, server, model }) => {
  model.setScript({ turns: [{ text: "Here." }] });
  const bench = new WorkbenchPageObject(page);
  await bench.expectOnline();
  await bench.begin("A session of today");
  await bench.session.expectFirstRunEnd();
  const history = new HistoryPageObject(page);
  await history.open(server.origin);
  await history.importFiles({
    name: "old.jsonl",
    text: piSessionFile("An old one", monthAgo, longPiConversation(1, {})),
  });
  await expect(history.rows).toHaveCount(2);

  await history.filter("Date", "Last 7 days");
  await expect(history.rows).toHaveCount(1);
  await expect(history.rows).toContainText("A session of today");
  await history.filter("Model", "qwen3:8b");
  await expect(history.main).toContainText("No sessions match these filters");
  await page.goBack();
  await expect(history.rows).toHaveCount(1);
  await page.reload();
  await expect(history.rows).toHaveCount(1);
  await page.goBack();
  await expect(history.rows).toHaveCount(2);
  await history.switchFilter("Has changes");
  await expect(history.rows).toHaveCount(0);
  await history.main.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(history.rows).toHaveCount(2);
});

test("sessions are pinned, archived and deleted, alone and together, and come back", async ({ page, server }) => {
  const history = new HistoryPageObject(page);
  await history.open(server.origin);
  await expect(history.main).toContainText("No sessions yet");
  const titles = ["One", "Two", "Three"];
  await history.importFiles(
    ...titles.map((title) => ({
      name: `${title}.jsonl`,
      text: piSessionFile(title, monthAgo, longPiConversation(1, {})),
    })),
  );
  await expect(history.rows).toHaveCount(3);

  await test.step("pin", async () => {
    await history.chooseRowAction("Two", "Pin");
    await expect(history.rowsUnder("Pinned")).toHaveText([/Two/]);
    await page.reload();
    await expect(history.rowsUnder("Pinned")).toHaveText([/Two/]);
    await expect(history.rows).toHaveCount(3);
  });

  await test.step("archive, undo, archive together", async () => {
    await history.chooseRowAction("One", "Archive");
    await expect(history.rows).toHaveCount(2);
    await history.clickNoticeAction("Undo", "Archived “One”");
    await expect(history.rows).toHaveCount(3);
    await history.row("One").getByRole("checkbox").check();
    await history.row("Three").getByRole("checkbox").check();
    const bar = page.getByRole("toolbar");
    await expect(bar).toContainText("2 selected");
    await bar.getByRole("button", { name: "Archive" }).click();
    await expect(history.rows).toHaveCount(1);
    await history.show("Archived");
    await expect(history.rows).toHaveCount(2);
    await history.chooseRowAction("One", "Unarchive");
    await expect(history.rows).toHaveCount(1);
    await history.show("Active");
    await expect(history.rows).toHaveCount(2);
  });

  await test.step("delete, undo, delete, restore, delete for good", async () => {
    await history.chooseRowAction("One", "Delete");
    await expect(history.rows).toHaveCount(1);
    await history.clickNoticeAction("Undo", "Moved “One” to trash");
    await expect(history.rows).toHaveCount(2);
    await history.chooseRowAction("One", "Delete");
    await history.chooseRowAction("Two", "Delete");
    await history.show("Trash");
    await expect(history.rows).toHaveCount(2);
    await history.chooseRowAction("One", "Restore");
    await expect(history.rows).toHaveCount(1);
    await history.chooseRowAction("Two", "Delete permanently");
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await expect(history.main).toContainText("Trash is empty");
    await page.reload();
    await expect(history.main).toContainText("Trash is empty");
    await history.show("Active");
    await expect(history.rows).toHaveText([/One/]);
  });
});

test("a session is exported as files, and the import restores it completely", async ({ page, server, model }) => {
  model.setScript({ turns: [{ text: "The answer is **forty-two**." }] });
  const bench = new WorkbenchPageObject(page);
  await bench.expectOnline();
  const id = await bench.begin("What is the answer? 答案是什么？");
  await bench.session.expectFirstRunEnd();
  const history = new HistoryPageObject(page);
  await history.open(server.origin);
  const save = async (format: string): Promise<{ readonly name: string; readonly text: string }> => {
    const download = page.waitForEvent("download");
    await history.chooseRowAction("What is the answer", format);
    const file = await download;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const markdown = await save("Export as Markdown");
  expect(markdown.name).toMatch(/\.md$/);
  expect(markdown.text).toContain("The answer is **forty-two**.");
  const website = await save("Export as HTML");
  expect(website.name).toMatch(/\.html$/);
  expect(website.text).toContain("答案是什么");
  const jsonl = await save("Export as JSONL");
  expect(jsonl.name).toMatch(/\.jsonl$/);

  await history.importFiles(jsonl);
  await expect(history.rows).toHaveCount(2);
  await history.clickNoticeAction("Open", "Imported");
  await expect(bench.session.userMessage("What is the answer? 答案是什么？")).toBeVisible();
  await expect(bench.session.conversation).toContainText("forty-two");
  expect(await bench.session.id()).not.toBe(id);

  await history.open(server.origin);
  await history.importFiles({ name: "broken.jsonl", text: `${jsonl.text.split("\n")[0]}\nnot json\n` });
  await expect(history.main.getByRole("alert")).toContainText("broken.jsonl");
  await expect(history.main.getByRole("alert")).toContainText("Line 2");
  await expect(history.rows).toHaveCount(2);
});

test(
  "the statistics show the tokens of the day, visually and to a screen reader",
  onlyInFull,
  async ({ page, server, model }) => {
    const counted = Array.from({ length: 340 }, (_, index) => `${index} `).join("");
    model.setScript({ turns: [{ text: counted, last: { prompt_eval_count: 4_000, eval_count: 340 } }] });
    const bench = new WorkbenchPageObject(page);
    await bench.expectOnline();
    await bench.begin("Count this");
    await bench.session.expectFirstRunEnd();
    const history = new HistoryPageObject(page);
    await history.open(server.origin, "?tab=statistics");
    const plot = history.main.getByRole("slider", { name: "Tokens per day" });
    await expect(plot).toHaveAttribute("aria-valuetext", /: Answer tokens 340, Prompt tokens 4k$/);
    const region = history.main.getByRole("region", { name: "Tokens per day" }).first();
    await expect(region).toContainText("Answer tokens 340");
    // Yesterday had none.
    await plot.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(plot).toHaveAttribute("aria-valuetext", /: Answer tokens 0, Prompt tokens 0$/);
    await expect(region).toContainText("Answer tokens 0");
    await expect(history.main.getByRole("region", { name: "Models" }).first()).toContainText("scripted:latest");
    await history.main.getByRole("radio", { name: "7 days" }).click();
    await expect(page).toHaveURL(/range=7/);
    await expect(plot).toHaveAttribute("aria-valuemax", "6");
  },
);

test("a project whose folder was moved continues in the new folder", async ({ page, server, model, place }) => {
  model.setScript({ turns: [{ text: "Noted." }] });
  const bench = new WorkbenchPageObject(page);
  await bench.expectOnline();
  await bench.begin("Before the move");
  await bench.session.expectFirstRunEnd();
  const moved = join(place.root, "moved");
  await rename(place.project, moved);
  await page.goto(server.origin);
  await expect(page.getByText("Project folder not found")).toBeVisible();
  await page.getByRole("button", { name: "Locate folder" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox").fill(join(place.root, "nowhere"));
  await dialog.getByRole("button", { name: "Use this folder" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("combobox").fill(moved);
  await dialog.getByRole("button", { name: "Use this folder" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Project folder not found")).toHaveCount(0);
  await page.keyboard.press("Control+Shift+E");
  await expect(page.getByRole("treeitem", { name: "README.md" })).toBeVisible();
  await rename(moved, place.project);
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, theme === "dark" ? onlyInFull : {}, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });
    test("no screen of the history has a serious fault", async ({ page, server, model }) => {
      model.setScript({ turns: [{ text: "Found in the answer." }] });
      const bench = new WorkbenchPageObject(page);
      await bench.expectOnline();
      await bench.begin("A first session");
      await bench.session.expectFirstRunEnd();
      const history = new HistoryPageObject(page);
      const check = (name: string): Promise<void> =>
        test.step(name, async () => expect.soft(await findViolations(page), name).toEqual([]));
      await history.open(server.origin, "?from=2026-01-01");
      await history.row("A first session").getByRole("checkbox").check();
      await expect(page.getByRole("toolbar")).toBeVisible();
      await check("a selection and dates");
      await history.row("A first session").getByRole("button").click();
      await expect(page.getByRole("menu")).toBeVisible();
      await check("the menu of a row");
      await page.keyboard.press("Escape");
      await history.search.fill("answer");
      await expect(history.hits).toHaveCount(1);
      await check("hits");
      await history.search.fill("nothing of this kind");
      await expect(history.main).toContainText("No results for");
      await check("no hit");
      await history.open(server.origin, "?in=bin");
      await expect(history.main).toContainText("Trash is empty");
      await check("an empty bin");
      await history.open(server.origin, "?tab=statistics");
      await expect(history.main.getByRole("slider")).toHaveCount(2);
      await history.main.getByText("Show as table").first().click();
      await check("statistics");
    });
  });
}
