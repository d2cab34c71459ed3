// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { SourceBranch } from "@/lib/workspace/source-control";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { SyncButtons } from "./sync-buttons";

const projectId = asId<ProjectId>("p1");

async function drawButtons(branch: Partial<SourceBranch>) {
  const connected = await connectClient((name) =>
    name === "source.remotes" ? { ok: true, value: { remotes: ["origin"] } } : undefined,
  );
  await renderForUser(
    connected.client,
    <SyncButtons projectId={projectId} branch={{ name: "main", commit: "12345678", ...branch }} />,
  );
  await waitFor(() => expect(connected.client.cache.isFetching()).toBe(0));
  return screen.queryAllByRole("button").map(({ textContent }) => textContent);
}

test.each([
  ["a branch that is not published", {}, ["Publish"]],
  ["one whose upstream was deleted", { upstream: "origin/main" }, ["Publish"]],
  ["commits on both sides", { upstream: "origin/main", ahead: 2, behind: 1 }, ["Push 2", "Pull 1"]],
  ["nothing to exchange", { upstream: "origin/main", ahead: 0, behind: 0 }, []],
  ["no branch", { name: null }, []],
  ["no commit", { commit: null }, []],
])("the panel offers what there is to exchange: %s", async (_title, branch, names) => {
  expect(await drawButtons(branch)).toEqual(names);
});
