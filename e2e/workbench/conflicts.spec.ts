/** Conflicts of a merge by keys alone and in the editor, and work trees of two sessions that are merged back. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { asId, type CommandId } from "@/lib/events/id";
import { callCommand, trustProject } from "../fixtures/call-command";
import { phone } from "../fixtures/phone";
import { expect, test } from "../fixtures/test";

const numbers = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

test.use({ files: { "src/价格.ts": text(numbers) } });

const runGit = (project: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: project, encoding: "utf8" });

async function makeRepository(project: string, server: Parameters<typeof trustProject>[0]): Promise<void> {
  runGit(project, "init", "-q", "-b", "main");
  runGit(project, "config", "user.name", "a");
  runGit(project, "config", "user.email", "a@b");
  runGit(project, "add", ".");
  runGit(project, "commit", "-qm", "first");
  await trustProject(server);
}

/** A merge that stopped at two conflicts in one file, and the source control pane open. */
async function openConflict(page: Page, project: string, server: Parameters<typeof trustProject>[0]): Promise<void> {
  await makeRepository(project, server);
  const file = join(project, "src/价格.ts");
  runGit(project, "checkout", "-qb", "feature");
  await writeFile(file, text(numbers.with(1, "theirs 2").with(17, "theirs 18")));
  runGit(project, "commit", "-qam", "theirs");
  runGit(project, "checkout", "-q", "main");
  await writeFile(file, text(numbers.with(1, "ours 2").with(17, "ours 18")));
  runGit(project, "commit", "-qam", "ours");
  expect(() => runGit(project, "merge", "-q", "feature")).toThrow();
  await page.reload();
  await page.getByRole("button", { name: "Source control" }).click();
}

const files = (page: Page): Locator => page.getByRole("tree", { name: "Changed files" });
const conflict = (page: Page, index: number, count: number): Locator =>
  page.getByRole("region", { name: new RegExp(`^Conflict ${index} of ${count},`) });

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let count = 0; count < 80; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the focus never reached it");
}

