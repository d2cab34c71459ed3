/** The steps of the main job as a user performs them. */
import { expect } from "@playwright/test";
import { repair, testCommand, testRule } from "../fixtures/mime-project";
import type { SessionPage } from "./session-page";

export const mainPrompt = "The tests fail. Find out why and repair it.";

/** Checks that the card of the first edit shows the difference, and allows it. */
export async function allowFirstEdit(session: SessionPage): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(`Change 1 line in ${repair.file}`);
  await expect(card.changed("remove")).toContainText(repair.planted);
  await expect(card.changed("add")).toContainText(repair.stillWrong);
  await card.once.click();
  await expect(session.lines({ verb: "Changed", target: repair.file })).toHaveCount(1);
}

/** Allows the tests by a rule and checks that they run and fail on screen. */
export async function allowTestsAlways(session: SessionPage): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(testCommand);
  await expect(card.always).toContainText(testRule);
  await card.always.click();
  const run = session.lines({ verb: "Ran", target: testCommand }).first();
  await expect(run).toContainText("exit 1");
  await expect(run).toContainText("operator: '=='");
}

/** Checks the card of the second edit. */
export async function expectSecondEdit(session: SessionPage): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(`Change 1 line in ${repair.file}`);
  await expect(card.changed("remove")).toContainText(repair.stillWrong);
  await expect(card.changed("add")).toContainText(repair.right);
}

/** Runs from the second edit to the end: the rule lets the tests run without a card, they pass, the model answers. */
export async function finishMainJob(session: SessionPage): Promise<void> {
  await session.card.once.click();
  await expect(session.conversation.getByText(repair.answer)).toBeVisible();
  await session.expectIdle();
  await expect(session.cards).toHaveCount(0);
  const runs = session.lines({ verb: "Ran", target: testCommand });
  await expect(runs).toHaveCount(2);
  await expect(runs.last()).toContainText("exit 0");
}
