/** Remotes by the menu of the top bar's branch: publishing, pushing and pulling in terminal tabs. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { trustProject } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";

test.use({ files: { "a.txt": "one\n" } });

const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
const runGit = (folder: string, ...words: readonly string[]): string =>
  execFileSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8" }).trim();

test("a branch is published, pushed and pulled by its menu, and the terminals close", async ({
  page,
  project,
  server,
}) => {
  await withoutWebgl(page);
  const remote = `${project}.git`;
  const other = `${project}-clone`;
  runGit(project, "init", "-q", "-b", "main");
  runGit(project, "add", ".");
  runGit(project, "commit", "-qm", "first");
  runGit(project, "init", "-q", "--bare", "-b", "main", remote);
  runGit(project, "remote", "add", "origin", remote);
  await writeFile(join(project, ".git/hooks/pre-push"), "#!/bin/sh\n", { mode: 0o755 });
  await trustProject(server);
  await page.reload();
  const branch = page.getByRole("button", { name: "Branch main" });
  const choose = async (name: string): Promise<void> => {
    await branch.click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const terminal = new TerminalPageObject(page);

  await test.step("the first push runs a hook after the user has allowed it", async () => {
    await choose("Publish");
    const question = page.getByRole("dialog", { name: "Run the repository's programs?" });
    await expect(question).toContainText("pre-push");
    await question.getByRole("button", { name: "Run them" }).click();
    const published = () => runGit(project, "for-each-ref", "--format=%(objectname)", "refs/remotes/origin/main");
    await expect.poll(published).toBe(runGit(project, "rev-parse", "main"));
    await expect(terminal.tabs).toHaveCount(0);
  });

  await test.step("a rejected push stays with git's output; after a pull there is nothing to exchange", async () => {
    runGit(project, "clone", "-q", remote, other);
    runGit(other, "commit", "-qm", "elsewhere", "--allow-empty");
    runGit(other, "push", "-q");
    runGit(project, "config", "pull.rebase", "true");
    runGit(project, "config", "user.name", "a");
    runGit(project, "config", "user.email", "a@b");
    runGit(project, "commit", "-qm", "here", "--allow-empty");
    await choose("Push 1");
    await expect(terminal.tabs).toHaveText("git push");
    await expect.poll(() => terminal.text()).toContain("rejected");
    await terminal.button("Close git push").click();
    await choose("Pull");
    await expect.poll(() => runGit(project, "log", "-2", "--format=%s")).toBe("here\nelsewhere");
    await choose("Push 1");
    await expect
      .poll(() => runGit(other, "ls-remote", "origin", "main").slice(0, 40))
      .toBe(runGit(project, "rev-parse", "main"));
    await expect(terminal.tabs).toHaveCount(0);
    await branch.click();
    await expect(page.getByRole("menuitem", { name: "Pull", exact: true })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Push", exact: true })).toBeDisabled();
  });
});
