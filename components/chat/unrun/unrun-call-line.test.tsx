// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { UnrunCall } from "@/lib/events/content";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { ConversationActionsContext, ConversationFactsContext, defaultFacts, readOnlyActions } from "../actions";
import { noopRunControls } from "../noop-run-controls";
import { UnrunCallLine } from "./unrun-call-line";

const call: UnrunCall = { name: "bash", input: { command: "npm test\nnpm run lint" }, reason: "example" };

/** Renders the line; returns its decisions and how often the message field got the focus. */
async function renderLine({ isOwner = true, isIdle = true, accepts = true, isRun = false } = {}) {
  const decisions: (readonly [messageSeq: number, index: number, run: boolean])[] = [];
  const focused: string[] = [];
  const runControls = {
    ...noopRunControls,
    decideCall: (...decision: readonly [number, number, boolean]) => {
      decisions.push(decision);
      return Promise.resolve(accepts);
    },
    focusComposer: () => void focused.push("composer"),
  };
  const user = await renderForUser(
    testClient(),
    <ConversationActionsContext value={{ ...readOnlyActions, runControls: isOwner ? runControls : null }}>
      <ConversationFactsContext value={{ ...defaultFacts, isIdle }}>
        <UnrunCallLine call={call} index={1} isRun={isRun} of={7} />
      </ConversationFactsContext>
    </ConversationActionsContext>,
  );
  await screen.findByText("bash");
  return { user, decisions, focused };
}

test("states the reason and the first line of the target, and sends each decision", async () => {
  const { user, decisions, focused } = await renderLine();
  expect(document.body.textContent).toContain(
    "The model wrote a call of bash that wasn't run: it looks like an example.",
  );
  expect(screen.getByText("npm test")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Not a call" }));
  await user.click(screen.getByRole("button", { name: "Run it" }));
  expect(decisions).toEqual([
    [7, 1, false],
    [7, 1, true],
  ]);
  expect(focused).toHaveLength(2);
});

test("the focus stays where it is when the decision is rejected", async () => {
  const { user, focused } = await renderLine({ accepts: false });
  await user.click(screen.getByRole("button", { name: "Run it" }));
  expect(focused).toEqual([]);
});

test.each([
  ["a viewer", { isOwner: false }],
  ["the owner during a run", { isIdle: false }],
  ["the owner who ran it", { isRun: true }],
])("%s gets no buttons", async (_name, shown) => {
  await renderLine(shown);
  expect(screen.queryAllByRole("button")).toEqual([]);
  expect(screen.queryAllByText("You ran it")).toHaveLength("isRun" in shown ? 1 : 0);
});
