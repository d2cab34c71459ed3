/** The end of a run leads to a commit of exactly its files, with a message that the model writes and the user edits. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { phone } from "../fixtures/phone";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const runGit = (project: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "core.quotePath=false", ...words], { cwd: project, encoding: "utf8" });

const writeCall = (path: string, content: string) => ({ name: "write", arguments: { path, content } });
const message = "docs(诗): add two poems\n\nThey rhyme.";
const script = {
  turns: [
    { toolCalls: [writeCall("poem.txt", "one\n"), writeCall("诗/二.txt", "two\n")] },
    { text: "Two poems are written." },
    { text: `Here is the commit message:\n\n\`\`\`\n${message}\n\`\`\`` },
  ],
};

/** A repository with a staged file that is no matter of the run. */
async function prepare(project: string, server: Parameters<typeof trustProject>[0]): Promise<void> {
  runGit(project, "init", "-q", "-b", "main");
  runGit(project, "config", "user.name", "a");
  runGit(project, "config", "user.email", "a@b");
  runGit(project, "add", ".");
  runGit(project, "commit", "-q", "--allow-empty", "-m", "docs: begin");
  await writeFile(join(project, "mine.txt"), "mine\n");
  runGit(project, "add", "mine.txt");
  await trustProject(server);
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Commit the changes of this run" });

test("the files of a run are committed with the edited message of the model; another file stays staged", async ({
  bench,
  page,
  project,
  server,
  model,
}) => {
  model.setScript(script);
  await prepare(project, server);
  await page.reload();
  const { conversation } = bench.session;
  await bench.session.chooseMode("edits");
  await bench.begin("Write two poems.");
  await expect(conversation.getByText("Two poems are written.")).toBeVisible();
  await conversation.getByRole("button", { name: "Commit…" }).click();
  const dialog = dialogOf(page);
  const field = dialog.getByRole("textbox", { name: "Commit message" });
  await expect(field).toHaveValue(message);
  await expect(dialog.getByRole("checkbox")).toHaveCount(2);
  await field.fill(message.replace("add two poems", "write two poems"));
  await dialog.getByRole("button", { name: "Commit 2 files" }).click();
  await expect(dialog).toHaveCount(0);

  expect(runGit(project, "log", "-1", "--format=%B").trim()).toBe(message.replace("add two poems", "write two poems"));
  expect(runGit(project, "show", "--format=", "--name-only").trim().split("\n")).toEqual(["poem.txt", "诗/二.txt"]);
  expect(runGit(project, "status", "--porcelain").trim()).toBe("A  mine.txt");
  const request = chatRequestBodies(model).at(-1);
  expect(request).toContain("docs: begin");
  expect(request).toContain("poem.txt +1 -0");
  expect(request).not.toContain("mine.txt +1");
});

test("on a phone the commit is made from the end of the run too", async ({ bench, page, project, server, model }) => {
  model.setScript(script);
  await prepare(project, server);
  await page.reload();
  const { conversation } = bench.session;
  await bench.session.chooseMode("edits");
  await bench.begin("Write two poems.");
  await expect(conversation.getByText("Two poems are written.")).toBeVisible();
  await page.setViewportSize(phone.viewport);
  await conversation.getByRole("button", { name: "Commit…" }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("textbox", { name: "Commit message" })).toHaveValue(message);
  await dialog.getByRole("checkbox", { name: /poem\.txt/ }).uncheck();
  await dialog.getByRole("button", { name: "Commit 1 file" }).click();
  await expect(dialog).toHaveCount(0);
  expect(runGit(project, "show", "--format=", "--name-only").trim()).toBe("诗/二.txt");
});
