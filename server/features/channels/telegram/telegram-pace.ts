/** Keeps the pace that Telegram allows: of one chat, and of all together. */
import { pause } from "@/server/base/abort";
import type { TelegramTimings } from "./telegram-timings";

export interface TelegramPace {
  /** Waits until the chat may get something, and counts it; false = the signal has fired. */
  take(chatId: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the time until the chat may get its next request, ms. */
  waitMs(chatId: string): number;
  /** Nothing is sent to the chat for this time, ms. */
  hold(chatId: string, ms: number): void;
}

/** Chats that may get something at once are removed when there are more than this. */
const chatsMax = 1_000;

export function makeTelegramPace({
  chatPaceMs,
  allPaceMs,
}: Pick<TelegramTimings, "chatPaceMs" | "allPaceMs">): TelegramPace {
  /** By `performance.now()`. */
  const readyAt = new Map<string, number>();
  let allReadyAt = 0;
  const waitMs = (chatId: string): number =>
    Math.max(0, Math.max(allReadyAt, readyAt.get(chatId) ?? 0) - performance.now());
  const hold = (chatId: string, ms: number): void => {
    if (readyAt.size > chatsMax) for (const [id] of readyAt) if (waitMs(id) === 0) readyAt.delete(id);
    readyAt.set(chatId, Math.max(readyAt.get(chatId) ?? 0, performance.now() + ms));
  };
  return {
    waitMs,
    hold,
    async take(chatId, signal) {
      // Others may have taken their turn during the wait.
      for (let wait = waitMs(chatId); wait > 0; wait = waitMs(chatId)) if (!(await pause(wait, signal))) return false;
      if (signal.aborted) return false;
      allReadyAt = performance.now() + allPaceMs;
      hold(chatId, chatPaceMs);
      return true;
    },
  };
}
