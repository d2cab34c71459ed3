// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { engineConnectionId } from "@/lib/models/engine";
import { asId, type BlobId } from "@/lib/events/id";
import type { WindowPlan } from "@/lib/models/models";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { ConversationActionsContext, ConversationFactsContext, defaultFacts, readOnlyActions } from "../actions";
import { noopRunControls } from "../noop-run-controls";
import { ErrorCard } from "./error-card";

const model = {
  provider: engineConnectionId,
  model: "tiny",
  toolMode: "native",
  numCtx: 16_384,
  think: true,
  profile: "default",
  prompt: asId<BlobId>("b"),
} as const;
const plan: WindowPlan = {
  model: "tiny",
  chosen: 16_384,
  by: "default",
  steps: [
    { tokens: 16_384, fits: true },
    { tokens: 32_768, fits: true },
  ],
  own: 32_768,
};

/** Renders the error of a message of this many tokens in a window of 16k. */
async function renderCard(tokens: number, planned: WindowPlan): Promise<void> {
  const runControls = { ...noopRunControls, loadWindowPlan: () => Promise.resolve(planned) };
  await renderForUser(
    testClient(),
    <ConversationActionsContext value={{ ...readOnlyActions, runControls }}>
      <ConversationFactsContext value={{ ...defaultFacts, model }}>
        <ErrorCard
          error={{ code: "message_too_large", facts: { tokens, window: 16_384 } }}
          turnPosition="end"
          canContinue={false}
        />
      </ConversationFactsContext>
    </ConversationActionsContext>,
  );
}

test("a message that fits into a larger window has a button for it", async () => {
  await renderCard(20_000, plan);
  expect(await screen.findByRole("button", { name: "Raise to 32k" })).toBeDefined();
});

test.each([
  [
    "the model was trained for less",
    plan,
    "The model was trained for 32k tokens at most. Choose one with a larger window.",
  ],
  [
    "the memory is too small",
    { ...plan, own: 65_536, steps: [...plan.steps, { tokens: 65_536, fits: false }] },
    "A larger window doesn't fit into this machine's memory.",
  ],
])("where %s, a message that is too large for it names this limit", async (_name, planned, sentence) => {
  await renderCard(37_300, planned);
  expect(await screen.findByText(sentence)).toBeDefined();
});

test.each([
  ["during a run", false, 0],
  ["after a run", true, 1],
])("lost arguments have a button that reads calls from the text: %s", async (_name, isIdle, count) => {
  let requested = 0;
  const readCallsFromText = async () => (requested += 1) > 0;
  await renderForUser(
    testClient(),
    <ConversationActionsContext value={{ ...readOnlyActions, runControls: { ...noopRunControls, readCallsFromText } }}>
      <ConversationFactsContext value={{ ...defaultFacts, model, isIdle }}>
        <ErrorCard
          error={{ code: "lost_arguments", facts: { model: "tiny" } }}
          turnPosition="turn"
          canContinue={false}
        />
      </ConversationFactsContext>
    </ConversationActionsContext>,
  );
  expect(await screen.findByText(/arrive without their arguments/)).toBeDefined();
  for (const button of screen.queryAllByRole("button", { name: "Read calls from its text" })) button.click();
  expect(requested).toBe(count);
});
