/** No message gets lost: edit and resend, redo, forks, other models, the tree, and queued messages. */
import { onlyInFull } from "../fixtures/full-run";
import { readLoggedEvents } from "../fixtures/stored-log";
import { BranchesPageObject } from "../pages/branches-page";
import { uiNames } from "../pages/ui-names";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";

const answerScript = (...texts: readonly string[]) => ({ turns: texts.map((text) => ({ text })) });

test("a message is edited in place and sent again; the redo shows the whole old branch", async ({
  bench,
  page,
  model,
}) => {
  model.setScript(answerScript("One is odd.", "Two is even.", "Four is even, too."));
  const branches = new BranchesPageObject(page);
  const { session } = bench;
  await bench.begin("What is one?");
  await expect(session.conversation).toContainText("One is odd.");
  await session.expectIdle();
  await session.sendMessage("What is two?");
  await expect(session.conversation).toContainText("Two is even.");
  await session.expectIdle();
  const before = await session.conversation.innerText();

  await session.userMessage("What is two?").hover();
  await session.userMessage("What is two?").getByRole("button", { name: "Edit and resend" }).first().click();
  await branches.editor.fill("Never sent");
  await branches.editor.press("Escape");
  await expect(session.userMessage("What is two?")).toBeVisible();

  await branches.chooseMessageAction("What is two?", "Edit and resend");
  await branches.editor.fill("What is four?");
  await branches.editor.press("Enter");
  await expect(session.conversation).toContainText("Four is even, too.");
  await session.expectIdle();
  await expect(session.conversation).not.toContainText("What is two?");
  await expect(session.conversation).toContainText("One is odd.");
  expect(chatRequestBodies(model).at(-1)).not.toContain("What is two?");

  await test.step("the old branch comes back from the tree, the new one by the redo of the banner", async () => {
    await branches.chooseMessageAction("What is four?", "Rewind to before this");
    await expect(branches.banner).toContainText("1 message and its results are set aside");
    await expect(session.conversation).not.toContainText("What is four?");
    await session.composer.fill("/tree");
    await session.composer.press("Enter");
    await branches.rows.filter({ hasText: "What is two?" }).click();
    await branches.tree.getByRole("button", { name: "Go here" }).click();
    await expect(session.conversation).toContainText("Two is even.");
    await expect.poll(() => session.conversation.innerText()).toBe(before);
    await branches.redo.click();
    await expect(session.conversation).toContainText("Four is even, too.");
    await expect(branches.banner).toHaveCount(0);
  });
});

ownServerTest(
  "a fork from the middle is a new session with the shorter history, and the original is unchanged",
  async ({ bench, page, model, server }) => {
    model.setScript(answerScript("First.", "Second.", "On the fork."));
    const branches = new BranchesPageObject(page);
    const { session } = bench;
    const parent = await bench.begin("Say one.");
    await expect(session.conversation).toContainText("First.");
    await session.expectIdle();
    await session.sendMessage("Say two.");
    await expect(session.conversation).toContainText("Second.");
    await session.expectIdle();
    const seq = Number(await session.root.getAttribute("data-seq"));

    await branches.chooseMessageAction("Say two.", "Fork from before this message");
    await expect(page).not.toHaveURL(new RegExp(`/s/${parent}$`));
    const fork = await session.id();
    await expect(session.conversation).toContainText("First.");
    await expect(session.conversation).not.toContainText("Say two.");
    await session.sendMessage("Say three.");
    await expect(session.conversation).toContainText("On the fork.");
    await session.expectIdle();

    await page.goto(`${server.origin}/s/${parent}`);
    await expect(session.conversation).toContainText("Second.");
    await branches.openByKeys();
    await branches.tree.getByRole("button", { name: "Fork: Say one." }).click();
    await expect(page).toHaveURL(new RegExp(`/s/${fork}$`));

    await server.kill("SIGTERM");
    const rows = readLoggedEvents(server.home, parent);
    expect(rows).toHaveLength(seq);
    const shared = rows.findLastIndex(({ event }) => event.type === "agent_start");
    expect(shared).toBeGreaterThan(4);
    expect(readLoggedEvents(server.home, fork).slice(0, shared)).toEqual(rows.slice(0, shared));
  },
);

test.describe("with two models", () => {
  test.use({ hasOwnServer: true, script: { models: ["qwen3:8b", "llama3.2:3b"] } });

  test(
    "the same message is sent to another model, and the first answer is set aside",
    onlyInFull,
    async ({ bench, page, model }) => {
      model.setScript({
        models: ["qwen3:8b", "llama3.2:3b"],
        ...answerScript("Said by the first.", "Said by the other."),
      });
      const branches = new BranchesPageObject(page);
      const { session } = bench;
      await bench.begin("Who are you?");
      await expect(session.conversation).toContainText("Said by the first.");
      await session.expectIdle();
      const [first] = chatRequestBodies(model);
      const other = first?.includes("llama3.2:3b") === true ? "qwen3:8b" : "llama3.2:3b";
      await branches.chooseRunAction(`Try again with ${other}`);
      await expect(session.conversation).toContainText("Said by the other.");
      await session.expectIdle();
      await expect(session.conversation).not.toContainText("Said by the first.");
      await expect(session.userMessage("Who are you?")).toHaveCount(1);
      expect(chatRequestBodies(model).at(-1)).toContain(other);
      await expect(page.locator("[data-composer]")).toContainText(other);
    },
  );
});

