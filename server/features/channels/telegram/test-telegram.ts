/** A Telegram channel at a Bot API on this machine, for tests: short durations, and everything it reports. */
import { onTestFinished } from "vitest";
import { type BotApiServer, type BotFault, startBotApiServer } from "@/e2e/fixtures/telegram/bot-api-server";
import type { Channel, ChannelReceiver, ChannelState, ReceivedUpdate } from "../channel";
import { makeTelegramChannel, type TelegramChannelOptions } from "./telegram-channel";
import type { TelegramTimings } from "./telegram-timings";

export const ada = { id: 7, first_name: "Ada" };
export const eve = { id: 666, first_name: "Eve" };

/** Long enough that a wait is visible, short enough for a test. */
const shortTimings: TelegramTimings = {
  pollMs: 200,
  deadPollMs: 1_000,
  requestMs: 1_000,
  previewMs: 1_000,
  fileMs: 2_000,
  backOffMs: 5,
  backOffMaxMs: 40,
  conflictMs: 10,
  conflictMaxMs: 80,
  chatPaceMs: 5,
  allPaceMs: 1,
  editPaceMs: 10,
  secondMs: 20,
};

export const tooMany: BotFault = {
  kind: "status",
  status: 429,
  words: "Too Many Requests: retry after 3",
  retryAfter: 3,
};

interface TestTelegram {
  readonly bot: BotApiServer;
  readonly channel: Channel;
  readonly updates: ReceivedUpdate[];
  readonly states: ChannelState[];
  readonly log: string[];
  /** Ended by the test, or when it is finished. */
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  /** Resolves when the channel has ended. */
  readonly ended: Promise<void>;
  /** Resolves as soon as the condition is true, which is checked after each report. */
  until(condition: () => boolean): Promise<void>;
}

interface TestTelegramOptions extends Partial<Pick<TelegramChannelOptions, "takeOver" | "timings">> {
  readonly bot?: BotApiServer;
  readonly token?: string;
  /** Stores an update; absent = at once. */
  readonly received?: ChannelReceiver["received"];
}

export async function startBot(): Promise<BotApiServer> {
  const bot = await startBotApiServer();
  onTestFinished(() => bot.close());
  return bot;
}

/** Starts a channel that has not polled yet. */
export async function startTestTelegram(options: TestTelegramOptions = {}): Promise<TestTelegram> {
  const { bot = await startBot(), token = bot.token, takeOver, received, timings } = options;
  const updates: ReceivedUpdate[] = [];
  const states: ChannelState[] = [];
  const log: string[] = [];
  const waits = new Set<{ readonly condition: () => boolean; readonly resolve: () => void }>();
  const check = (): void => {
    for (const wait of waits) if (wait.condition()) wait.resolve();
  };
  const channel = makeTelegramChannel({
    token,
    apiAddress: bot.address,
    takeOver,
    timings: { ...shortTimings, ...timings },
    now: Date.now,
    log: (line) => log.push(line),
  });
  const controller = new AbortController();
  const { signal } = controller;
  const receiver: ChannelReceiver = {
    async received(update) {
      await received?.(update);
      updates.push(update);
      check();
    },
    stateChanged(state) {
      states.push(state);
      check();
    },
  };
  const ended = channel.start(receiver, signal);
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (condition()) resolve();
      else waits.add({ condition, resolve });
    });
  return { bot, channel, updates, states, log, controller, signal, ended, until };
}

/** Starts a channel and waits until it receives. */
export async function startOnline(options: TestTelegramOptions = {}): Promise<TestTelegram> {
  const telegram = await startTestTelegram(options);
  await telegram.until(() => telegram.states.at(-1)?.kind === "online");
  return telegram;
}
