/** Telegram as a channel: a bot of the owner, whose updates are polled. */
import { fail, ok, type Result } from "@/lib/events/error";
import { neverAborted, pause } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import type { Channel, ChannelCapabilities, ReceivedFile } from "../channel";
import { makeTelegramClient, type TelegramAnswer, type TelegramClient } from "./telegram-client";
import { makeTelegramPace } from "./telegram-pace";
import { pollTelegram } from "./telegram-poller";
import { makeTelegramPreview } from "./telegram-preview";
import { makeTelegramSender } from "./telegram-sender";
import { type TelegramTimings, telegramTimings } from "./telegram-timings";

export interface TelegramChannelOptions {
  /** A secret. */
  readonly token: string;
  /** Address of the Bot API. */
  readonly apiAddress: string;
  /** Whether a webhook of the bot may be removed; absent = no. */
  readonly takeOver?: boolean;
  readonly timings?: Partial<TelegramTimings>;
  /** ms epoch */
  now(): number;
  log(line: string): void;
}

export const telegramApiAddress = "https://api.telegram.org";

const capabilities: ChannelCapabilities = {
  messageMaxChars: 4_096,
  cardMaxChars: 3_500,
  receivedFileMaxBytes: 20_000_000,
  sentFileMaxBytes: 50_000_000,
};

/** Longest text beside a button that was pressed, characters. */
const noticeMaxChars = 200;

export function makeTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, takeOver = false, now, log } = options;
  const timings = { ...telegramTimings, ...options.timings };
  const apiAddress = options.apiAddress.replace(/\/+$/, "");
  const client = makeTelegramClient({ token, apiAddress, timings });
  const output = { client, lanes: makeMutex(), pace: makeTelegramPace(timings), timings };
  const preview = makeTelegramPreview({ ...output, maxChars: capabilities.messageMaxChars });
  let life: AbortSignal | null = null;

  const acknowledge = async (queryId: string, text: string | undefined): Promise<void> => {
    const notice = text === undefined ? {} : { text: text.slice(0, noticeMaxChars) };
    await client.call(async (api) => api.answerCallbackQuery(queryId, notice), timings.requestMs, life ?? neverAborted);
  };

  return {
    capabilities,
    start: (receiver, signal) => {
      life = signal;
      return pollTelegram({ client, timings, takeOver, now, log, acknowledge }, receiver, signal);
    },
    send: makeTelegramSender(output),
    show: (chatId, text) => {
      if (life !== null) preview(chatId, text, life);
    },
    load: (file, signal) => loadFile(client, timings, file, signal),
  };
}

/** Loads a file in two requests: its path, which is valid for an hour, then its bytes. */
async function loadFile(
  client: TelegramClient,
  { requestMs, fileMs }: TelegramTimings,
  { reference, size = 0 }: ReceivedFile,
  signal: AbortSignal,
): Promise<Result<Uint8Array>> {
  const maxBytes = capabilities.receivedFileMaxBytes;
  if (size > maxBytes) return fail("too_large");
  const file = await patiently(() => client.call(async (api) => api.getFile(reference), requestMs, signal), signal);
  if (!file.ok) return failLoad(file);
  const { file_path: path, file_size: bytes = 0 } = file.value;
  if (bytes > maxBytes) return fail("too_large");
  // A server that stores the files on a disk of its own names them by their absolute paths.
  if (path === undefined || path.startsWith("/") || path.split("/").includes("..")) return fail("not_found");
  const loaded = await patiently(() => client.download(path, maxBytes, fileMs, signal), signal);
  if (!loaded.ok) return failLoad(loaded);
  if (loaded.value.kind === "loaded") return ok(loaded.value.bytes);
  return fail(loaded.value.kind === "missing" ? "not_found" : "too_large");
}

/** Performs a request again after the wait that the server requests. */
async function patiently<T>(
  request: () => Promise<TelegramAnswer<T>>,
  signal: AbortSignal,
): Promise<TelegramAnswer<T>> {
  for (;;) {
    const answer = await request();
    if (answer.ok || answer.failure.kind !== "too_fast") return answer;
    await pause(answer.failure.waitMs, signal);
  }
}

function failLoad({ failure }: Extract<TelegramAnswer<never>, { readonly ok: false }>): Result<never> {
  switch (failure.kind) {
    case "aborted":
      return fail("aborted");
    case "refused":
      return fail(failure.words.includes("file is too big") ? "too_large" : "not_found", failure.words);
    case "broken":
      return fail(failure.error.code === "timeout" ? "timeout" : "server_unreachable", failure.error.detail);
    case "too_fast":
      return fail("server_busy");
  }
}
