/** Source control by pointer and by keys: status, diffs, staging and discarding of files, hunks and lines. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";

const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

test.use({ files: { "src/a.txt": text(numbers), "gone.txt": "x\n" } });

const runGit = (project: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: project, encoding: "utf8" });

const files = (page: Page) => page.getByRole("tree", { name: "Changed files" });
const row = (page: Page, name: RegExp) => files(page).getByRole("treeitem", { name });
const section = (page: Page, path: string) => page.locator(`[data-file="${path}"]`);

/** A repository with two hunks in one file, and the source control pane open. */
async function openSourceControl(
  page: Page,
  project: string,
  server: Parameters<typeof trustProject>[0],
): Promise<void> {
  runGit(project, "init", "-q", "-b", "main");
  runGit(project, "add", ".");
  runGit(project, "commit", "-qm", "first");
  await trustProject(server);
  const changed = numbers.with(1, "LINE 2").with(25, "LINE 26").toSpliced(26, 0, "new a", "new b");
  await writeFile(join(project, "src/a.txt"), text(changed));
  await writeFile(join(project, "新 文件.txt"), "untracked\n");
  await page.reload();
  await page.getByRole("button", { name: "Source control" }).click();
  await expect(row(page, /a\.txt/)).toBeVisible();
}

test("a hunk, then single lines are staged, and the rest is discarded and comes back", async ({
  page,
  project,
  server,
}) => {
  await openSourceControl(page, project, server);
  await row(page, /a\.txt/).click();
  const file = section(page, "src/a.txt");
  await expect(file.getByText("new b")).toBeVisible();
  await file.getByRole("button", { name: "Stage", exact: true }).first().click();
  await expect(row(page, /^Staged 1/)).toBeVisible();
  expect(runGit(project, "show", ":src/a.txt")).toBe(text(numbers.with(1, "LINE 2")));

  const unstaged = file.last();
  // The diff that is shown has both hunks until it is read again.
  await expect(unstaged.getByRole("button", { name: "Choose lines" })).toHaveCount(1);
  await unstaged.getByRole("button", { name: "Choose lines" }).click();
  await unstaged.getByRole("checkbox", { name: "Choose: new b" }).check();
  await unstaged.getByRole("button", { name: "Stage 1 line" }).click();
  await expect(unstaged.getByRole("checkbox")).toHaveCount(0);
  expect(runGit(project, "show", ":src/a.txt")).toBe(text(numbers.with(1, "LINE 2").toSpliced(26, 0, "new b")));

  const before = await readFile(join(project, "src/a.txt"), "utf8");
  await row(page, /^Changes 1/).hover();
  await row(page, /^Changes 1/)
    .getByRole("button", { name: "Discard all: Changes" })
    .click();
  await expect(row(page, /^Changes/)).toHaveCount(0);
  expect(await readFile(join(project, "src/a.txt"), "utf8")).toBe(runGit(project, "show", ":src/a.txt"));
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row(page, /^Changes 1/)).toBeVisible();
  expect(await readFile(join(project, "src/a.txt"), "utf8")).toBe(before);
});

