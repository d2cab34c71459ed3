/** Concurrency: two projects in one program, two parallel runs, and more than one message in a run. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { ProductCommand, type ServerReadyLine } from "../fixtures/server";
import { uiNames } from "../pages/ui-names";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";
import { WorkbenchPageObject } from "../pages/workbench-page";

ownServerTest(
  "a second start in another folder opens it in the running program, and each project keeps its sessions",
  async ({ browser, bench, page, place, project, model, server }) => {
    const other = join(place.root, "elsewhere");
    await mkdir(other);
    await writeFile(join(other, "only-here.txt"), "hello\n");
    model.setScript({ turns: [{ text: "First project." }, { text: "Second project." }] });
    await expect(bench.project).toContainText(basename(project));
    await bench.begin("Say something here.");
    await expect(bench.session.conversation.getByText("First project.")).toBeVisible();

    const second = await new ProductCommand(place, ["--json", "--no-open", other]).done();
    expect(second.code).toBe(0);
    const ready: ServerReadyLine = JSON.parse(second.stdout);
    expect(ready).toMatchObject({ port: server.port, pid: server.pid, home: server.home });

    await bench.showProject(basename(other));
    await expect(bench.project).toContainText(basename(other));
    await page.keyboard.press("Control+Shift+E");
    await expect(page.getByRole("treeitem", { name: "only-here.txt" })).toBeVisible();
    await bench.begin("Say something there.");
    await expect(bench.session.conversation.getByText("Second project.")).toBeVisible();
    await page.getByRole("button", { name: uiNames.sessions }).click();
    await expect(bench.list.getByRole("region", { name: basename(project) })).toContainText("Say something here.");
    await expect(bench.list.getByRole("region", { name: basename(other) })).toContainText("Say something there.");

    // Its link signs another browser in, to the same program.
    const guest = new WorkbenchPageObject(await (await browser.newContext()).newPage());
    await guest.open(ready.url);
    await expect(guest.project).toContainText(basename(other));
    await expect(guest.list).toContainText("Say something there.");
    await guest.page.context().close();
  },
);

test("two runs proceed in parallel, and Stop in one does not affect the other", async ({
  bench: one,
  context,
  project,
  model,
  server,
}) => {
  // Only reads, so it runs without a card.
  const waits = (file: string) => ({
    toolCalls: [{ name: "bash", arguments: { command: `echo ${file}; until [ -e ${file} ]; do sleep 0.05; done` } }],
  });
  model.setScript({ turns: [waits("one"), waits("two"), { text: "The second went on." }] });
  await one.begin("The first run.");
  await expect(one.session.lines({ verb: "Running", target: "echo one" })).toContainText("one");
  const two = new WorkbenchPageObject(await context.newPage());
  await two.open(server.origin);
  await two.begin("The second run.");
  await expect(two.session.lines({ verb: "Running", target: "echo two" })).toContainText("two");
  for (const title of ["The first run.", "The second run."])
    await expect(two.listed(title).getByRole("img", { name: "running" })).toBeVisible();

  await one.session.stop.click();
  await one.session.expectIdle();
  await expect(one.session.lines({ verb: "Ran", target: "echo one" })).toContainText("stopped");
  await expect(one.session.conversation).toContainText("Stopped");
  await expect(two.session.lines({ verb: "Running", target: "echo two" })).toHaveCount(1);
  await writeFile(join(project, "two"), "");
  await expect(two.session.conversation.getByText("The second went on.")).toBeVisible();
  await two.session.expectIdle();
});

test("a message during a run is delivered at the next turn, a follow-up when the run has ended", async ({
  bench,
  model,
}) => {
  model.setScript({
    turns: [
      { holdAfter: 0, toolCalls: [{ name: "ls", arguments: {} }] },
      { holdAfter: 0, text: "I keep to the tests." },
      { text: "And now the summary." },
    ],
  });
  const { session } = bench;
  await bench.begin("Look around.");
  await model.waitFor(() => chatRequestBodies(model).length === 1);
  await session.composer.fill("Only the tests, please.");
  await session.composer.press("Enter");
  await session.composer.fill("Then sum it up.");
  await session.composer.press("Alt+Enter");
  await expect(session.queue).toHaveCount(2);
  await expect(session.queue.first()).toContainText("next step");
  await expect(session.queue.last()).toContainText("After this run");
  model.release();
  await model.waitFor(() => chatRequestBodies(model).length === 2);
  const [, second = ""] = chatRequestBodies(model);
  expect(second).toContain("Only the tests, please.");
  expect(second).not.toContain("Then sum it up.");
  await expect(session.userMessage("Only the tests, please.")).toBeVisible();
  await expect(session.queue).toHaveCount(1);
  model.release();
  await expect(session.conversation.getByText("And now the summary.")).toBeVisible();
  await expect(session.userMessage("Then sum it up.")).toBeVisible();
  await expect(session.queue).toHaveCount(0);
  expect(chatRequestBodies(model)[2]).toContain("Then sum it up.");
  await session.expectIdle();
});

test("a waiting message can be changed and removed, and Esc stops the run", onlyInFull, async ({ bench, model }) => {
  model.setScript({ turns: [{ holdAfter: 2, pieces: ["Slowly ", "does it ", "never"] }, { text: "After." }] });
  const { session } = bench;
  await bench.begin("Take your time.");
  await expect(session.conversation).toContainText("Slowly does it");
  for (const text of ["Remove me", "Change me"]) {
    await session.composer.fill(text);
    await session.composer.press("Alt+Enter");
    await expect(session.queue.filter({ hasText: text })).toHaveCount(1);
  }
  await session.queue.filter({ hasText: "Remove me" }).getByRole("button", { name: uiNames.removeQueued }).click();
  await expect(session.queue).toHaveCount(1);
  await session.queue.getByRole("button", { name: uiNames.editQueued }).click();
  const field = session.queue.getByRole("textbox", { name: uiNames.editQueued });
  await field.fill("Changed");
  await field.press("Enter");
  await expect(session.queue).toContainText("Changed");
  await expect(session.queue).not.toContainText("Change me");

  await session.composer.press("Escape");
  await session.expectIdle();
  await expect(session.conversation).toContainText("Slowly does it");
  await expect(session.conversation).toContainText("Stopped");
  await expect(session.conversation).not.toContainText("never");
  // The queued message is still the user's: nothing is sent after a Stop.
  await expect(session.queue).toContainText("Changed");
  expect(chatRequestBodies(model)).toHaveLength(1);
});
