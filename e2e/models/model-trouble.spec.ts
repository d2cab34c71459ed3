/**
 * States in which a model or its server misbehaves: each has a message and a remedy, and the user can continue from
 * there.
 */
import { onlyInFull } from "../fixtures/full-run";
import type { ScriptedModel, ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { uiNames } from "../pages/ui-names";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";

const requestBodies = (
  model: ScriptedModel,
): readonly { readonly think?: unknown; readonly options: { readonly num_ctx: number } }[] =>
  chatRequestBodies(model).map((raw) => JSON.parse(raw));
const grepTurn: ScriptedTurn = { toolCalls: [{ name: "grep", arguments: { pattern: "extension", path: "mime.js" } }] };

ownServerTest(
  "a prompt truncated by the server is reported with the figures, and the larger window is one click away",
  async ({ bench, model }) => {
    model.setScript({ turns: [{ text: "Short.", last: { prompt_eval_count: 300 } }, { text: "Whole." }] });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation).toContainText("it read 300");
    await session.expectIdle();
    const before = requestBodies(model).at(-1)?.options.num_ctx ?? 0;
    const raise = session.conversation.getByRole("button", { name: /^Raise to / });
    const label = (await raise.textContent()) ?? "";
    await raise.click();
    // The window of the model is stored when the next larger one is offered, or none.
    await expect(session.conversation.getByRole("button", { name: label, exact: true })).toHaveCount(0);
    await session.sendMessage("Again.");
    await expect(session.conversation.getByText("Whole.")).toBeVisible();
    expect(requestBodies(model).at(-1)?.options.num_ctx).toBe(before * 2);
  },
);

ownServerTest(
  "a model that does not fit offers the next smaller window, and the next request uses it",
  onlyInFull,
  async ({ bench, model }) => {
    model.setScript({
      turns: [
        { status: 500, error: "llama runner process has terminated: cudaMalloc failed: out of memory" },
        { text: "It fits now." },
      ],
    });
    const { session } = bench;
    await bench.begin("hi");
    const lower = session.conversation.getByRole("button", { name: /^Use a window of / });
    const label = (await lower.textContent()) ?? "";
    await lower.click();
    await expect(session.conversation.getByRole("button", { name: label, exact: true })).toHaveCount(0);
    const before = requestBodies(model)[0]?.options.num_ctx ?? 0;
    await session.conversation.getByRole("button", { name: "Continue" }).click();
    await expect(session.conversation.getByText("It fits now.")).toBeVisible();
    expect(requestBodies(model).at(-1)?.options.num_ctx).toBe(before / 2);
  },
);

test("endless thinking is cut off, and the model is asked again without it", async ({ bench, model }) => {
  // Words that never repeat: only their number counts.
  const thinking = Array.from({ length: 9_000 }, (_, index) => `thought${index * 7919}`).join(" ");
  model.setScript({ turns: [{ thinking, text: "never said" }, { text: "The short answer." }] });
  const { session } = bench;
  await bench.begin("Think about it.");
  await expect(session.conversation.getByText("The short answer.")).toBeVisible();
  await expect(session.conversation).toContainText("Retried without thinking.");
  await expect(session.conversation).not.toContainText("never said");
  expect(requestBodies(model).map(({ think }) => think)).toEqual([true, false]);
});

test("Answer now ends the thinking of this answer", onlyInFull, async ({ bench, model, page }) => {
  const thinking = Array.from({ length: 2_000 }, (_, index) => `thought${index * 7919}`).join(" ");
  model.setScript({ turns: [{ thinking, text: "never said", tps: 40 }, { text: "At that." }] });
  const { session } = bench;
  await bench.begin("Which one?");
  await page.getByRole("button", { name: "Answer now" }).click();
  await expect(session.conversation.getByText("At that.")).toBeVisible();
  await expect(session.conversation).toContainText("as you asked");
  await expect(session.conversation).not.toContainText("never said");
});