test("by keys: rows are opened, staged and discarded", async ({ page, project, server }) => {
  await openSourceControl(page, project, server);
  await files(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await expect(row(page, /^Staged 1/)).toBeVisible();
  expect(runGit(project, "-c", "core.quotepath=false", "diff", "--cached", "--name-only").trim()).toBe("新 文件.txt");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await expect(row(page, /^Staged/)).toHaveCount(0);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  await expect(row(page, /a\.txt/)).toHaveCount(0);
  expect(await readFile(join(project, "src/a.txt"), "utf8")).toBe(text(numbers));
});

test("changes outside of the page are shown", async ({ page, project, server }) => {
  await openSourceControl(page, project, server);
  runGit(project, "add", "-A");
  await expect(row(page, /^Staged 2/)).toBeVisible();
  runGit(project, "commit", "-qm", "second");
  await expect(page.getByText("Nothing has changed since the last commit.").first()).toBeVisible();
});

test("a commit is refused by a hook that the user lets run, and made after that", async ({ page, project, server }) => {
  await openSourceControl(page, project, server);
  runGit(project, "config", "user.name", "a");
  runGit(project, "config", "user.email", "a@b");
  const hook = join(project, ".git/hooks/pre-commit");
  await writeFile(hook, "#!/bin/sh\necho checking; test -f allowed || { echo no file allowed; exit 1; }\n", {
    mode: 0o755,
  });
  await page.reload();
  const message = page.getByRole("textbox", { name: "Commit message" });
  await message.fill("Change a line\n\n# not a comment");
  await page.getByRole("button", { name: "Stage all and commit" }).click();
  await expect(page.getByText("This repository has hooks")).toContainText("pre-commit");
  await page.getByRole("button", { name: "Run and commit" }).click();
  await expect(page.getByText("A hook of this repository refused.")).toBeVisible();
  await expect(page.getByText("no file allowed").first()).toBeVisible();
  expect(runGit(project, "log", "--format=%s").trim()).toBe("first");

  await writeFile(join(project, "allowed"), "");
  await page.getByRole("button", { name: "Commit", exact: true }).click();
  await expect(message).toHaveValue("");
  expect(runGit(project, "log", "-1", "--format=%B").trim()).toBe("Change a line\n\n# not a comment");
  await expect(row(page, /^Untracked 1/)).toBeVisible();
});

test("a merge in conflict is resolved with one side and continued", async ({ page, project, server }) => {
  await openSourceControl(page, project, server);
  runGit(project, "config", "user.name", "a");
  runGit(project, "config", "user.email", "a@b");
  runGit(project, "checkout", "-qb", "side");
  runGit(project, "commit", "-qam", "side");
  runGit(project, "checkout", "-q", "main");
  await writeFile(join(project, "src/a.txt"), text(numbers.with(1, "other line 2")));
  runGit(project, "commit", "-qam", "main");

  await page.getByRole("button", { name: "main", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Branches, tags and stashes" });
  await dialog.getByRole("button", { name: "More: side" }).click();
  await dialog.getByRole("menuitem", { name: "Merge" }).click();
  await expect(page.getByText("A merge isn't finished.").first()).toBeVisible();
  await row(page, /a\.txt/).click();
  await page.getByRole("button", { name: "Use theirs" }).click();
  await expect.poll(() => readFile(join(project, "src/a.txt"), "utf8")).toContain("LINE 2\n");
  await files(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await expect(row(page, /^Conflicts/)).toHaveCount(0);
  await page.getByRole("button", { name: "Continue" }).first().click();
  await expect(page.getByText("A merge isn't finished.")).toHaveCount(0);
  expect(runGit(project, "log", "-1", "--format=%P").trim().split(" ")).toHaveLength(2);
});

test.describe("work trees", () => {
  test.use({ hasOwnServer: true });
  test("a session gets a work tree of its own, with its set-up command in the message field", async ({
    page,
    project,
    server,
  }) => {
    await writeFile(join(project, ".gitignore"), "local.json\n");
    await writeFile(join(project, "local.json"), "{}\n");
    await openSourceControl(page, project, server);
    await page.getByRole("button", { name: "Work trees" }).click();
    const dialog = page.getByRole("dialog", { name: "Work trees" });
    await expect(dialog.getByRole("checkbox", { name: "local.json" })).toBeChecked();
    await dialog.getByLabel("What is it for?").fill("Fix the parser");
    await dialog.getByLabel("Command that sets it up").fill("cat local.json");
    await dialog.getByRole("button", { name: "New session in a work tree" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText("gopi/fix-the-parser").first()).toBeVisible();
    const field = page.getByRole("textbox", { name: "Message" });
    await expect(field).toHaveValue("!cat local.json");
    await field.press("Enter");
    await expect(page.getByRole("log").getByText("{}")).toBeVisible();
    expect(runGit(project, "worktree", "list", "--porcelain")).toContain("branch refs/heads/gopi/fix-the-parser");
  });
});
