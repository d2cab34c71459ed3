import { expect, test } from "vitest";
import { longestHoldMs } from "@/lib/testing/test-cpu";
import { ada, eve, startBot, startOnline, startTestTelegram, tooMany } from "./test-telegram";

const idsOf = (updates: readonly { readonly updateId: string }[]) => updates.map(({ updateId }) => Number(updateId));

test("the channel is online with the name and the address of the bot", async () => {
  const { states } = await startOnline();
  expect(states).toEqual([
    { kind: "connecting" },
    { kind: "online", name: "@gopi_test_bot", address: "https://t.me/gopi_test_bot?start=" },
  ]);
});

test("messages and presses are passed with their chat and the person who acted", async () => {
  const { bot, updates, until } = await startOnline();
  const group = { id: -100, type: "supergroup" };
  const sentAt = 1_700_000_000_000;
  bot.write(ada, "/start abc", { sentAt });
  bot.write(eve, "in a group", { chat: group });
  await bot.chats.send({ chat_id: ada.id, text: "Allow?" });
  const [card] = bot.messages(ada.id);
  if (card !== undefined) bot.press(eve, "nonce", card, { chat: group });
  await until(() => updates.length === 3);
  expect(updates).toMatchObject([
    { kind: "message", text: "/start abc", sentAt, chatId: "7", isPrivate: true, sender: { id: "7", name: "Ada" } },
    { kind: "message", text: "in a group", chatId: "-100", isPrivate: false, sender: { id: "666" } },
    { kind: "press", value: "nonce", messageId: "1", chatId: "-100", isPrivate: false, sender: { id: "666" } },
  ]);
});

test("photos and documents are passed as files, everything else is only confirmed", async () => {
  const { bot, updates, until } = await startOnline();
  const chat = { id: ada.id, type: "private" };
  const message = { message_id: 5, date: 1, chat, from: ada };
  const sizes = [
    { file_id: "big", file_size: 900 },
    { file_id: "small", file_size: 90 },
  ];
  bot.updates.add({ edited_message: { ...message, text: "edited" } });
  bot.updates.add({ message: { ...message, sticker: { file_id: "s" } } });
  bot.updates.add({ message: { text: 5 } });
  bot.updates.add({ message: { ...message, caption: "look", photo: sizes } });
  const document = { file_id: "d", file_name: "a.pdf", mime_type: "application/pdf", file_size: 10 };
  bot.updates.add({ message: { ...message, document } });
  await until(() => updates.length === 2);
  await bot.until(() => bot.updates.waiting.length === 0);
  expect(updates).toMatchObject([
    { text: "look", files: [{ reference: "big", mediaType: "image/jpeg", size: 900, isPhoto: true }] },
    { text: "", files: [{ reference: "d", name: "a.pdf", mediaType: "application/pdf", size: 10, isPhoto: false }] },
  ]);
});

test("an update is confirmed after it was stored", async () => {
  let resolve = (): void => {};
  const stored = new Promise<void>((done) => (resolve = done));
  const bot = await startBot();
  const first = bot.write(ada, "one");
  const { updates } = await startTestTelegram({ bot, received: () => stored });
  await bot.until(() => bot.requests.some(({ method }) => method === "getUpdates"));
  expect(bot.updates.waiting).toMatchObject([{ update_id: first }]);
  resolve();
  await bot.until(() => bot.updates.waiting.length === 0);
  expect(idsOf(updates)).toEqual([first]);
});

test("updates that could not be stored are received again, in whatever order they come", async () => {
  const bot = await startBot();
  for (const number of [205, 203, 203, 204]) bot.write(ada, `text ${number}`, { update_id: number });
  let isFull = true;
  const received = async ({ updateId }: { readonly updateId: string }) => {
    if (updateId !== "203" || !isFull) return;
    isFull = false;
    throw new Error("disk full");
  };
  const { states, updates } = await startTestTelegram({ bot, received });
  await bot.until(() => bot.updates.waiting.length === 0);
  expect(idsOf(updates)).toEqual([205, 205, 203, 203, 204]);
  expect(states).toContainEqual(expect.objectContaining({ kind: "waiting", error: { code: "store_failed" } }));
});

test("10,000 waiting updates are stored in order and never hold the event loop", async () => {
  const prepare = async () => {
    const bot = await startBot();
    for (let index = 0; index < 10_000; index += 1) bot.write(ada, `text ${index} ${"x".repeat(200)}`);
    const { updates, until } = await startTestTelegram({ bot });
    await until(() => updates.length > 0);
    return async (): Promise<void> => {
      await bot.until(() => bot.updates.waiting.length === 0);
      expect(idsOf(updates)).toEqual(Array.from({ length: 10_000 }, (_, index) => 100 + index));
    };
  };
  expect(await longestHoldMs(prepare, 50)).toBeLessThan(50);
});

