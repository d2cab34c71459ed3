/** The review of the agent's changes hunk by hunk: accepted, rejected, commented, undone, by keys, and in the editor. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChangesPageObject } from "../pages/changes-page";
import { openFileByName } from "../pages/open-file";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const toText = (list: readonly string[]): string => `${list.join("\n")}\n`;
const written = lines.with(1, "LINE 2").with(19, "LINE 20").with(37, "LINE 38");

const writeCall = (content: string) => ({ name: "write", arguments: { path: "poem.txt", content } });

test("changes are reviewed with the keyboard alone: one is accepted, one rejected, one commented and mended", async ({
  bench,
  page,
  project,
  model,
}) => {
  model.setScript({
    turns: [
      { toolCalls: [{ name: "read", arguments: { path: "poem.txt" } }] },
      { toolCalls: [writeCall(toText(written))] },
      { text: "Three lines are changed." },
      { toolCalls: [{ name: "read", arguments: { path: "poem.txt" } }] },
      { toolCalls: [writeCall(toText(lines.with(1, "LINE 2").with(37, "Line 38")))] },
      { text: "The last line is mended." },
    ],
  });
  const path = join(project, "poem.txt");
  await writeFile(path, toText(lines));
  const { conversation } = bench.session;
  await bench.session.chooseMode("edits");
  await bench.begin("Change three lines.");
  await expect(conversation.getByText("Three lines are changed.")).toBeVisible();
  await bench.session.expectIdle();

  const changes = new ChangesPageObject(page);
  await changes.review.click();
  await expect(changes.scope("To review")).toBeChecked();
  const { pane } = changes;
  const hunk = pane.locator("[data-review-hunk]");
  await expect(hunk).toHaveCount(3);
  await page.keyboard.press("]");
  await page.keyboard.press("y");
  await expect(pane.getByText("1 of 3 decided")).toBeVisible();
  await expect(hunk).toHaveCount(2);
  await expect(hunk.first()).toBeFocused();
  await page.keyboard.press("x");
  await expect(pane.getByText("2 of 3 decided")).toBeVisible();
  expect(await readFile(path, "utf8")).toBe(toText(written.with(19, "line 20")));

  await page.keyboard.press("u");
  await expect(pane.getByText("1 of 3 decided")).toBeVisible();
  expect(await readFile(path, "utf8")).toBe(toText(written));
  await expect(hunk).toHaveCount(2);
  await hunk.first().focus();
  await page.keyboard.press("x");
  await expect(pane.getByText("2 of 3 decided")).toBeVisible();

  await expect(hunk).toHaveCount(1);
  await page.keyboard.press("c");
  await page.keyboard.type("Only the first letter is large.");
  await page.keyboard.press("Enter");
  await expect(hunk.getByText("Only the first letter is large.")).toBeVisible();
  await page.reload();
  await expect(pane.getByText("2 of 3 decided")).toBeVisible();
  await pane.getByRole("button", { name: "Send 1 comment" }).press("Enter");
  await expect(conversation.getByText("The last line is mended.")).toBeVisible();
  await bench.session.expectIdle();
  const request = chatRequestBodies(model).at(-1) ?? "";
  const sent = ["poem.txt:38", "> -line 38", "> +LINE 38", "", "Only the first letter is large."];
  expect(request.includes(JSON.stringify(sent.join("\n")).slice(1, -1))).toBe(true);
  expect(request.includes("poem.txt:20 taken out:\\n- LINE 20")).toBe(true);
  await expect(pane.getByRole("button", { name: /^Send/ })).toHaveCount(0);
  await expect(hunk).toHaveCount(1);
  await hunk.focus();
  await page.keyboard.press("y");
  await expect(pane.getByText("You have decided about every change.")).toBeVisible();
  expect(await readFile(path, "utf8")).toBe(toText(lines.with(1, "LINE 2").with(37, "Line 38")));
});

test("changes are reviewed in the editor, among lines that the user types", async ({ bench, page, project, model }) => {
  model.setScript({
    turns: [
      { toolCalls: [{ name: "read", arguments: { path: "poem.txt" } }] },
      { toolCalls: [writeCall(toText(written))] },
      { text: "Three lines are changed." },
    ],
  });
  const path = join(project, "poem.txt");
  await writeFile(path, toText(lines));
  await bench.session.chooseMode("edits");
  await bench.begin("Change three lines.");
  await expect(bench.session.conversation.getByText("Three lines are changed.")).toBeVisible();
  await bench.session.expectIdle();
  await openFileByName(page, "poem.txt");

  const editor = page.locator("[data-editor]");
  const text = editor.locator(".cm-content");
  const change = editor.locator("[data-review-peek]");
  const bar = page.getByRole("group", { name: "Changes of the agent in this file" });
  await expect(bar.getByText("3 changes to review")).toBeVisible();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("mine\n");

  await page.keyboard.press("F7");
  await expect(change).toBeFocused();
  await expect(change).toHaveAccessibleName("Change 1 of 3");
  await expect(change.getByRole("region", { name: "Removed lines" })).toContainText("line 2");
  await page.keyboard.press("y");
  await expect(bar.getByText("2 changes to review")).toBeVisible();
  await expect(change).toHaveAccessibleName("Change 1 of 2");
  await expect(change).toBeFocused();
  await expect(change).toContainText("line 20");
  await page.keyboard.press("x");
  await expect(bar.getByText("1 change to review")).toBeVisible();
  expect(await readFile(path, "utf8")).toBe(toText(written.with(19, "line 20")));
  await expect(change).toContainText("line 38");
  await expect(change).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(change).toHaveCount(0);
  await expect(text).toBeFocused();
  await page.keyboard.press("Control+Home");
  await expect(text).toContainText("mineline 1LINE 2");
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFile(path, "utf8")).toBe(toText(["mine", ...written.with(19, "line 20")]));
  await bar.getByRole("button", { name: "Reject all changes in poem.txt" }).click();
  await expect(bar.getByText("You have decided about every change in this file.")).toBeVisible();
  await expect.poll(() => readFile(path, "utf8")).toBe(toText(["mine", ...lines.with(1, "LINE 2")]));
  await bar.getByRole("button", { name: "Undo the last decision" }).click();
  await expect(bar.getByText("1 change to review")).toBeVisible();
  await editor.locator(".cm-review-added").click();
  await expect(change).toBeFocused();
});
