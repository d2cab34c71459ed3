/** The steps of the main job as a user performs them. */
import { expect } from "@playwright/test";
import { mimeFix, testCommand, testRule } from "../fixtures/mime-project";
import type { SessionPageObject } from "./session-page";

export const mainJobPrompt = "The tests fail. Find out why and repair it.";

/** Checks that the card of the first edit shows the difference, and allows it. */
export async function allowFirstEdit(session: SessionPageObject): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(`Change 1 line in ${mimeFix.file}`);
  await expect(card.changed("remove")).toContainText(mimeFix.planted);
  await expect(card.changed("add")).toContainText(mimeFix.stillWrong);
  await card.once.click();
  await expect(session.lines({ verb: "Changed", target: mimeFix.file })).toHaveCount(1);
}

/** Allows the tests by a rule and checks that they run and fail on screen. */
export async function allowTestsAlways(session: SessionPageObject): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(testCommand);
  await expect(card.always).toContainText(testRule);
  await card.always.click();
  const run = session.lines({ verb: "Ran", target: testCommand }).first();
  await expect(run).toContainText("exit 1");
  await expect(run).toContainText("AssertionError [ERR_ASSERTION]");
}

/** Checks the card of the second edit. */
export async function expectSecondEdit(session: SessionPageObject): Promise<void> {
  const { card } = session;
  await expect(card.root).toContainText(`Change 1 line in ${mimeFix.file}`);
  await expect(card.changed("remove")).toContainText(mimeFix.stillWrong);
  await expect(card.changed("add")).toContainText(mimeFix.right);
}

/** Runs from the second edit to the end: the rule lets the tests run without a card, they pass, the model answers. */
export async function finishMainJob(session: SessionPageObject): Promise<void> {
  await session.card.once.click();
  await expect(session.conversation.getByText(mimeFix.answer)).toBeVisible();
  await session.expectIdle();
  await expect(session.cards).toHaveCount(0);
  const runs = session.lines({ verb: "Ran", target: testCommand });
  await expect(runs).toHaveCount(2);
  await expect(runs.last()).toContainText("exit 0");
}
