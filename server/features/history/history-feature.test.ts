import { expect, test } from "vitest";
import { makeTestHarness, promptAndWait, textAnswer } from "@/server/session/testing/test-harness";
import { historyFeature } from "./history-feature";

test("a search and the statistics report the indexed share of the history", async () => {
  const harness = await makeTestHarness();
  const { store } = harness;
  harness.script(textAnswer("a walrus"));
  await promptAndWait(harness.session(), "what is it");
  const answers = async (hasBegun: boolean): Promise<readonly unknown[]> => {
    const history = historyFeature({ store, sessions: harness.sessions(), reportBug: () => {} });
    const stop = new AbortController();
    if (!hasBegun) stop.abort();
    const running = history.start(stop.signal);
    const found = await history.commands["history.search"]({ query: "walrus" });
    const counted = await history.commands["history.statistics"]({ zone: "UTC" });
    stop.abort();
    await running;
    return [found, counted];
  };
  expect(await answers(false)).toMatchObject([
    { value: { hits: [], indexed: 0 } },
    { value: { days: [], sessions: 0, indexed: 0 } },
  ]);
  expect(await answers(true)).toMatchObject([
    { value: { hits: [{ place: "assistant" }], indexed: 1 } },
    { value: { sessions: 1, indexed: 1 } },
  ]);
});