test("updates that are stored without waiting do not hold the event loop", async () => {
  const prepare = async () => {
    const bot = await startBot();
    for (let index = 0; index < 100; index += 1) bot.write(ada, `text ${index}`);
    const received = async (): Promise<void> => {
      const end = performance.now() + 2;
      while (performance.now() < end);
    };
    const { updates, until } = await startTestTelegram({ bot, received });
    await until(() => updates.length > 0);
    return () => until(() => updates.length === 100);
  };
  expect(await longestHoldMs(prepare, 50)).toBeLessThan(50);
});

test("a bot with a webhook is left alone until the owner takes it over", async () => {
  const bot = await startBot();
  bot.updates.webhook = "https://hooks.example/secret-path";
  const { states, ended } = await startTestTelegram({ bot });
  await ended;
  expect(states.at(-1)).toMatchObject({
    kind: "stopped",
    error: { code: "conflict", facts: { why: "webhook", host: "hooks.example" } },
  });
  expect(bot.requests.map(({ method }) => method)).toEqual(["getMe", "getWebhookInfo"]);
  await startOnline({ bot, takeOver: true });
  expect(bot.updates.webhook).toBe("");
});

test("a webhook that another program sets later stops the channel", async () => {
  const { bot, states, ended } = await startOnline();
  bot.updates.webhook = "https://hooks.example/";
  await ended;
  expect(states.at(-1)).toMatchObject({ kind: "stopped", error: { facts: { why: "webhook" } } });
});

test("a token that the server refuses stops the channel with the reason", async () => {
  const { states, ended } = await startTestTelegram({ token: "1:wrong" });
  await ended;
  expect(states.at(-1)).toMatchObject({ kind: "stopped", error: { code: "key_refused", detail: "Unauthorized" } });
});

test("a token that is revoked later stops the channel", async () => {
  const { bot, states, ended } = await startOnline();
  bot.refuse("getUpdates", { status: 401, words: "Unauthorized" });
  await ended;
  expect(states.at(-1)).toMatchObject({ kind: "stopped", error: { code: "key_refused" } });
});

test("while another program polls the bot, the channel waits longer and longer", async () => {
  const { bot, states, until } = await startOnline();
  bot.refuse("getUpdates", { status: 409, words: "Conflict: terminated by other getUpdates request" });
  const waits = () => states.flatMap((state) => (state.kind === "waiting" ? [state] : []));
  await until(() => waits().length === 5);
  expect(waits()).toEqual(
    waits().map(() =>
      expect.objectContaining({
        error: expect.objectContaining({ code: "conflict", facts: { why: "other_program" } }),
      }),
    ),
  );
  bot.refuse("getUpdates", null);
  await until(() => states.at(-1)?.kind === "online");
  bot.write(ada, "here again");
  await bot.until(() => bot.updates.waiting.length === 0);
});

const statusFault = (status: number, words: string) => ({ kind: "status", status, words }) as const;

test.each([
  ["a refusal because of too many requests", tooMany, "server_busy"],
  ["an error of the server", statusFault(502, "Bad Gateway"), "server_error"],
  ["a closed connection", { kind: "cut", isPerformed: false } as const, "connection_lost"],
  ["half an answer", { kind: "cut", isPerformed: true } as const, "connection_lost"],
  ["the page of another program", { kind: "foreign", status: 200 } as const, "wrong_address"],
  ["the page of a gateway", { kind: "foreign", status: 504 } as const, "server_error"],
  ["a dead connection", { kind: "silent" } as const, "timeout"],
])("after %s the channel waits, then polls again", async (_name, fault, code) => {
  const { bot, states, updates, until } = await startOnline({ timings: { deadPollMs: 300 } });
  bot.fail("getUpdates", fault);
  await until(() => states.at(-1)?.kind === "waiting");
  expect(states.at(-1)).toMatchObject({ kind: "waiting", error: { code }, retryAt: expect.any(Number) });
  const number = bot.write(ada, "hello");
  await until(() => updates.length === 1);
  expect(states.at(-1)?.kind).toBe("online");
  expect(idsOf(updates)).toEqual([number]);
});

test("the channel is online again when the server is back", async () => {
  const { bot, states, until } = await startOnline();
  await bot.close();
  await until(() => states.filter(({ kind }) => kind === "waiting").length > 3);
  expect(states.at(-1)).toMatchObject({ error: { code: "server_unreachable" } });
  await bot.listen();
  await until(() => states.at(-1)?.kind === "online");
});

test("a press is acknowledged, also when the server refuses that", async () => {
  const { bot, updates, until } = await startOnline();
  bot.chats.send({ chat_id: ada.id, text: "Allow?" });
  const [card] = bot.messages(ada.id);
  if (card === undefined) throw new Error("no card");
  bot.press(ada, "n1", card);
  bot.press(ada, "n2", card);
  await until(() => updates.length === 2);
  bot.fail("answerCallbackQuery", statusFault(400, "Bad Request: query is too old"));
  for (const update of updates) if (update.kind === "press") await update.acknowledge("Allowed");
  expect(bot.notices).toEqual(["Allowed"]);
});
