/**
 * Undo restores everything: changes of a run and its commands are shown, undone and redone, in the browser and on
 * disk.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { trustProject } from "../fixtures/call-command";
import { expect, test } from "../pages/mime-stage";
import { ChangesPageObject } from "../pages/changes-page";

const scriptedToolCall = (name: string, input: object) => ({ name, arguments: input });

test("a destructive command in Full access is undone completely: files, folders and contents return, and the undo can be undone", async ({
  bench,
  project,
  model,
  server,
}) => {
  await trustProject(server);
  await mkdir(join(project, "notes/deep"), { recursive: true });
  await writeFile(join(project, "notes/one.txt"), "one\n");
  await writeFile(join(project, "notes/deep/二.txt"), "二\n");
  const before = await readFile(join(project, "mime.js"), "utf8");
  model.setScript({
    turns: [
      {
        toolCalls: [
          scriptedToolCall("bash", {
            command: "find notes -type f -delete && echo gone > mime.js && echo new > made.txt",
          }),
        ],
      },
      { text: "All is cleaned up." },
    ],
  });
  await bench.session.chooseMode("full");
  await bench.begin("Clean up.");
  await expect(bench.session.conversation.getByText("All is cleaned up.")).toBeVisible();
  await bench.session.expectIdle();
  expect(await readFile(join(project, "mime.js"), "utf8")).toBe("gone\n");

  const changes = new ChangesPageObject(bench.page);
  await changes.review.click();
  await changes.scope("Last run").check();
  for (const path of ["made.txt", "mime.js", "notes/deep/二.txt", "notes/one.txt"])
    await expect(changes.file(path)).toBeVisible();
  await changes.restoreThese.click();
  await expect(changes.dialog.locator("[data-step]")).toHaveCount(4);
  await changes.submit.click();
  await expect(changes.dialog).toHaveCount(0);
  await expect.poll(() => readFile(join(project, "mime.js"), "utf8")).toBe(before);
  await expect.poll(() => readFile(join(project, "notes/one.txt"), "utf8").catch(() => "")).toBe("one\n");
  await expect.poll(() => readFile(join(project, "notes/deep/二.txt"), "utf8").catch(() => "")).toBe("二\n");
  await expect.poll(() => readdir(project)).not.toContain("made.txt");

  await bench.session.conversation.getByRole("button", { name: "Redo…" }).last().click();
  await changes.submit.click();
  await expect.poll(() => readFile(join(project, "mime.js"), "utf8")).toBe("gone\n");
  // Not by a recursive listing, which fails when it meets the folder that is being deleted.
  await expect.poll(() => existsSync(join(project, "notes/one.txt"))).toBe(false);
});

test("a file the user changed meanwhile is marked, left alone, and replaced only when it is selected", async ({
  bench,
  project,
  model,
}) => {
  model.setScript({
    turns: [
      {
        toolCalls: [
          scriptedToolCall("write", { path: "a.txt", content: "by the agent\n" }),
          scriptedToolCall("write", { path: "b.txt", content: "by the agent\n" }),
        ],
      },
      { text: "Both are written." },
    ],
  });
  await writeFile(join(project, "a.txt"), "first a\n");
  await writeFile(join(project, "b.txt"), "first b\n");
  await bench.session.chooseMode("edits");
  await bench.begin("Write both.");
  await expect(bench.session.conversation.getByText("Both are written.")).toBeVisible();
  await bench.session.expectIdle();
  await writeFile(join(project, "b.txt"), "by the user\n");

  const changes = new ChangesPageObject(bench.page);
  await changes.review.click();
  await changes.scope("Last run").check();
  await expect(changes.file("b.txt")).toContainText("changed since");
  await changes.restoreThese.click();
  await expect(changes.step("b.txt")).toContainText("Changed since");
  await expect(changes.step("b.txt").getByRole("checkbox")).not.toBeChecked();
  await changes.submit.click();
  await expect.poll(() => readFile(join(project, "a.txt"), "utf8")).toBe("first a\n");
  expect(await readFile(join(project, "b.txt"), "utf8")).toBe("by the user\n");

  await changes.scope("This session").check();
  await changes.restoreThese.click();
  await changes.step("b.txt").getByRole("checkbox").check();
  await changes.submit.click();
  await expect.poll(() => readFile(join(project, "b.txt"), "utf8")).toBe("first b\n");
});

test("an earlier run keeps Review and Undo, and Review opens what is to review", async ({
  page,
  bench,
  project,
  model,
}) => {
  model.setScript({
    turns: [
      { toolCalls: [scriptedToolCall("write", { path: "one.txt", content: "1\n" })] },
      { text: "One is written." },
      { toolCalls: [scriptedToolCall("write", { path: "two.txt", content: "2\n" })] },
      { text: "Two is written." },
      { text: "Nothing to do." },
    ],
  });
  const { conversation } = bench.session;
  await bench.session.chooseMode("edits");
  await bench.begin("Write one.");
  await expect(conversation.getByText("One is written.")).toBeVisible();
  await bench.session.expectIdle();
  await bench.session.sendMessage("Write two.");
  await expect(conversation.getByText("Two is written.")).toBeVisible();
  await bench.session.expectIdle();
  await bench.session.sendMessage("Look again.");
  await expect(conversation.getByText("Nothing to do.")).toBeVisible();
  await bench.session.expectIdle();

  const changes = new ChangesPageObject(page);
  await page.getByRole("radio", { name: "Review" }).check();
  await expect(changes.scope("To review")).toBeChecked();
  await expect(changes.file("one.txt")).toBeVisible();
  await expect(changes.file("two.txt")).toBeVisible();
  // The selected scope stays, with or without changes.
  await changes.scope("Last run").check();
  await expect(changes.pane).toContainText("The last run didn't change any files.");

  await conversation.getByRole("button", { name: "Review" }).first().click();
  await expect(changes.scope("Earlier run")).toBeChecked();
  await expect(changes.file("one.txt")).toBeVisible();
  await expect(changes.file("two.txt")).toHaveCount(0);
  await conversation.getByRole("button", { name: "Review" }).last().click();
  await expect(changes.file("two.txt")).toBeVisible();
  await expect(changes.file("one.txt")).toHaveCount(0);

  await conversation
    .locator("[data-run-actions]")
    .nth(1)
    .getByRole("button", { name: /^Undo \d+ files?…$/ })
    .click();
  await expect(changes.dialog).toContainText("1 file created since moves to the trash.");
  await changes.submit.click();
  await expect.poll(() => readdir(project)).not.toContain("two.txt");
  expect(await readdir(project)).toContain("one.txt");
  // The run is undone, and the one before it is the newest whose changes are there.
  const runs = conversation.locator("[data-run-actions]");
  await expect(conversation.getByText("undone", { exact: true })).toHaveCount(1);
  await expect(runs.nth(1).getByRole("button", { name: /^Undo \d+ files?…$/ })).toHaveCount(0);
  await expect(runs.nth(0).getByRole("button", { name: /^Undo \d+ files?…$/ })).toBeVisible();
  await changes.scope("Last run").check();
  await expect(changes.file("two.txt")).toHaveCount(0);
  await runs
    .nth(0)
    .getByRole("button", { name: /^Undo \d+ files?…$/ })
    .click();
  await expect(changes.dialog).toContainText("1 file created since moves to the trash.");
  await expect(changes.dialog).not.toContainText("later runs");
  await page.keyboard.press("Escape");
  // The undo is reversed where it is: in its line of the conversation and in the Changes view.
  await expect(conversation.getByRole("button", { name: "Redo…" })).toHaveCount(1);
  await expect(changes.pane.getByRole("button", { name: "Redo…" })).toHaveCount(1);
});

test("files and conversation are rewound together, and Redo restores the conversation", async ({
  bench,
  project,
  model,
}) => {
  model.setScript({
    turns: [
      { text: "Hello." },
      { toolCalls: [scriptedToolCall("write", { path: "c.txt", content: "c\n" })] },
      { text: "It is written." },
    ],
  });
  await bench.session.chooseMode("edits");
  await bench.begin("Say hello.");
  await expect(bench.session.conversation.getByText("Hello.", { exact: true })).toBeVisible();
  await bench.session.expectIdle();
  await bench.session.sendMessage("Write c.");
  await expect(bench.session.conversation.getByText("It is written.")).toBeVisible();
  await bench.session.expectIdle();

  const changes = new ChangesPageObject(bench.page);
  await bench.session.conversation
    .getByRole("button", { name: /^Undo \d+ files?…$/ })
    .last()
    .click();
  await changes.dialog.getByRole("radio", { name: "Files and conversation" }).check();
  await changes.submit.click();
  await expect.poll(() => readdir(project)).not.toContain("c.txt");
  await expect(bench.session.conversation.getByText("It is written.")).toHaveCount(0);
  await expect(bench.session.conversation.getByText("Hello.", { exact: true })).toBeVisible();
});

test("files that the agent deleted are in the trash and can be restored, unless another file took their place", async ({
  bench,
  project,
  model,
  server,
}) => {
  await trustProject(server);
  model.setScript({
    turns: [{ toolCalls: [scriptedToolCall("delete", { path: "cli.js" })] }, { text: "It is gone." }],
  });
  const before = await readFile(join(project, "cli.js"), "utf8");
  await bench.session.chooseMode("full");
  await bench.begin("Delete the cli.");
  await expect(bench.session.conversation.getByText("It is gone.")).toBeVisible();
  await bench.session.expectIdle();

  const changes = new ChangesPageObject(bench.page);
  await changes.review.click();
  await changes.scope("Last run").check();
  await changes.trash.click();
  await expect(changes.trashed("cli.js")).toBeVisible();
  await writeFile(join(project, "cli.js"), "in its place\n");
  await changes.trashed("cli.js").getByRole("button", { name: "Restore" }).click();
  await expect(bench.page.getByText("Something with this name already exists.")).toBeVisible();
  expect(await readFile(join(project, "cli.js"), "utf8")).toBe("in its place\n");
  await rm(join(project, "cli.js"));
  await changes.trashed("cli.js").getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => readFile(join(project, "cli.js"), "utf8").catch(() => "")).toBe(before);
  await expect(changes.trashed("cli.js")).toHaveCount(0);
});
