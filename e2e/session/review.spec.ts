/** The review of the agent's changes hunk by hunk: accepted, rejected, commented, undone, by keys and on a phone. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChangesPageObject } from "../pages/changes-page";
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
