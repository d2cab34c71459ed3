/**
 * File names in an answer and in an output, in Chromium: a click opens the editor at the line, or reports that the
 * file does not exist.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../pages/mime-stage";

const numberedLines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n");

test("a file position in an answer and in the output of grep opens the file there", async ({
  page,
  bench,
  model,
  place,
}) => {
  await writeFile(join(place.project, "long.txt"), numberedLines);
  model.setScript({
    turns: [
      { text: "", toolCalls: [{ name: "grep", arguments: { pattern: "line 42" } }] },
      { text: "It is at long.txt:42 and not in missing.ts:3.\n\n`long.txt`:\n\n```txt\nline 1\n```\n" },
    ],
  });
  await bench.begin("Where is it?");
  await bench.session.expectFirstRunEnd();
  const { conversation } = bench.session;
  const editor = page.locator(".cm-content");
  await conversation.getByRole("button", { name: "missing.ts:3" }).click();
  await expect(page.getByText("There is no file missing.ts in this project.")).toBeVisible();
  await expect(editor).toHaveCount(0);

  await conversation.getByRole("button", { name: "long.txt:42" }).click();
  await expect(page.locator(".cm-activeLine").filter({ hasText: /^line 42$/ })).toBeVisible();
  await expect(editor).toBeFocused();

  await page.keyboard.press("ControlOrMeta+Home");
  await bench.session.lines({ verb: "Searched", target: "line 42" }).getByRole("button").first().click();
  await conversation
    .getByRole("button", { name: /long\.txt:42/ })
    .first()
    .click();
  await expect(page.locator(".cm-activeLine").filter({ hasText: /^line 42$/ })).toBeVisible();
  await expect(conversation.getByRole("button", { name: "Open in editor" })).toHaveCount(1);
});

test(
  "the path in the header of a read opens the file at its line, by pointer and by keyboard",
  onlyInFull,
  async ({ page, bench, model, place }) => {
    await writeFile(join(place.project, "long.txt"), numberedLines);
    model.setScript({
      turns: [
        { text: "", toolCalls: [{ name: "read", arguments: { path: "long.txt", offset: 31, limit: 20 } }] },
        { text: "Read." },
      ],
    });
    await bench.begin("Read it.");
    await bench.session.expectFirstRunEnd();
    const read = bench.session.lines({ verb: "Read", target: "long.txt" });
    const link = read.getByRole("button", { name: "long.txt 31–50 of 60", exact: true });
    const line = page.locator(".cm-activeLine").filter({ hasText: /^line 31$/ });
    await link.click();
    await expect(line).toBeVisible();
    await expect(page.locator(".cm-content")).toBeFocused();
    await page.keyboard.press("ControlOrMeta+Home");
    await expect(line).toHaveCount(0);
    await read.getByRole("button").first().focus();
    await page.keyboard.press("Tab");
    await expect(link).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(line).toBeVisible();
    // A click on the rest of the row opens the card.
    await read
      .getByRole("button")
      .first()
      .click({ position: { x: 4, y: 4 } });
    await expect(read.getByRole("button").first()).toHaveAttribute("aria-expanded", "true");
  },
);
