// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { WorkflowEntry, WorkflowEvent } from "@/lib/workflows/workflow-events";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { WorkflowPanel } from "./workflow-panel";

const sessionId = asId<SessionId>("s1");

const start: WorkflowEvent = {
  type: "workflow_start",
  name: "release",
  place: "home",
  hash: "h",
  inputs: {},
  steps: [
    { id: "tests", kind: "run", title: "npm test" },
    { id: "sure", kind: "ask", title: "Publish?" },
    { id: "publish", kind: "workflow", title: "publish", steps: [{ id: "tag", kind: "run", title: "git tag" }] },
  ],
};
const begin = (step: string, kind: "run" | "ask", more: object = {}): WorkflowEvent => ({
  type: "step_start",
  step,
  kind,
  title: step,
  attempt: 1,
  ...more,
});
const end = (step: string, outcome: "ok" | "failed", more: object = {}): WorkflowEvent => ({
  type: "step_end",
  step,
  outcome,
  output: "",
  outputs: {},
  ...more,
});

async function open(...events: readonly WorkflowEvent[]) {
  const { client, inputsOf } = await connectClient(() => ({ ok: true, value: null }));
  const entries = [start, ...events].map(
    (event, index): WorkflowEntry => ({ ...event, seq: index + 1, at: index * 1_000 }),
  );
  const user = await renderForUser(client, <WorkflowPanel sessionId={sessionId} entries={entries} />);
  return { user, inputsOf, panel: await screen.findByRole("region", { name: "Workflows" }) };
}

const states = (panel: HTMLElement): readonly (readonly [string, string])[] =>
  [...panel.querySelectorAll<HTMLElement>("[data-step]")].map(({ dataset }) => [
    dataset.step ?? "",
    dataset.state ?? "",
  ]);

test("lists the steps with their states, also those to come, and opens the output of one", async () => {
  const { user, panel } = await open(begin("tests", "run"), end("tests", "failed", { output: "2 failed", exit: 1 }), {
    type: "workflow_end",
    reason: "failed",
  });
  expect(states(panel)).toEqual([
    ["tests", "failed"],
    ["sure", "pending"],
    ["publish", "pending"],
    ["publish/tag", "pending"],
  ]);
  await user.click(within(panel).getByRole("button", { name: /exit code 1/ }));
  expect(panel.querySelector("pre")?.textContent).toBe("2 failed");
});

test("sends the chosen answer of a question", async () => {
  const question = { text: "Publish?", options: ["Yes", "No"] };
  const { user, panel, inputsOf } = await open(
    begin("tests", "run"),
    end("tests", "ok"),
    begin("sure", "ask", { question }),
  );
  await user.click(within(panel).getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(inputsOf("workflows.answer")).toMatchObject([{ sessionId, step: "sure", answer: "Yes" }]));
});

test("asks what to do about a step that was running when the program was ended", async () => {
  const { user, panel, inputsOf } = await open(begin("tests", "run"), { type: "workflow_end", reason: "interrupted" });
  expect(within(panel).queryByRole("button", { name: "Continue" })).toBeNull();
  await user.click(within(panel).getByRole("button", { name: "Skip it" }));
  await waitFor(() => expect(inputsOf("workflows.continue")).toMatchObject([{ sessionId, unknown: "skip" }]));
});

test("runs one step again once the workflow has ended", async () => {
  const { user, panel, inputsOf } = await open(begin("tests", "run"), end("tests", "ok"), {
    type: "workflow_end",
    reason: "stopped",
  });
  await user.click(within(panel).getByRole("button", { name: "Run this step again" }));
  await waitFor(() => expect(inputsOf("workflows.rerun")).toMatchObject([{ sessionId, step: "tests" }]));
});