test("a loop pauses with the repeated call; Continue reports it to the model", async ({ bench, model }) => {
  model.setScript({ turns: [grepTurn, grepTurn, grepTurn, { text: "I try another way." }] });
  const { session } = bench;
  await bench.begin("Find it.");
  await expect(session.conversation).toContainText("3 times with the same result");
  await session.expectIdle();
  expect(chatRequestBodies(model)).toHaveLength(3);
  await session.resume.click();
  await expect(session.conversation.getByText("I try another way.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain("Do not do that again");
});

ownServerTest(
  "calls that arrive without their arguments are reported, and a click lets them be read from the text",
  async ({ bench, model }) => {
    const empty: ScriptedTurn = { toolCalls: [{ name: "read", arguments: {} }] };
    model.setScript({ turns: [empty, empty, { text: "I give up." }, { text: "I write them." }] });
    const { session } = bench;
    await bench.begin("Read it.");
    await session.expectIdle();
    const button = session.conversation.getByRole("button", { name: "Read calls from its text" });
    await button.click();
    await expect(button).toHaveCount(0);
    await session.sendMessage("Again.");
    await expect(session.conversation.getByText("I write them.")).toBeVisible();
    expect(chatRequestBodies(model).map((raw) => "tools" in JSON.parse(raw))).toEqual([true, true, true, false]);
  },
);

test("endlessly repeated text is stopped while it streams", onlyInFull, async ({ bench, model }) => {
  const line = "The file is now complete and correct. ";
  model.setScript({ turns: [{ text: line.repeat(2_000), tps: 4_000 }] });
  const { session } = bench;
  await bench.begin("Write.");
  await expect(session.conversation).toContainText("kept repeating the same words");
  await session.expectIdle();
  await model.waitFor((requests) => requests.some(({ path, end }) => path === "/api/chat" && end === "aborted"));
});

test(
  "a busy server is asked again after the time it named, with the seconds on screen",
  onlyInFull,
  async ({ bench, model }) => {
    model.setScript({
      turns: [
        {
          status: 503,
          error: "server busy, please try again. maximum pending requests exceeded",
          headers: { "retry-after": "20" },
        },
        { text: "Now it answers." },
      ],
    });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation).toContainText(/It asked to wait\. Trying again in \d+ s/);
    await expect(session.conversation.getByText("Now it answers.")).toBeVisible();
    // A wait that the server asked for is no failed attempt.
    await expect(session.conversation).not.toContainText("Retried");
  },
);

test("a compaction requested by the user opens, can be edited, and the model receives the edited text", async ({
  bench,
  model,
  page,
}) => {
  const reads = Array.from({ length: 12 }, (_, index) => ({
    text: `Part ${index}.`,
    toolCalls: [{ name: "read", arguments: { path: "mime.js", offset: 1 + index * 8, limit: 8 } }],
  }));
  model.setScript({
    turns: [...reads, { text: "Read." }, { text: "Yes, in German." }],
    side: { when: "Write the summary now", turn: { text: "1. Task state: the file was read." } },
  });
  const { session } = bench;
  await bench.begin("Read all of it.");
  await expect(session.conversation.getByText("Read.", { exact: true })).toBeVisible();
  await session.expectIdle();
  await session.sendMessage("/compact the language of the answer");
  await expect(session.conversation).toContainText("Compacted");
  const request = chatRequestBodies(model).at(-1) ?? "";
  expect(request).toContain("the language of the answer");
  await session.conversation.getByRole("button", { name: /^Compacted/ }).click();
  await expect(session.conversation).toContainText("the file was read");
  await session.conversation.getByRole("button", { name: "Edit summary" }).click();
  const field = session.conversation.getByRole("textbox");
  await field.fill("Answer in German.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(session.conversation).toContainText("Edited by you.");
  await session.sendMessage("Did you understand?");
  await expect(session.conversation.getByText("Yes, in German.")).toBeVisible();
  const last = chatRequestBodies(model).at(-1) ?? "";
  expect(last).toContain("Answer in German.");
  expect(last).not.toContain("the file was read");
  expect(last).toContain("Read all of it.");
});

test(
  "Esc closes the command menu during a run without stopping the run",
  onlyInFull,
  async ({ bench, model, page }) => {
    model.setScript({ turns: [{ text: "Half of it. ", holdAfter: 0 }] });
    const { session } = bench;
    await bench.begin("Begin.");
    await expect(session.stop).toBeVisible();
    const menu = page.getByRole("listbox", { name: uiNames.commands });
    await session.composer.fill("/co");
    await expect(menu.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
    await expect(session.composer).toHaveValue("/co");
    model.release();
    await expect(session.conversation.getByText("Half of it.")).toBeVisible();
    await session.expectIdle();
    await expect(session.conversation).not.toContainText("Stopped");
  },
);

test("of two sessions at one server the second shows its queue position, and can go first", async ({
  bench,
  context,
  model,
  server,
}) => {
  model.setScript({
    turns: [{ text: "First.", holdAfter: 0 }, { text: "The third went before." }, { text: "The second came last." }],
  });
  await bench.begin("one");
  await model.waitFor((requests) => requests.some(({ path }) => path === "/api/chat"));
  const open = async (text: string) => {
    const tab = bench.inTab(await context.newPage());
    await tab.open(`${server.origin}/`);
    await tab.begin(text);
    return tab;
  };
  const second = await open("two");
  await expect(second.session.root).toContainText("behind 1 request");
  const third = await open("three");
  await expect(third.session.root).toContainText("behind 2 requests");
  await third.page.getByRole("button", { name: "Run first" }).click();
  await expect(second.session.root).toContainText("behind 2 requests");
  model.release();
  await expect(third.session.conversation.getByText("The third went before.")).toBeVisible();
  await expect(second.session.conversation.getByText("The second came last.")).toBeVisible();
});

ownServerTest(
  "a string that is not a URL is refused with the reason, and a URL without a server is tried",
  onlyInFull,
  async ({ page, server, model }) => {
    await model.close();
    await page.goto(server.origin);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Use another address" }).click();
    const field = page.getByRole("textbox", { name: "Model server address" });
    await field.fill("not a url");
    await page.getByRole("button", { name: "Use this address" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This is not an address: not a url." })).toBeVisible();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill("127.0.0.1:9");
    await expect(field).not.toHaveAttribute("aria-invalid");
    await page.getByRole("button", { name: "Use this address" }).click();
    await expect(page.getByText("127.0.0.1:9")).toBeVisible();
  },
);
