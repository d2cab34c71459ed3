import { expect, onTestFinished, test } from "vitest";
import { hubServerToken, startTestHub } from "@/lib/testing/test-hub";
import { parseHubVariables } from "@/server/base/hub-variables";
import { startActivityReports } from "./activity-reports";
import { makeHubClient } from "./hub-client";

async function startReports(serverName = "") {
  const hub = await startTestHub();
  const variables = parseHubVariables(hub.variables(1, { JUPYTERHUB_SERVER_NAME: serverName }), hubServerToken);
  if (typeof variables === "string") throw new Error(variables);
  const state = { lastUsed: 1_000, isWorking: false, now: 9_000 };
  const log: string[] = [];
  const stop = startActivityReports({
    client: makeHubClient(variables),
    everyMs: 5,
    lastUsed: () => state.lastUsed,
    isWorking: () => state.isWorking,
    now: () => state.now,
    random: () => 0.5,
    log: (line) => void log.push(line),
  });
  onTestFinished(async () => {
    stop();
    await hub.close();
  });
  return { hub, state, log };
}

const reportOf = (server: string, at: number) => {
  const last_activity = new Date(at).toISOString();
  return { servers: { [server]: { last_activity } }, last_activity };
};

test("the last use is reported once, work as now, for this server among those of the person", async () => {
  const { hub, state } = await startReports("two");
  await expect.poll(() => hub.reports).toEqual([reportOf("two", 1_000)]);
  state.lastUsed = 2_000;
  await expect.poll(() => hub.reports.at(-1)).toEqual(reportOf("two", 2_000));
  state.isWorking = true;
  await expect.poll(() => hub.reports.at(-1)).toEqual(reportOf("two", 9_000));
  state.now = 9_500;
  await expect.poll(() => hub.reports.at(-1)).toEqual(reportOf("two", 9_500));
  expect(hub.reports).toHaveLength(4);
});

test.each([
  [500, "JupyterHub doesn't answer"],
  // The reported time is in the future by the hub's clock.
  [400, "Compare the clock of this machine"],
  [403, "JupyterHub refuses the reports of activity"],
])("a hub that answers %i is logged once, and gets the report when it accepts it", async (status, sentence) => {
  const { hub, log } = await startReports();
  hub.faults.set("/users/ann/activity", status);
  await expect.poll(() => log).toEqual([expect.stringContaining(sentence)]);
  const count = hub.requests.length;
  await expect.poll(() => hub.requests.length).toBeGreaterThan(count + 2);
  expect(log).toHaveLength(1);
  hub.faults.clear();
  await expect.poll(() => hub.reports).toEqual([reportOf("", 1_000)]);
});
