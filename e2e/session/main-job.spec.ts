/**
 * The main job, end to end, on a real package from the registry: the screen, a second tab, the disk and the log agree.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mimeFix, testCommand, testRule, mainJobTurns } from "../fixtures/mime-project";
import { readLoggedEvents, type LoggedEvent } from "../fixtures/stored-log";
import { allowFirstEdit, allowTestsAlways, expectSecondEdit, finishMainJob, mainJobPrompt } from "../pages/main-job";
import { expectSameScreens, expectSameIdleScreen, readScreenLog, startScreenLog } from "../pages/screen-log";
import { expect, test } from "../pages/mime-stage";
import { WorkbenchPageObject } from "../pages/workbench-page";

test.use({ hasOwnServer: true, viewport: { width: 1440, height: 1800 } });

test("a bug in a real package is found, shown, allowed, repaired and tested, and two tabs always show the same", async ({
  page,
  context,
  bench,
  project,
  model,
  server,
}) => {
  const [firstTurn, ...rest] = mainJobTurns;
  // The second tab is open before the model sends its first word.
  model.setScript({ turns: [{ ...firstTurn, holdAfter: 0 }, ...rest] });
  const { session } = bench;
  const id = await bench.begin(mainJobPrompt);
  const second = new WorkbenchPageObject(await context.newPage());
  await second.open(`${server.origin}/s/${id}`);
  await Promise.all([startScreenLog(page), startScreenLog(second.page)]);
  await expect(second.session.userMessage(mainJobPrompt)).toBeVisible();
  model.release();

  const rests: number[] = [];
  await test.step("the wrong edit is shown and allowed", async () => {
    await expect(session.lines({ verb: "Searched", target: "prototype" })).toContainText("1 match");
    await expect(session.lines({ verb: "Read", target: mimeFix.file })).toHaveCount(1);
    await allowFirstEdit(session);
    rests.push(await expectSameIdleScreen(page, second.page));
  });
  await test.step("the tests fail by a rule the user makes", async () => {
    await allowTestsAlways(session);
    await expectSecondEdit(session);
    rests.push(await expectSameIdleScreen(page, second.page));
    expect(await readFile(join(project, mimeFix.file), "utf8")).toContain(mimeFix.stillWrong);
  });
  await test.step("the right edit is allowed, the tests pass without a card", async () => {
    await finishMainJob(session);
    rests.push(await expectSameIdleScreen(page, second.page));
    expect(await expectSameScreens(page, second.page)).toEqual(expect.arrayContaining(rests));
    expect(new Set(rests).size).toBe(3);
    await expect(session.conversation).toContainText("1 file changed");
    await expect(session.conversation).toContainText("2 commands");
  });
  expect(await readFile(join(project, mimeFix.file), "utf8")).toBe(
    await readFile("node_modules/mime-fixture/mime.js", "utf8"),
  );

  await test.step("the history lists it and opens it as it was", async () => {
    const before = (await readScreenLog(page)).at(-1);
    expect(before?.text).toContain(mimeFix.answer);
    expect(before?.text).toContain("exit 1");
    await page.goto(`${server.origin}/history`);
    const row = page.getByRole("main").getByRole("link", { name: mainJobPrompt });
    // Two edits of one line each.
    await expect(row).toContainText("+2");
    await row.click();
    await expect(page).toHaveURL(`${server.origin}/s/${id}`);
    await expect(session.conversation.getByText(mimeFix.answer)).toBeVisible();
    await expect.poll(async () => (await readScreenLog(page)).at(-1)).toEqual(before);
  });

  await server.kill("SIGTERM");
  expectCompleteLog(readLoggedEvents(server.home, id));
});

/** Checks the events that the log must contain for this run. */
function expectCompleteLog(log: readonly LoggedEvent[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const events = log.map(({ event }) => event);
  const eventsOfType = <T extends (typeof events)[number]["type"]>(type: T) =>
    events.filter((event): event is Extract<typeof event, { type: T }> => event.type === type);
  expect(eventsOfType("agent_start")).toHaveLength(1);
  expect(eventsOfType("agent_end").map(({ reason }) => reason)).toEqual(["done"]);
  expect(eventsOfType("turn_start").map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(eventsOfType("turn_end")).toHaveLength(6);
  expect(eventsOfType("tool_call_end").map(({ outcome, facts }) => [outcome, facts.exit])).toEqual([
    ["ok", undefined],
    ["ok", undefined],
    ["ok", undefined],
    ["error", 1],
    ["ok", undefined],
    ["ok", 0],
  ]);
  expect(
    eventsOfType("tool_call_start")
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(["edit", "edit", "read", "search", "shell", "shell"]);
  expect(eventsOfType("approval_request")).toHaveLength(3);
  expect(eventsOfType("approval_response").map(({ option }) => option)).toEqual(["once", "always", "once"]);
  const [rule] = eventsOfType("approval_response").flatMap((event) => event.rule ?? []);
  expect(rule).toMatchObject({ tool: "bash", words: testCommand.split(" "), rest: testRule.endsWith("*") });
  expect(eventsOfType("file_change").map(({ path }) => path)).toEqual([mimeFix.file, mimeFix.file]);
  const ends = events.flatMap((event, index) => (event.type === "message_end" ? [index] : []));
  expect(ends).toHaveLength(eventsOfType("message_start").length);
}
