/** Subagents: their cards on the parent's page, their rows below the parent's, their own pages, Stop. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { findViolations } from "../pages/axe";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const spawn = (task: string, look: boolean) => ({
  name: "toolbox",
  arguments: { tool: "spawn", input: { task, look } },
});
const write = (path: string) => ({ name: "write", arguments: { path, content: "1\n" } });

test("two subagents with a card each are decided on the parent's page, then found below its row", async ({
  page,
  bench,
  model,
  project,
}) => {
  const { session } = bench;
  model.setScript({
    turns: [
      { toolCalls: [spawn("Write the first file", false), spawn("Write the second file", false)] },
      { toolCalls: [write("first.txt")] },
      { text: "The first is written." },
      { toolCalls: [write("second.txt")] },
      { text: "The second is written." },
      { text: "Both are written." },
    ],
  });
  await session.sendMessage("Write both");
  // One card each for starting them, then one each for writing.
  for (const sentence of ["Start a subagent", "Start a subagent", "Create first.txt", "Create second.txt"]) {
    const card = session.cards.filter({ hasText: sentence }).first();
    await expect(card).toBeVisible();
    if (sentence === "Create first.txt") {
      await expect(page).toHaveTitle(/^Waiting/);
      await expect(page.getByText("The subagent needs your decision")).toBeVisible();
    }
    const id = await card.getAttribute("data-approval");
    await card.getByRole("button", { name: "Allow once" }).click();
    await expect(page.locator(`[data-approval="${id}"]`)).toHaveCount(0);
  }
  await expect(page.getByText("Both are written.")).toBeVisible();
  await session.expectIdle();
  for (const name of ["first.txt", "second.txt"]) expect(existsSync(join(project, name))).toBe(true);
  const lines = session.lines({ verb: "Subagent:", target: "Write the" });
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText("2 steps");
  expect(await findViolations(page)).toEqual([]);

  const bodies = chatRequestBodies(model);
  expect(bodies.at(-1)).toContain("The first is written.\\n\\n[Files changed: first.txt]");
  // A router before several model hosts gets an id for each session.
  const ids = model.requests.map(({ headers }) => headers["x-session-id"]).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(3);

  await page.getByRole("link", { name: "Open the subagent: Write the second file" }).click();
  await expect(page.getByText("This is a subagent.")).toBeVisible();
  await expect(session.userMessage("Write the second file")).toContainText("Task from the session that started it");
  const rows = page.getByRole("navigation", { name: "Sessions" });
  const row = rows.getByRole("link", { name: /^Write the second file/ });
  await expect(row).toHaveAttribute("aria-current", "page");
  await rows.getByRole("button", { name: "2 subagents: Write both" }).click();
  await expect(row).toBeHidden();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to the session that started it" }).click();
  await expect(page.getByText("Both are written.")).toBeVisible();
});

test(
  "the list shows them below their parent, and one is stopped alone while the parent continues",
  onlyInFull,
  async ({ page, bench, model }) => {
    const { session } = bench;
    model.setScript({
      turns: [
        { toolCalls: [spawn("Look around", true), spawn("Look again", true)] },
        { holdAfter: 0, text: "never" },
        { text: "Nothing to see." },
        { text: "Go on alone." },
      ],
    });
    await session.sendMessage("Look");
    await expect(page.getByText("Step 1 of 20")).toBeVisible();
    await expect(page.getByText("Waiting for the model server")).toBeVisible();
    const list = page.getByRole("navigation", { name: "Sessions" });
    await expect(list.getByRole("link", { name: /Look/ })).toHaveCount(1);
    await page.getByRole("button", { name: "Stop the subagent: Look around" }).press("Enter");
    await expect(page.getByText("Go on alone.")).toBeVisible();
    await expect(session.lines({ verb: "Subagent:", target: "Look around" })).toContainText("stopped by you");
    await expect(page.getByRole("link", { name: "Open the subagent: Look around" })).toBeFocused();
    const toggle = list.getByRole("button", { name: /^2 subagents: Look/ });
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await toggle.click();
    await expect(list.getByRole("list", { name: "2 subagents" }).getByRole("link")).toHaveText([
      /Look around/,
      /Look again/,
    ]);
    await list.getByRole("link", { name: /Look again/ }).click();
    await expect(page.getByText("Nothing to see.")).toBeVisible();
    await expect(list.getByRole("link", { name: /Look again/ })).toHaveAttribute("aria-current", "page");
  },
);

test("Stop on the parent's page ends the subagent too", onlyInFull, async ({ page, bench, model }) => {
  const { session } = bench;
  model.setScript({ turns: [{ toolCalls: [spawn("Look around", true)] }, { holdAfter: 0, text: "never" }] });
  await session.sendMessage("Look");
  await expect(page.getByText("Step 1 of 20")).toBeVisible();
  await session.stop.click();
  await session.expectIdle();
  await expect(page.getByText("Step 1 of 20")).toHaveCount(0);
  await page.getByRole("link", { name: "Open the subagent: Look around" }).click();
  await expect(page.getByText("This is a subagent.")).toBeVisible();
  await session.expectIdle();
});
