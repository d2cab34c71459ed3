/** Commands the user runs from the message field: their output, what the model gets, Stop, a reload and a phone. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

test("by keyboard: a command runs, its output goes with the next message, and a reload keeps it", async ({
  page,
  bench,
  model,
}) => {
  const { session } = bench;
  const command = session.conversation.getByRole("article", { name: "Your command" });
  await session.composer.fill("!");
  await expect(page.getByText("Runs in the project folder with your rights.")).toBeVisible();
  await session.composer.press("Enter");
  await expect(page.getByText("Write a command after the exclamation mark.")).toBeVisible();
  await session.sendMessage("!echo from-$((40+2)); exit 3");
  await expect(command).toContainText("from-42");
  await expect(command).toContainText("exit 3");
  await session.expectIdle();
  await session.sendMessage("!!echo only-$((1+1))-shown");
  await expect(command.last()).toContainText("only-2-shown");
  await session.expectIdle();
  model.setScript({ turns: [{ text: "I see." }] });
  await session.sendMessage("Why?");
  await expect(session.conversation.getByText("I see.")).toBeVisible();
  const [body = ""] = chatRequestBodies(model).slice(-1);
  expect(body).toContain("from-42");
  expect(body).not.toContain("only-2-shown");
  await page.reload();
  await expect(command).toHaveCount(2);
  await expect(command.first()).toContainText("from-42");
  await session.composer.press("ArrowUp");
  await session.composer.press("ArrowUp");
  await expect(session.composer).toHaveValue("!!echo only-$((1+1))-shown");
});

test("by pointer: Stop ends a command, and its row collapses", onlyInFull, async ({ page, bench }) => {
  const { session } = bench;
  const command = session.conversation.getByRole("article", { name: "Your command" });
  await session.composer.fill("!echo begun; sleep 600");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(command).toContainText("begun");
  await session.stop.click();
  await expect(command.locator("[data-state]").first()).toHaveAttribute("data-state", "aborted");
  await session.expectIdle();
  const line = command.getByRole("button", { expanded: true });
  await line.click();
  await expect(command.getByRole("button", { expanded: false })).toBeVisible();
});

test("a command refused by name runs once as the user's own, and its change can be undone", async ({
  page,
  bench,
  model,
  project,
}) => {
  const { session } = bench;
  const target = join(project, "old.txt");
  await writeFile(target, "old\n");
  model.setScript({
    turns: [
      { text: "", toolCalls: [{ name: "bash", arguments: { command: "rm old.txt" } }] },
      { text: "It is still there." },
      { text: "Then it is gone." },
    ],
  });
  await bench.begin("Delete it.");
  await expect(session.conversation.getByText("It is still there.")).toBeVisible();
  expect(existsSync(target)).toBe(true);
  const line = session.lines({ verb: "Run", target: "rm old.txt" }).first();
  await line.getByRole("button", { name: "Run it myself" }).click();
  const question = page.getByRole("dialog", { name: "Run this command yourself?" });
  await expect(question).toContainText("rm old.txt");
  await question.getByRole("button", { name: "Run it myself" }).click();
  const command = session.conversation.getByRole("article", { name: "Your command" });
  await expect(command).toContainText("exit 0");
  await session.expectIdle();
  expect(existsSync(target)).toBe(false);
  await page.reload();
  await expect(line).toContainText("You ran it");
  await expect(line.getByRole("button", { name: "Run it myself" })).toHaveCount(0);

  await session.conversation.getByRole("button", { name: "Undo 1 file…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Undo/ }).click();
  // The file is back before the dialog has its answer; until then the message field takes no focus.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await readFile(target, "utf8")).toBe("old\n");

  await session.sendMessage("Now?");
  await expect(session.conversation.getByText("Then it is gone.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain("!rm old.txt");
});
