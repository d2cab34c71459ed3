/** The program is killed at the worst moments and started again: no important data is lost, nothing is done twice. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mainJobTurns, mimeFix } from "../fixtures/mime-project";
import { readCheckpointBodies, readLoggedEvents } from "../fixtures/stored-log";
import { allowFirstEdit, allowTestsAlways, expectSecondEdit, finishMainJob, mainJobPrompt } from "../pages/main-job";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

test.use({ hasOwnServer: true });

test("killed while an approval waits: the tab reconnects by itself, the same card is shown, and the answer resumes the run", async ({
  bench,
  project,
  model,
  server,
}) => {
  model.setScript({ turns: mainJobTurns });
  const { session } = bench;
  const id = await bench.begin(mainJobPrompt);
  await allowFirstEdit(session);
  await allowTestsAlways(session);
  await expectSecondEdit(session);
  const card = await session.card.id();
  const shown = await session.card.root.innerText();

  await server.kill("SIGKILL");
  await bench.expectDisconnected();
  await server.restart();
  await bench.expectOnline();

  await expectSecondEdit(session);
  await expect(session.cards).toHaveCount(1);
  expect(await session.card.id()).toBe(card);
  await expect.poll(() => session.card.root.innerText()).toBe(shown);
  await finishMainJob(session);
  expect(await readFile(join(project, mimeFix.file), "utf8")).toContain(mimeFix.right);

  await server.kill("SIGTERM");
  const events = readLoggedEvents(server.home, id).map(({ event }) => event);
  expect(events.filter((event) => event.type === "agent_start")).toHaveLength(1);
  expect(events.filter((event) => event.type === "file_change")).toHaveLength(2);
  expect(events.flatMap((event) => (event.type === "agent_end" ? [event.reason] : []))).toEqual(["done"]);
});

test("killed in the middle of an answer: the received text is shown, marked, and Continue finishes it", async ({
  bench,
  model,
  server,
}) => {
  const chunks = Array.from({ length: 40 }, (_, index) => `word${index} `);
  model.setScript({
    turns: [{ pieces: [...chunks, "never"], holdAfter: chunks.length }, { text: "And here is the rest." }],
  });
  const { session } = bench;
  const id = await bench.begin("Count for me.");
  await expect(session.conversation).toContainText("word39");
  await expect.poll(() => readCheckpointBodies(server.home, id)).toContain("word39");

  await server.kill("SIGKILL");
  await bench.expectDisconnected();
  await server.restart();
  await bench.expectOnline();

  await expect(session.conversation).toContainText("gopi-web restarted during this run");
  await expect(session.conversation).toContainText(chunks.join("").trim());
  await expect(session.conversation).not.toContainText("never");
  await session.resume.click();
  await expect(session.conversation).toContainText("And here is the rest.");
  await session.expectIdle();
  await expect(session.resume).toHaveCount(0);
  expect(chatRequestBodies(model).at(-1)).toContain("word39");
});

test("killed while a command runs: its outcome is shown as unknown and reported to the model", async ({
  bench,
  project,
  model,
  server,
}) => {
  // It ends by itself once the test permits it: a killed server cannot end the processes it started.
  const command = "touch started; echo begun; until [ -e may-end ]; do sleep 0.05; done";
  model.setScript({
    turns: [{ toolCalls: [{ name: "bash", arguments: { command, timeout: 60 } }] }, { text: "I look what it did." }],
  });
  const { session } = bench;
  const id = await bench.begin("Run the long job.");
  await session.card.once.click();
  const line = session.lines({ verb: "(?:Running|Run)", target: "touch started" });
  await expect(line).toContainText("begun");
  await expect.poll(() => readCheckpointBodies(server.home, id)).toContain("begun");

  await server.kill("SIGKILL");
  await bench.expectDisconnected();
  await writeFile(join(project, "may-end"), "");
  await server.restart();
  await bench.expectOnline();

  await expect(line).toContainText("outcome unknown");
  await expect(line).toContainText("It may have had an effect.");
  await session.resume.click();
  await expect(session.conversation).toContainText("I look what it did.");
  const last = chatRequestBodies(model).at(-1) ?? "";
  expect(last).toContain("begun");
  expect(last).toMatch(/unknown/i);
});
