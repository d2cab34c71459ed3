/**
 * Shows an answer that is being written: by drafts, which only private chats have, else by a message that is edited and removed at
 * the end. What is too fast, or fails, is skipped.
 */
import { pause } from "@/server/base/abort";
import type { TelegramFailure } from "./telegram-client";
import { postText, type TelegramPost, type TelegramSenderOptions } from "./telegram-sender";

interface PreviewOptions extends TelegramSenderOptions {
  /** Length of the shown text: a longer one is cut at its start, characters. */
  readonly maxChars: number;
}

/** An edit for fewer new characters is not worth its share of the pace. */
const editMinChars = 40;

/** State of the preview in one chat. */
interface Preview {
  /** Unique for each answer. */
  draftId: number;
  /** null = the answer has ended. */
  wanted: string | null;
  shown: string;
  /** Whether the server accepts drafts in this chat. */
  hasDrafts: boolean;
  /** The message that is edited. */
  messageId: string | null;
  /** Messages of answers that have ended. */
  readonly removals: string[];
  /** Time of the next request, by `performance.now()`. */
  readyAt: number;
  isActive: boolean;
}

const postDraft =
  (chatId: string, draftId: number): TelegramPost =>
  async (api, text, mode) => {
    await api.sendMessageDraft(Number(chatId), draftId, text, { parse_mode: mode });
    return "";
  };

const postMessage =
  (chatId: string, messageId: string | null): TelegramPost =>
  async (api, text, mode) => {
    const extra = { parse_mode: mode, link_preview_options: { is_disabled: true }, disable_notification: true };
    if (messageId === null) return String((await api.sendMessage(chatId, text, extra)).message_id);
    await api.editMessageText(chatId, Number(messageId), text, extra);
    return messageId;
  };

const isDue = ({ wanted, shown, hasDrafts, removals }: Preview): boolean => {
  if (removals.length > 0) return true;
  if (wanted === null) return false;
  if (hasDrafts) return wanted !== shown && wanted !== "";
  // A text that does not continue the shown one is another part of the answer.
  return !wanted.startsWith(shown) || wanted.length - shown.length >= editMinChars;
};

/** The end of a text, from the beginning of a line if there is one. */
function endOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(-maxChars);
  return end.slice(end.indexOf("\n") + 1);
}

/** Returns the function that shows a text in a chat, or ends that with null; the signal ends it in all chats. */
export function makeTelegramPreview({ client, lanes, pace, timings, maxChars }: PreviewOptions) {
  const previews = new Map<string, Preview>();
  let drafts = 0;
  const previewOf = (chatId: string): Preview => {
    const preview = previews.get(chatId) ?? {
      draftId: (drafts += 1),
      wanted: null,
      shown: "",
      hasDrafts: true,
      messageId: null,
      removals: [],
      readyAt: 0,
      isActive: false,
    };
    previews.set(chatId, preview);
    return preview;
  };

  async function showText(chatId: string, preview: Preview, text: string, signal: AbortSignal): Promise<void> {
    const { draftId, hasDrafts, messageId } = preview;
    const post = hasDrafts ? postDraft(chatId, draftId) : postMessage(chatId, messageId);
    if (!hasDrafts) preview.readyAt = performance.now() + timings.editPaceMs;
    const answer = await postText(client, endOf(text, maxChars), post, timings.previewMs, signal);
    const isCurrent = preview.draftId === draftId;
    if (!answer.ok) noteFailure(chatId, preview, answer.failure, isCurrent ? text : "");
    else if (isCurrent) Object.assign(preview, { shown: text, messageId: hasDrafts ? null : answer.value });
    else if (!hasDrafts && messageId === null) preview.removals.push(answer.value);
  }

  /** After a refusal, or without a connection, the text counts as shown: the next one is tried again. */
  function noteFailure(chatId: string, preview: Preview, failure: TelegramFailure, text: string): void {
    if (failure.kind === "too_fast") return pace.hold(chatId, failure.waitMs);
    const isRefused = failure.kind === "refused" && (failure.status === 400 || failure.status === 404);
    if (isRefused && preview.hasDrafts) preview.hasDrafts = false;
    else preview.shown = text;
  }

  async function removeMessage(chatId: string, preview: Preview, id: string, signal: AbortSignal): Promise<void> {
    const answer = await client.call((api) => api.deleteMessage(chatId, Number(id)), timings.previewMs, signal);
    if (answer.ok || answer.failure.kind === "refused") preview.removals.shift();
    else if (answer.failure.kind === "too_fast") pace.hold(chatId, answer.failure.waitMs);
    else preview.readyAt = performance.now() + timings.backOffMs;
  }

  const waitMs = (chatId: string, preview: Preview): number =>
    Math.max(pace.waitMs(chatId), preview.readyAt - performance.now());

  /** One request, unless a message that was sent meanwhile has the turn. */
  async function step(chatId: string, preview: Preview, signal: AbortSignal): Promise<void> {
    if (!isDue(preview) || waitMs(chatId, preview) > 0 || !(await pace.take(chatId, signal))) return;
    const [removal] = preview.removals;
    if (removal !== undefined) await removeMessage(chatId, preview, removal, signal);
    else if (preview.wanted !== null) await showText(chatId, preview, preview.wanted, signal);
  }

  async function present(chatId: string, preview: Preview, signal: AbortSignal): Promise<void> {
    while (isDue(preview) && (await pause(waitMs(chatId, preview), signal)))
      await lanes.hold(chatId, () => step(chatId, preview, signal), signal).catch(() => {});
    preview.isActive = false;
  }

  return (chatId: string, text: string | null, signal: AbortSignal): void => {
    const preview = previewOf(chatId);
    preview.wanted = text;
    if (text === null) {
      if (preview.messageId !== null) preview.removals.push(preview.messageId);
      Object.assign(preview, { draftId: (drafts += 1), shown: "", messageId: null });
    }
    if (preview.isActive || !isDue(preview)) return;
    preview.isActive = true;
    void present(chatId, preview, signal);
  };
}
