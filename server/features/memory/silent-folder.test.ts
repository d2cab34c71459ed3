/** The settings page of a memory whose folder does not answer, as one of a network may. */
import { expect, test } from "vitest";
import { makeMemoryFiles } from "./memory-files";
import { makeTestMemory } from "./test-memory";

test("a folder that does not answer is named, and read again when it does", async () => {
  const gate = { until: Promise.resolve(), release: (): void => {} };
  let lists = 0;
  const { commands, harness, write } = await makeTestMemory({}, Date.now, {
    limitMs: 500,
    makeFiles(folder) {
      const files = makeMemoryFiles(folder);
      return {
        ...files,
        async list() {
          lists += 1;
          await gate.until;
          return files.list();
        },
      };
    },
  });
  write("USER.md", "Ada");
  const { projectId } = harness.session("ask").view;
  const state = () => commands()["memory.state"]({ projectId });
  expect(await state()).toMatchObject({ ok: true, value: { files: expect.anything() } });

  gate.until = new Promise((resolve) => {
    gate.release = resolve;
  });
  const ofOneReading = lists;
  for (let round = 0; round < 3; round += 1)
    expect(await state()).toMatchObject({
      ok: false,
      error: { code: "timeout", facts: { path: `${harness.home}/memory`, seconds: 0.5 } },
    });
  expect(await commands()["memory.read"]({ file: "USER.md" })).toMatchObject({ error: { code: "timeout" } });
  // There is no further attempt before it answers.
  expect(lists).toBe(2 * ofOneReading);

  gate.release();
  await expect.poll(state).toMatchObject({ ok: true });
  expect(await commands()["memory.read"]({ file: "USER.md" })).toMatchObject({ value: { text: "Ada" } });
});
