/** The overview of all running work: a card is answered in it while its session is not open. */
import { mainJobTurns } from "../fixtures/mime-project";
import { mainJobPrompt } from "../pages/main-job";
import { expect, test } from "../pages/mime-stage";

test("a card is answered in the overview, and the run continues there", async ({ bench, page, model }) => {
  model.setScript({ turns: [...mainJobTurns.slice(0, 2), { text: "The end." }] });
  await bench.begin(mainJobPrompt);
  await expect(bench.session.card.once).toBeVisible();
  await bench.list.getByRole("link", { name: "Overview" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  const waiting = page.getByRole("region", { name: "Waiting for you" });
  await expect(waiting.getByRole("link", { name: /The tests fail/ })).toBeVisible();
  await waiting.getByRole("button", { name: /^Allow once/ }).click();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByText("Nothing is running")).toBeVisible();
  await page.goBack();
  await expect(bench.session.conversation.getByText("The end.")).toBeVisible();
});
