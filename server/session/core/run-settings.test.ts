/** Tests of settings of runs: they apply from the next request on. */
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { pathEntries } from "@/lib/view/view";
import { promptAndWait, failureAnswer, makeTestHarness, textAnswer } from "../testing/test-harness";

test("the stall limit is sent with each request; 0 means the longest delay of a timer", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.settings.current = { ...settingsDefaults, stallSeconds: 7 };
  harness.script(textAnswer("One."), textAnswer("Two."));
  await promptAndWait(session, "go");
  expect(harness.requests.at(-1)?.stallMs).toBe(7_000);
  harness.settings.current = { ...settingsDefaults, stallSeconds: 0 };
  await promptAndWait(session, "and on");
  expect(harness.requests.at(-1)?.stallMs).toBe(2_147_483_647);
});

test.each([0, 1, 5])("a failing server is queried %i more times, as configured", async (retries) => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.settings.current = { ...settingsDefaults, retries };
  harness.script(...Array.from({ length: retries + 1 }, () => failureAnswer("server_busy", true)));
  expect(await promptAndWait(session, "go")).toBe("error");
  expect(harness.requests).toHaveLength(retries + 1);
  const shown = pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.of] : []));
  expect(shown).toEqual(Array(retries).fill(retries));
});
