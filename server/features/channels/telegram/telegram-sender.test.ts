import { expect, test } from "vitest";
import { makeTelegramPace } from "./telegram-pace";
import { neverAborted } from "@/server/base/abort";
import { ada, startTestTelegram, tooMany } from "./test-telegram";

const chatId = String(ada.id);
const statusFault = (status: number, words: string) => ({ kind: "status", status, words }) as const;

test("messages arrive in the order of the calls, formatted, without previews, with their buttons", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  const texts = Array.from({ length: 5 }, (_, index) => `**message** ${index}`);
  const buttons = [[{ label: "Allow once", value: "nonce" }]];
  const answers = await Promise.all([
    ...texts.map((text) => channel.send({ chatId, text }, signal)),
    channel.send({ chatId, text: "Card", buttons }, signal),
  ]);
  expect(answers.map((answer) => answer.ok && answer.value.messageId)).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(bot.messages(ada.id).map(({ text }) => text)).toEqual([
    ...texts.map((_, index) => `message ${index}`),
    "Card",
  ]);
  expect(bot.messages(ada.id)[0]?.source).toBe("<b>message</b> 0");
  expect(bot.messages(ada.id)[5]?.buttons).toEqual([[{ text: "Allow once", callback_data: "nonce" }]]);
  const sent = bot.requests.filter(({ method }) => method === "sendMessage");
  expect(sent.map(({ payload }) => payload.link_preview_options)).toEqual(sent.map(() => ({ is_disabled: true })));
});

test("a text whose HTML is refused is sent as it is", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  bot.fail("sendMessage", statusFault(400, "Bad Request: can't parse entities"));
  await channel.send({ chatId, text: "**a** <b>" }, signal);
  expect(bot.messages(ada.id).map(({ source }) => source)).toEqual(["**a** <b>"]);
});

test("a message is changed in place with its buttons, and a change to the same is a success", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  await channel.send({ chatId, text: "Allow?", buttons: [[{ label: "Deny", value: "n" }]] }, signal);
  const change = { chatId, text: "*Denied* by Ada", replaces: "1" };
  expect(await channel.send(change, signal)).toEqual({ ok: true, value: { messageId: "1" } });
  expect(await channel.send(change, signal)).toEqual({ ok: true, value: { messageId: "1" } });
  expect(bot.messages(ada.id)).toMatchObject([{ text: "Denied by Ada", buttons: [] }]);
});

test.each([
  [403, "Forbidden: bot was blocked by the user", "not_allowed"],
  [400, "Bad Request: chat not found", "not_allowed"],
  [400, "Bad Request: BUTTON_DATA_INVALID", "bad_input"],
])("status %i ends a message for good: %s", async (status, words, code) => {
  const { bot, channel, signal } = await startTestTelegram();
  bot.refuse("sendMessage", { status, words });
  expect(await channel.send({ chatId, text: "hello" }, signal)).toMatchObject({
    ok: false,
    error: { code, detail: words },
  });
  expect(bot.requests.filter(({ method }) => method === "sendMessage")).toHaveLength(1);
});

test.each([
  ["too many requests", tooMany],
  ["an error of the server", statusFault(500, "Internal Server Error")],
  ["a closed connection", { kind: "cut", isPerformed: false } as const],
  ["a refused token", statusFault(401, "Unauthorized")],
  ["a dead connection", { kind: "silent" } as const],
  ["a slow answer", { kind: "slow", ms: 30 } as const],
])("after %s the message is sent once, before the next one", async (_name, fault) => {
  const { bot, channel, signal } = await startTestTelegram({
    timings: { requestMs: fault.kind === "silent" ? 100 : 2_000 },
  });
  bot.fail("sendMessage", fault);
  await Promise.all(["one", "two"].map((text) => channel.send({ chatId, text }, signal)));
  expect(bot.messages(ada.id).map(({ text }) => text)).toEqual(["one", "two"]);
});

test("the wait that the server requests also holds an edit", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  await channel.send({ chatId, text: "one" }, signal);
  bot.fail("editMessageText", tooMany, tooMany);
  const begun = performance.now();
  await channel.send({ chatId, text: "two", replaces: "1" }, signal);
  // Twice 3 "seconds" of 20 ms.
  expect(performance.now() - begun).toBeGreaterThan(110);
  expect(bot.messages(ada.id)).toMatchObject([{ text: "two" }]);
});

test("an aborted message is not sent any more, and the next one is", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  bot.refuse("sendMessage", { status: 500, words: "down" });
  const controller = new AbortController();
  const first = channel.send({ chatId, text: "one" }, controller.signal);
  const second = channel.send({ chatId, text: "two" }, controller.signal);
  const third = channel.send({ chatId, text: "three" }, signal);
  await bot.until(() => bot.requests.filter(({ method }) => method === "sendMessage").length > 2);
  controller.abort();
  expect(await first).toMatchObject({ error: { code: "aborted" } });
  expect(await second).toMatchObject({ error: { code: "aborted" } });
  bot.refuse("sendMessage", null);
  await third;
  expect(bot.messages(ada.id).map(({ text }) => text)).toEqual(["three"]);
});

test("a file is sent with a short text below it, or after a long one", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  const file = { name: 'rep"ort;\n.txt', bytes: Buffer.from("中文\r\n--x\r\n\0") };
  await channel.send({ chatId, text: "The *report*", file }, signal);
  await channel.send({ chatId, text: `Long ${"x".repeat(2_000)}`, file }, signal);
  const [short, long, after] = bot.messages(ada.id);
  expect(short).toMatchObject({ text: "The report", file: { name: "rep_ort__.txt", bytes: file.bytes } });
  expect(long?.text).toHaveLength(2_005);
  expect(after).toMatchObject({ text: "", file: { bytes: file.bytes } });
});

test("a chat gets one message in its interval, and all chats together one in theirs", async () => {
  const pace = makeTelegramPace({ chatPaceMs: 60, allPaceMs: 15 });
  const times: Record<string, number[]> = {};
  const begun = performance.now();
  const take = async (chat: string): Promise<void> => {
    await pace.take(chat, neverAborted);
    (times[chat] ??= []).push(performance.now() - begun);
  };
  await Promise.all(["a", "a", "b", "b", "c"].map(take));
  const gaps = (list: readonly number[]) => list.slice(1).map((time, index) => time - (list[index] ?? 0));
  expect(Math.min(...gaps(times.a ?? []), ...gaps(times.b ?? []))).toBeGreaterThan(58);
  const all = Object.values(times).flat();
  expect(Math.min(...gaps(all.toSorted((one, other) => one - other)))).toBeGreaterThan(13);
});
