import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { ReceivedFile } from "../channel";
import { ada, startBot, startOnline, startTestTelegram, tooMany } from "./test-telegram";

const received = (reference: string, size?: number): ReceivedFile => ({
  reference,
  name: "a.png",
  mediaType: "image/png",
  isPhoto: false,
  ...(size === undefined ? {} : { size }),
});

test("a file is loaded from the server of the Bot API, after the wait that it requests", async () => {
  const { bot, channel, signal } = await startTestTelegram();
  const bytes = Buffer.from([0, 255, 1, 254]);
  bot.files.set("f1", { path: "photos/file #1.png", bytes });
  bot.fail("getFile", tooMany);
  expect(await channel.load(received("f1"), signal)).toEqual({ ok: true, value: bytes });
});

test.each([
  ["an unknown file", received("none"), "not_found"],
  ["a file that is named too large", received("f1", 30_000_000), "too_large"],
  ["a file that the server names too large", received("large"), "too_large"],
  ["a file that is longer than its size", received("longer"), "too_large"],
  ["a file outside of the server's folder", received("outside"), "not_found"],
  ["a file on the disk of the server", received("absolute"), "not_found"],
])("%s is not loaded", async (_name, file, code) => {
  const { bot, channel, signal } = await startTestTelegram();
  const bytes = Buffer.alloc(10);
  bot.files.set("large", { path: "a", bytes, size: 30_000_000 });
  bot.files.set("longer", { path: "b", bytes: Buffer.alloc(20_000_001), size: 10 });
  bot.files.set("outside", { path: "../secret", bytes });
  bot.files.set("absolute", { path: "/var/lib/telegram/a", bytes });
  expect(await channel.load(file, signal)).toMatchObject({ ok: false, error: { code } });
});

test("a server that is away or does not answer is named as the reason", async () => {
  const { bot, channel, signal } = await startTestTelegram({ timings: { requestMs: 50 } });
  bot.fail("getFile", { kind: "silent" });
  expect(await channel.load(received("f1"), signal)).toMatchObject({ error: { code: "timeout" } });
  await bot.close();
  expect(await channel.load(received("f1"), signal)).toMatchObject({ error: { code: "server_unreachable" } });
});

test("the token is in no state, result, update or line of the log, whatever fails", async () => {
  const bot = await startBot();
  const words = `Bad Request: https://api.example/bot${bot.token}/x`;
  const { channel, signal, states, updates, log, until } = await startOnline({ bot, timings: { deadPollMs: 300 } });
  const results: unknown[] = [];
  bot.fail("getUpdates", { kind: "status", status: 418, words }, { kind: "status", status: 500, words });
  bot.fail("getUpdates", { kind: "cut", isPerformed: true }, { kind: "foreign", status: 302 }, { kind: "silent" });
  await until(() => states.filter(({ kind }) => kind === "waiting").length > 4);
  await until(() => states.at(-1)?.kind === "online");
  bot.write(ada, "hello");
  await until(() => updates.length === 1);
  bot.refuse("sendMessage", { status: 400, words });
  results.push(await channel.send({ chatId: "7", text: "*a*" }, signal));
  bot.fail("getFile", { kind: "status", status: 400, words });
  results.push(await channel.load(received("f1"), signal));
  bot.files.set("f1", { path: "a", bytes: Buffer.from("x") });
  await bot.close();
  results.push(await channel.load(received("f1"), signal));
  await until(() => states.at(-1)?.kind === "waiting");
  const all = inspect({ channel, states, results, updates, log }, { depth: Infinity, showHidden: true });
  expect(all).not.toContain(bot.token);
  expect(all).not.toContain(bot.token.split(":")[1]);
  expect(all).toContain("418");
});

test("an address that is none is reported without the token", async () => {
  const { makeTelegramChannel } = await import("./telegram-channel");
  const channel = makeTelegramChannel({ token: "1:secret", apiAddress: "no address", now: Date.now, log: () => {} });
  const answer = await channel.load(received("f1"), new AbortController().signal);
  expect(answer).toMatchObject({ error: { code: "server_unreachable" } });
  expect(inspect(answer, { depth: Infinity })).not.toContain("secret");
});
