/** The history of a repository by pointer and by keys: of a file, its commits with their diffs, and who wrote its lines. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";

test.use({ files: { "src/old name.txt": "one\ntwo\nthree\nfour\nfive\n" } });

/** A repository in which a file was created, renamed and changed; it differs from the last commit in one line. */
async function makeHistory(page: Page, project: string, server: Parameters<typeof trustProject>[0]): Promise<void> {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b", ...words], { cwd: project, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "Create the file");
  git("mv", "src/old name.txt", "src/新 name.txt");
  git("commit", "-qm", "Rename the file");
  await writeFile(join(project, "src/新 name.txt"), "one\nTWO\nthree\nfour\nfive\n");
  git("commit", "-qam", "Change a line\n\nWith a reason.");
  await writeFile(join(project, "src/新 name.txt"), "one\nTWO\nthree\nFOUR\nfive\n");
  await trustProject(server);
  await page.reload();
  await page.getByRole("button", { name: "Files", exact: true }).click();
}

const commits = (page: Page) => page.getByRole("listbox", { name: "Commits" });

test("the history of a file follows its rename, and a commit shows its diff", async ({ page, project, server }) => {
  await makeHistory(page, project, server);
  await page.getByRole("treeitem", { name: "src" }).click();
  await page.getByRole("treeitem", { name: "新 name.txt" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Commits of this file" }).click();
  const options = commits(page).getByRole("option");
  await expect(options).toHaveText([/^Change a line/, /^Rename the file/, /^Create the file/]);
  await commits(page).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Commit [0-9a-f]{8}$/ });
  await expect(dialog.getByText("With a reason.")).toBeVisible();
  await expect(dialog.locator("[data-line=add]")).toHaveText(/TWO/);
  await expect(dialog.locator("[data-line=remove]")).toHaveText(/two/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("region", { name: "src/old name.txt" }).first()).toBeVisible();
  await expect(dialog.locator("[data-line=add]")).toHaveCount(5);
  await page.keyboard.press("Escape");

  await page.getByRole("searchbox", { name: "Search commits" }).fill("rename");
  await page.keyboard.press("Enter");
  await expect(options).toHaveText([/^Rename the file/]);
});

test("who wrote the lines is shown beside the text, with the commit of a line", async ({ page, project, server }) => {
  await makeHistory(page, project, server);
  await page.getByRole("treeitem", { name: "src" }).click();
  await page.getByRole("treeitem", { name: "新 name.txt" }).dblclick();
  const line = page.locator(".cm-line", { hasText: "TWO" });
  await line.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Toggle blame" }).click();
  const marks = page.locator(".cm-blame .cm-gutterElement span");
  await expect(marks.filter({ hasText: /\S/ })).toHaveText([/^Ann ·/, /^Ann ·/, /^Ann ·/, "Not committed", /^Ann ·/]);
  await marks.nth(1).click();
  const dialog = page.getByRole("dialog", { name: /^Commit / });
  await expect(dialog.getByRole("heading", { name: "Change a line" })).toBeVisible();
  await page.keyboard.press("Escape");
  await line.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Toggle blame" }).click();
  await expect(marks).toHaveCount(0);
});