test(
  "the tree is navigated by keys: an entry is named, found by its name, and opened",
  onlyInFull,
  async ({ bench, page, model }) => {
    model.setScript(answerScript("A.", "B.", "C."));
    const branches = new BranchesPageObject(page);
    const { session } = bench;
    await bench.begin("First thing");
    await expect(session.conversation).toContainText("A.");
    await session.expectIdle();
    await session.sendMessage("Second thing");
    await expect(session.conversation).toContainText("B.");
    await session.expectIdle();

    await branches.openByKeys();
    await expect(branches.rows).toHaveCount(3);
    await expect(branches.rows.nth(2)).toBeFocused();
    await expect(branches.rows.nth(2)).toHaveAttribute("aria-current", "location");
    await page.keyboard.press("ArrowUp");
    await expect(branches.rows.nth(1)).toBeFocused();
    await branches.tree.getByRole("button", { name: "Bookmark this point" }).click();
    await branches.tree.getByRole("textbox").fill("the good one");
    await page.keyboard.press("Enter");
    await expect(branches.rows.nth(1)).toContainText("the good one");
    await branches.rows.nth(1).press("Enter");
    await expect(branches.tree).toHaveCount(0);
    await expect(session.conversation).not.toContainText("Second thing");
    await expect(session.userMessage("First thing")).toContainText("the good one");
    await expect(session.composer).toBeFocused();

    await session.sendMessage("Another second thing");
    await expect(session.conversation).toContainText("C.");
    await session.expectIdle();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: uiNames.commands });
    await palette.getByRole("combobox").fill("branches");
    await expect(palette.getByRole("option").first()).toContainText("branches");
    await palette.getByRole("combobox").press("Enter");
    await expect(branches.rows).toContainText([/Start/, /First thing/, /Second thing/, /Another second thing/]);
    await branches.tree.getByText("Bookmarked", { exact: true }).click();
    await expect(branches.rows).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(branches.tree).toHaveCount(0);
  },
);

ownServerTest(
  "queued messages survive a restart, and can be edited, removed and sent by the user",
  async ({ bench, page, model, server }) => {
    model.setScript({ turns: [{ text: "never", holdAfter: 0 }, { text: "To the edited one." }] });
    const branches = new BranchesPageObject(page);
    const { session } = bench;
    await bench.begin("Begin.");
    await expect(session.stop).toBeVisible();
    await session.sendMessage("Steer me");
    await expect(branches.queued("Steer me")).toContainText("At the next step");
    await session.composer.fill("Follow me");
    await session.composer.press("Alt+Enter");
    await expect(branches.queued("Follow me")).toContainText("After this run");
    await session.composer.fill("Forget me");
    await session.composer.press("Alt+Enter");
    await expect(session.queue).toHaveCount(3);

    await server.kill("SIGKILL");
    await bench.expectDisconnected();
    await server.restart();
    await bench.expectOnline();
    await expect(session.queue).toHaveCount(3);
    await branches.queued("Forget me").getByRole("button", { name: uiNames.removeQueued }).click();
    await expect(session.queue).toHaveCount(2);
    await branches.queued("Steer me").getByRole("button", { name: uiNames.editQueued }).click();
    const field = session.queue.getByRole("textbox", { name: uiNames.editQueued });
    await field.fill("Two lines\nof it");
    await field.press("Enter");
    await expect(branches.queued("Two lines")).toBeVisible();
    // The last one returns to the field.
    await session.composer.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(session.composer).toHaveValue("Follow me");
    await expect(session.queue).toHaveCount(1);
    await session.composer.fill("");
    await branches.queued("Two lines").getByRole("button", { name: "Send now" }).click();
    await expect(session.conversation).toContainText("To the edited one.");
    await session.expectIdle();
    await expect(session.queue).toHaveCount(0);
    expect(chatRequestBodies(model).at(-1)).toContain("Two lines\\nof it");
    await page.keyboard.press("ArrowUp");
    await expect(session.composer).toHaveValue("Two lines\nof it");
  },
);

test("Esc stops the run once; queued messages stay; the command menu rewinds and redoes", async ({
  bench,
  page,
  model,
}) => {
  model.setScript({ turns: [{ text: "Hello." }, { text: "never", holdAfter: 0 }] });
  const branches = new BranchesPageObject(page);
  const { session } = bench;
  await bench.begin("Say hello.");
  await expect(session.conversation).toContainText("Hello.");
  await session.expectIdle();
  await session.sendMessage("Go on for ever.");
  await expect(session.stop).toBeVisible();
  await session.sendMessage("Late words");
  await expect(branches.queued("Late words")).toBeVisible();
  await session.composer.press("Escape");
  await session.expectIdle();
  await expect(branches.queued("Late words")).toContainText("Waiting");
  await expect(branches.tree).toHaveCount(0);

  await session.composer.fill("/rew");
  await session.composer.press("Enter");
  await expect(session.conversation).not.toContainText("Go on for ever.");
  await expect(branches.banner).toBeVisible();
  await session.composer.fill("/re");
  await session.composer.press("ArrowDown");
  await session.composer.press("ArrowDown");
  await session.composer.press("Enter");
  await expect(session.conversation).toContainText("Go on for ever.");
  await expect(branches.banner).toHaveCount(0);
});