test("a conflict is resolved by regions with the keyboard alone, and the merge continued", async ({
  page,
  project,
  server,
}) => {
  await openConflict(page, project, server);
  await expect(files(page).getByRole("treeitem", { name: /价格\.ts/ })).toBeVisible();
  await files(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await expect(page.getByText("Resolve the conflicts and stage the files first.").first()).toBeVisible();
  await page.keyboard.press("Enter");
  await tabTo(page, conflict(page, 1, 2).getByRole("button", { name: "Both" }));
  await page.keyboard.press("Enter");
  const ours = conflict(page, 1, 1).getByRole("button", { name: "Ours" });
  await expect(ours).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const mark = page.getByRole("button", { name: "Mark as resolved" });
  await expect(mark).toBeFocused();
  expect(await readFile(join(project, "src/价格.ts"), "utf8")).toBe(
    text(numbers.with(1, "ours 2").toSpliced(2, 0, "theirs 2").with(18, "theirs 18")),
  );
  await page.keyboard.press("Enter");
  await expect(files(page).getByRole("treeitem", { name: /^Staged 1/ })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Continue" }).first());
  await page.keyboard.press("Enter");
  await expect(page.getByText("A merge isn't finished.")).toHaveCount(0);
  expect(runGit(project, "log", "-1", "--format=%P").trim().split(" ")).toHaveLength(2);
});

test("a conflict is put into the message field, and resolved above its lines in the editor", async ({
  page,
  project,
  server,
}) => {
  await openConflict(page, project, server);
  await files(page)
    .getByRole("treeitem", { name: /价格\.ts/ })
    .click();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toHaveValue(
    /^Resolve the conflict in src\/价格\.ts/,
  );
  await expect(page.getByText("Conflict in src/价格.ts").first()).toBeVisible();
  await page.getByRole("button", { name: "Open in the editor" }).click();
  const bars = page.getByRole("group", { name: "Conflict" });
  await expect(bars).toHaveCount(2);
  await bars.first().getByRole("button", { name: "Theirs" }).click();
  await expect(bars).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFile(join(project, "src/价格.ts"), "utf8")).toContain("line 1\ntheirs 2\nline 3\n");
});

test.describe("on a phone", () => {
  test.use(phone);
  test("history and work trees are reached, also without changes", async ({ page, project, server }) => {
    await makeRepository(project, server);
    await page.reload();
    await page.getByRole("button", { name: "Changes" }).tap();
    await page.getByRole("radio", { name: "Working tree" }).check();
    await page.getByRole("radio", { name: "History" }).check();
    await page
      .getByRole("listbox", { name: "Commits" })
      .getByRole("option", { name: /^first/ })
      .tap();
    await expect(page.getByRole("dialog", { name: /^Commit / }).getByText("src/价格.ts")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Work trees" }).tap();
    await expect(page.getByRole("dialog", { name: "Work trees" })).toBeVisible();
  });
});

test.describe("two sessions", () => {
  test.use({ hasOwnServer: true });
  test("work in their work trees at once, and are merged back; the second one's conflict is in the project", async ({
    page,
    project,
    server,
    model,
  }) => {
    await makeRepository(project, server);
    const { projects } = await callCommand(server, "project.list", {});
    const main = projects.find(({ path }) => path === project);
    if (main === undefined) throw new Error("the project is not open");
    const projectId = main.id;
    const trees = [];
    for (const name of ["one", "two"])
      trees.push((await callCommand(server, "worktree.create", { projectId, name, files: [] })).view.project);
    const edit = (to: string) => ({
      text: "",
      holdAfter: 0,
      toolCalls: [{ name: "edit", arguments: { path: "src/价格.ts", old_string: "line 5", new_string: to } }],
    });
    model.setScript({ turns: [edit("of a session"), edit("of the other")] });
    for (const [index, { id }] of trees.entries()) {
      const commandId = (name: string): CommandId => asId(`${name}-${index}`);
      const start = { projectId: id, commandId: commandId("create"), mode: "edits" as const };
      const { row } = await callCommand(server, "session.create", start);
      const message = { commandId: commandId("send"), text: "Change it.", intent: "prompt" as const };
      await callCommand(server, "session.send", { sessionId: row.id, ...message });
    }
    await model.waitFor(() => model.requests.length >= 2);
    model.release();
    model.release();
    for (const { path } of trees) {
      await expect.poll(() => readFile(join(path, "src/价格.ts"), "utf8")).toMatch(/^of /m);
      runGit(path, "commit", "-qam", "of a session");
    }
    expect(runGit(project, "status", "--porcelain")).toBe("");

    await page.reload();
    await page.getByRole("button", { name: "Source control" }).click();
    await page.getByRole("button", { name: "Work trees" }).click();
    const dialog = page.getByRole("dialog", { name: "Work trees" });
    const rows = dialog.getByRole("listitem").filter({ hasText: "gopi/" });
    await expect(rows).toHaveCount(2);
    await rows.first().getByRole("button", { name: "Compare" }).click();
    const compared = page.getByRole("dialog", { name: /compared with/ });
    await expect(compared.getByText("价格.ts").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await rows.first().getByRole("button", { name: "Merge into main" }).click();
    await expect(page.getByText("Merged into main")).toBeVisible();
    await rows.nth(1).getByRole("button", { name: "Merge into main" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(conflict(page, 1, 1)).toBeVisible();
    await conflict(page, 1, 1).getByRole("button", { name: "Theirs" }).click();
    await page.getByRole("button", { name: "Mark as resolved" }).click();
    await page.getByRole("button", { name: "Continue" }).first().click();
    await expect(page.getByText("A merge isn't finished.")).toHaveCount(0);
    expect(runGit(project, "log", "--format=%s").trim().split("\n")).toHaveLength(4);
  });
});
