/** Sends messages: in order for each chat, at the pace of the server, again after failures of the network, never again after a refusal. */
import { type Api, InputFile } from "grammy/web";
import { fail, ok, type Result } from "@/lib/events/error";
import { pause } from "@/server/base/abort";
import type { Mutex } from "@/server/base/concurrency";
import type { ChannelMessage, SentFile } from "../channel";
import type { TelegramAnswer, TelegramClient, TelegramFailure } from "./telegram-client";
import { escapeTelegramHtml, toTelegramHtml } from "./telegram-html";
import type { TelegramPace } from "./telegram-pace";
import { backOff, type TelegramTimings } from "./telegram-timings";

/** Text below a file, characters. */
const captionMaxChars = 1_024;

export interface TelegramSenderOptions {
  readonly client: TelegramClient;
  /** Held for a chat while something is sent to it. */
  readonly lanes: Mutex;
  readonly pace: TelegramPace;
  readonly timings: TelegramTimings;
}

/** Markup of the text in a request; undefined = none. */
type ParseMode = "HTML" | undefined;
/** One request; resolves with the id of the message. */
export type TelegramPost = (api: Api, text: string, mode: ParseMode) => Promise<string>;

const isUnchanged = ({ words }: { readonly words: string }): boolean => words.includes("message is not modified");
/** The other refusals of a chat have status 403. */
const isChatGone = (words: string): boolean => words.includes("chat not found") || words.includes("user not found");

/**
 * Performs `post` with the text as HTML; if the server refuses that, with the text as it is. A refused request had no effect, so
 * nothing is sent twice.
 */
export async function postText(
  client: TelegramClient,
  text: string,
  post: TelegramPost,
  limitMs: number,
  signal: AbortSignal,
): Promise<TelegramAnswer<string>> {
  const html = toTelegramHtml(text);
  const isFormatted = html !== escapeTelegramHtml(text);
  const call = (content: string, mode: ParseMode) => client.call((api) => post(api, content, mode), limitMs, signal);
  if (!isFormatted) return call(text, undefined);
  const answer = await call(html, "HTML");
  if (answer.ok || answer.failure.kind !== "refused") return answer;
  const { failure } = answer;
  return failure.status === 400 && !isUnchanged(failure) ? call(text, undefined) : answer;
}

export function makeTelegramSender(options: TelegramSenderOptions) {
  const { client, lanes, pace, timings } = options;

  /** Performs one request until it succeeds or is refused. */
  async function repeat(
    chatId: string,
    request: () => Promise<TelegramAnswer<string>>,
    signal: AbortSignal,
  ): Promise<Result<string>> {
    for (let failures = 1; ; failures += 1) {
      if (!(await pace.take(chatId, signal))) return fail("aborted");
      const answer = await request();
      if (answer.ok) return ok(answer.value);
      const { failure } = answer;
      if (failure.kind === "too_fast") pace.hold(chatId, failure.waitMs);
      else if (isFinal(failure)) return refuse(failure);
      else await pause(backOff(failures, timings.backOffMs, timings.backOffMaxMs), signal);
    }
  }

  function sendText(message: ChannelMessage, signal: AbortSignal): Promise<Result<string>> {
    const { chatId, text, replaces } = message;
    const more = {
      link_preview_options: { is_disabled: true },
      ...toMarkup(message),
    };
    const post: TelegramPost = async (api, content, mode) => {
      const extra = { ...more, parse_mode: mode };
      if (replaces === undefined) return String((await api.sendMessage(chatId, content, extra)).message_id);
      await api.editMessageText(chatId, Number(replaces), content, extra);
      return replaces;
    };
    const request = async (): Promise<TelegramAnswer<string>> => {
      const answer = await postText(client, text, post, timings.requestMs, signal);
      if (answer.ok || replaces === undefined || answer.failure.kind !== "refused") return answer;
      return isUnchanged(answer.failure) ? { ok: true, value: replaces } : answer;
    };
    return repeat(chatId, request, signal);
  }

  function sendFile(
    { chatId, text, buttons }: Pick<ChannelMessage, "chatId" | "text" | "buttons">,
    { name, bytes }: SentFile,
    signal: AbortSignal,
  ): Promise<Result<string>> {
    const more = toMarkup({ buttons });
    // The library writes the name into a header.
    const plainName = name.replace(/[\p{Cc}";]/gu, "_");
    const post: TelegramPost = async (api, content, mode) => {
      const caption = content === "" ? {} : { caption: content, parse_mode: mode };
      const file = new InputFile(bytes, plainName);
      return String((await api.sendDocument(chatId, file, { ...more, ...caption })).message_id);
    };
    return repeat(chatId, () => postText(client, text, post, timings.fileMs, signal), signal);
  }

  async function sendInOrder(message: ChannelMessage, signal: AbortSignal): Promise<Result<string>> {
    const { file, text, replaces, ...rest } = message;
    if (file === undefined) return sendText(message, signal);
    if (replaces === undefined && text.length <= captionMaxChars) return sendFile(message, file, signal);
    const sent = await sendText({ ...rest, text, replaces }, signal);
    return sent.ok ? sendFile({ chatId: rest.chatId, text: "" }, file, signal) : sent;
  }

  return async (message: ChannelMessage, signal: AbortSignal): Promise<Result<{ readonly messageId: string }>> => {
    try {
      const sent = await lanes.hold(message.chatId, () => sendInOrder(message, signal), signal);
      return sent.ok ? ok({ messageId: sent.value }) : sent;
    } catch (error) {
      if (signal.aborted) return fail("aborted");
      throw error;
    }
  };
}

type Refusal = Extract<TelegramFailure, { readonly kind: "refused" }>;

/** Without a valid token nothing is refused: the message waits for another one. */
const isFinal = (failure: TelegramFailure): failure is Refusal =>
  failure.kind === "refused" && failure.status !== 401 && failure.status !== 404;

const refuse = ({ status, words }: Refusal): Result<never> =>
  fail(status === 403 || isChatGone(words) ? "not_allowed" : "bad_input", words);

const toMarkup = ({ buttons }: Pick<ChannelMessage, "buttons">) =>
  buttons === undefined
    ? {}
    : {
        reply_markup: {
          inline_keyboard: buttons.map((row) => row.map(({ label, value }) => ({ text: label, callback_data: value }))),
        },
      };
