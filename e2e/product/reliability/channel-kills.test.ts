/** The server is killed around a message from a messenger: the message is done once, and its answer arrives. */
import { onTestFinished } from "vitest";
import { callCommand } from "../../fixtures/call-command";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { readHomeFiles } from "../../fixtures/home-files";
import { expect, test } from "../../fixtures/product-test";
import { readLoggedEvents } from "../../fixtures/stored-log";
import { type BotApiServer, startBotApiServer } from "../../fixtures/telegram/bot-api-server";
import type { TestServer } from "../../fixtures/server";

const ada = { id: 7, first_name: "Ada" };
const kind = "telegram";
const rounds = isFullRun ? 100 : 6;
/** Requests of the server after a message until it is killed: none, the confirmation, an answer. */
const moments = 3;

async function pairAda(server: TestServer, bot: BotApiServer): Promise<void> {
  await callCommand(server, "channels.set", { kind, apiAddress: bot.address });
  await callCommand(server, "channels.set_token", { kind, token: bot.token });
  await callCommand(server, "channels.set", { kind, isOn: true });
  const connection = async () => (await callCommand(server, "channels.list", {})).channels[0]?.connection.kind;
  await expect.poll(connection).toBe("online");
  const { link } = await callCommand(server, "channels.pair", { kind });
  bot.write(ada, `/start ${new URL(link).searchParams.get("start") ?? ""}`);
  await bot.until(() => bot.messages(ada.id).length === 1);
}

test("after kills each message is done once, and its answer arrives", { timeout: longTestMs }, async ({
  model,
  server,
}) => {
  // A run that a kill interrupted has taken one of them.
  model.setScript({ turns: Array.from({ length: 2 * rounds }, (_, index) => ({ text: `Answer ${index}.` })) });
  const bot = await startBotApiServer();
  onTestFinished(() => bot.close());
  await pairAda(server, bot);
  const commandIds: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [messages, requests] = [bot.messages(ada.id).length, bot.requests.length];
    commandIds.push(`${kind}-${bot.write(ada, `message ${round}`)}`);
    await bot.until(() => bot.requests.length >= requests + (round % moments));
    await server.kill("SIGKILL");
    await server.restart();
    await bot.until(() => bot.messages(ada.id).length > messages && bot.updates.waiting.length === 0);
  }
  const { channels } = await callCommand(server, "channels.list", {});
  const { stdout, stderr } = await server.kill("SIGTERM");
  const log = readLoggedEvents(server.home, channels[0]?.people[0]?.sessionId ?? "");
  const done = log.flatMap(({ event }) =>
    event.type === "message_start" && event.role === "user" ? event.commandId : [],
  );
  expect(done).toEqual(commandIds);
  const answers = bot.messages(ada.id).flatMap(({ text }) => /^Answer \d+/.exec(text) ?? []);
  expect(new Set(answers).size).toBe(answers.length);
  expect(bot.messages(ada.id).length).toBeGreaterThan(rounds);
  for (const text of [stdout, stderr, ...readHomeFiles(server.home)]) expect(text).not.toContain(bot.token);
});
