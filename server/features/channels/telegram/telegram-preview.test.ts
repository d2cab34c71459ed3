import { expect, test } from "vitest";
import { ada, startOnline, tooMany } from "./test-telegram";

const chatId = String(ada.id);
const methods = ["sendMessageDraft", "sendMessage", "editMessageText", "deleteMessage"];

test("drafts show the newest text, at the pace of the chat", async () => {
  const { bot, channel } = await startOnline({ timings: { chatPaceMs: 30 } });
  let text = "";
  for (let index = 0; index < 50; index += 1) {
    text += `word${index} `;
    channel.show(chatId, text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await bot.until(() => bot.chats.drafts.get(chatId) === text);
  const drafts = bot.requests.filter(({ method }) => method === "sendMessageDraft");
  expect(drafts.length).toBeLessThan(25);
  expect(new Set(drafts.map(({ payload }) => payload.draft_id)).size).toBe(1);
  expect(drafts[0]?.payload.draft_id).not.toBe(0);
});

test("the end of a long answer is shown, from the beginning of a line", async () => {
  const { bot, channel } = await startOnline();
  channel.show(chatId, `${"a line of text\n".repeat(600)}the **end**`);
  await bot.until(() => bot.chats.drafts.has(chatId));
  expect(bot.chats.drafts.get(chatId)).toMatch(/^a line of text\n[^]*the end$/);
});

test("another answer has another draft", async () => {
  const { bot, channel } = await startOnline();
  channel.show(chatId, "one");
  await bot.until(() => bot.chats.drafts.get(chatId) === "one");
  channel.show(chatId, null);
  channel.show(chatId, "two");
  await bot.until(() => bot.chats.drafts.get(chatId) === "two");
  const drafts = bot.requests.filter(({ method }) => method === "sendMessageDraft");
  expect(new Set(drafts.map(({ payload }) => payload.draft_id)).size).toBe(2);
});

test.each([
  ["a group, which has no drafts", null],
  ["a server without drafts", { status: 404, words: "Not Found: method not found" }],
  ["a chat whose drafts are refused", { status: 400, words: "Bad Request: TEXTDRAFT_PEER_INVALID" }],
])("%s shows one message that is edited, and removed at the end", async (_name, refusal) => {
  const { bot, channel } = await startOnline();
  const chat = refusal === null ? -100 : ada.id;
  bot.refuse("sendMessageDraft", refusal);
  const begin = "The first forty characters of an answer. ";
  channel.show(String(chat), begin);
  await bot.until(() => bot.messages(chat)[0]?.text === begin);
  channel.show(String(chat), `${begin}Too few.`);
  const more = `${begin}These are at least forty new characters, so it is edited.`;
  channel.show(String(chat), more);
  await bot.until(() => bot.messages(chat)[0]?.text === more);
  channel.show(String(chat), "The next part.");
  await bot.until(() => bot.messages(chat)[0]?.text === "The next part.");
  channel.show(String(chat), null);
  await bot.until(() => bot.messages(chat).length === 0);
  const edits = bot.requests.filter(({ method }) => method === "editMessageText");
  expect(edits.map(({ payload }) => payload.text)).toEqual([more, "The next part."]);
  expect(bot.requests.filter(({ method }) => method === "sendMessageDraft")).toHaveLength(1);
});

test("a message that is sent while its answer ends is removed as well", async () => {
  const { bot, channel } = await startOnline();
  bot.refuse("sendMessageDraft", { status: 400, words: "Bad Request" });
  bot.fail("sendMessage", { kind: "slow", ms: 50 });
  channel.show(chatId, "x".repeat(60));
  await bot.until(() => bot.requests.some(({ method }) => method === "sendMessageDraft"));
  while (!bot.requests.some(({ method }) => method === "sendMessage"))
    await new Promise((resolve) => setImmediate(resolve));
  channel.show(chatId, null);
  await bot.until(() => bot.requests.some(({ method }) => method === "deleteMessage"));
  expect(bot.messages(ada.id)).toEqual([]);
});

test("too many requests only delay what is shown, and the final message comes after the wait", async () => {
  const { bot, channel, signal } = await startOnline();
  bot.fail("sendMessageDraft", tooMany);
  channel.show(chatId, "an answer");
  await bot.until(() => bot.requests.some(({ method }) => method === "sendMessageDraft"));
  const begun = performance.now();
  await channel.send({ chatId, text: "final" }, signal);
  expect(performance.now() - begun).toBeGreaterThan(40);
  expect(bot.messages(ada.id)).toMatchObject([{ text: "final" }]);
});

test("without a connection what is shown is skipped, and the next text is shown", async () => {
  const { bot, channel } = await startOnline();
  bot.fail(
    "sendMessageDraft",
    { kind: "cut", isPerformed: false },
    { kind: "status", status: 502, words: "Bad Gateway" },
  );
  for (const text of ["one", "two", "three"]) {
    const count = bot.requests.length;
    channel.show(chatId, text);
    await bot.until(() => bot.requests.slice(count).some(({ method }) => methods.includes(method)));
  }
  await bot.until(() => bot.chats.drafts.get(chatId) === "three");
});
